/** A pipe with a name, such as that of `<(command)` in a shell. */
import { constants, open } from 'node:fs';
import { platform } from 'node:os';
import type { Readable } from 'node:stream';

/**
 * For reading. Not as a file: Node reads one in a thread of its own, which no signal ends, and the process does not end
 * before it. On Linux nothing waits for a writer to open it either; the reading waits. Rejects with the system's error.
 */
export async function openPipe(path: string): Promise<Readable> {
  const { Socket } = await import('node:net');
  const how = constants.O_RDONLY | (platform() === 'linux' ? constants.O_NONBLOCK : 0);
  const fd = await new Promise<number>((resolve, reject) => {
    open(path, how, (cause, opened) => (cause === null ? resolve(opened) : reject(cause)));
  });
  return new Socket({ fd, readable: true, writable: false });
}
