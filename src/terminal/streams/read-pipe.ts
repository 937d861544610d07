/** Opens what has a name but is no file: a pipe, such as that of `<(command)` in a shell, or a terminal. */
import { close, constants, open } from 'node:fs';
import { platform } from 'node:os';
import type { Readable } from 'node:stream';

/**
 * Opens a pipe for reading. Not as a file: Node reads a file in a thread that no signal ends, and the process does not
 * end before it does. On Linux, opening does not wait for a writer, either; only reading does. Rejects with the
 * system's error.
 */
export async function openPipe(path: string): Promise<Readable> {
  const { Socket } = await import('node:net');
  const fd = await opened(path, platform() === 'linux' ? constants.O_NONBLOCK : 0);
  return new Socket({ fd, readable: true, writable: false });
}

/** Opens a terminal for reading, as if it were a pipe; null for any other device. Rejects with the system's error. */
export async function openTerminal(path: string): Promise<Readable | null> {
  const { isatty, ReadStream } = await import('node:tty');
  const fd = await opened(path, constants.O_NONBLOCK | constants.O_NOCTTY);
  if (isatty(fd)) return new ReadStream(fd);
  close(fd);
  return null;
}

const opened = (path: string, how: number): Promise<number> =>
  new Promise((resolve, reject) => {
    open(path, constants.O_RDONLY | how, (cause, fd) => (cause === null ? resolve(fd) : reject(cause)));
  });
