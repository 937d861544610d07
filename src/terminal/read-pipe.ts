/** What is no file, but has a name: a pipe, such as that of `<(command)` in a shell, or a terminal. */
import { close, constants, open } from 'node:fs';
import { platform } from 'node:os';
import type { Readable } from 'node:stream';

/**
 * For reading. Not as a file: Node reads one in a thread of its own, which no signal ends, and the process does not end
 * before it. On Linux nothing waits for a writer to open it either; the reading waits. Rejects with the system's error.
 */
export async function openPipe(path: string): Promise<Readable> {
  const { Socket } = await import('node:net');
  const fd = await opened(path, platform() === 'linux' ? constants.O_NONBLOCK : 0);
  return new Socket({ fd, readable: true, writable: false });
}

/** For reading, as a pipe is; null for a device that is no terminal. Rejects with the system's error. */
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
