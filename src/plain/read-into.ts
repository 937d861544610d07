/**
 * Reads a connection into memory that the next read overwrites, on whichever connection. Node allocates 64 KB for every
 * read, which is a seventh of the work of a short request; its remedy, the option `onread`, exists only for connections
 * that one opens oneself. So the option is set here where Node keeps it internally. If that place is not found, there
 * is still `data`.
 */
import type { Socket } from 'node:net';

const memory = Buffer.allocUnsafeSlow(64 * 1024);

/** Whether these bytes will be overwritten: whoever keeps them beyond the call must copy them. */
export const isWrittenOver = (bytes: Buffer): boolean => bytes.buffer === memory.buffer;

/**
 * From now on, `take` receives what comes, until the returned function is called: then it comes as `data` again. `take`
 * may also be called through `data`.
 */
export function readIntoSharedBuffer(socket: Socket, take: (chunk: Buffer) => void): () => void {
  socket.on('data', take);
  const { _handle: handle } = socket as Socket & { _handle?: Handle };
  const place = placeIn(socket);
  if (typeof handle?.useUserBuffer !== 'function' || place === null)
    return () => void socket.off('data', take);
  let left = false;
  const onRead = (length: number): boolean => {
    const chunk = memory.subarray(0, length);
    if (left) return socket.push(Buffer.from(chunk));
    take(chunk);
    return true;
  };
  Object.assign(socket, { [place.buffer]: memory, [place.callback]: onRead });
  handle.useUserBuffer(memory);
  return () => {
    left = true;
    socket.off('data', take);
  };
}

interface Handle {
  useUserBuffer?(memory: Buffer): void;
}

/** Where Node keeps the option internally. */
interface Place {
  readonly buffer: symbol;
  readonly callback: symbol;
}

/** The same for every connection, so it is looked for only once. */
let known: Place | null = null;

function placeIn(socket: Socket): Place | null {
  if (known !== null && known.buffer in socket && known.callback in socket) return known;
  const symbols = Object.getOwnPropertySymbols(socket);
  const [buffer, callback] = ['kBuffer', 'kBufferCb'].map((name) =>
    symbols.find(({ description }) => description === name),
  );
  known = buffer === undefined || callback === undefined ? null : { buffer, callback };
  return known;
}
