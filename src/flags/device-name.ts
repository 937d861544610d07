/** Names that Windows keeps for its devices, whatever stands behind a dot. */
import { platform } from 'node:os';
import { win32 } from 'node:path';

/**
 * Whether a file of this name would be one that hardly any program there can open or remove, Explorer included: Node
 * makes it all the same, and `NUL` as the place of what nobody wants leaves one.
 */
export const isDeviceName = (path: string, system: NodeJS.Platform = platform()): boolean =>
  system === 'win32' && device.test(win32.basename(path));

const device = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]) *(?:[.:].*)?$/i;
