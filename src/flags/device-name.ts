/** Names that Windows reserves for its devices, whatever follows after a dot. */
import { platform } from 'node:os';
import { win32 } from 'node:path';

/**
 * Whether hardly any Windows program, Explorer included, could open or remove a file of this name. Node creates it
 * anyway: even `NUL`, given as the place for unwanted output, would leave one behind.
 */
export const isDeviceName = (path: string, system: NodeJS.Platform = platform()): boolean =>
  system === 'win32' && device.test(win32.basename(path));

const device = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]) *(?:[.:].*)?$/i;
