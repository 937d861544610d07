/** stdout or stderr: directly while that does the same, through Node's stream from then on. */
import { type Descriptor, openDescriptor } from './descriptor.ts';

export interface Channel {
  readonly isTerminal: boolean;
  /** Node's stream. Whoever has asked for it writes to it, so that from then on everything does. */
  readonly stream: NodeJS.WriteStream;
  /** The reader has gone away, or the disk is full; nothing more is written. */
  readonly closed: boolean;
  /** Why, where that is not the reader's doing. */
  readonly failure: NodeJS.ErrnoException | undefined;
  /** Bytes that wait for the reader. */
  readonly backlog: number;
  /**
   * From now on a terminal that has been stopped (Ctrl-S) stops only what waits for its `write`, and no longer the
   * whole process. Node's streams of terminals block it, those of pipes do not; on Windows neither does.
   */
  doNotBlock(): void;
  /** Resolves when all of it was taken, or the channel broke; the event loop has turned in between. */
  write(text: string | Uint8Array): Promise<void>;
}

interface Handled {
  readonly writableLength: number;
  readonly _handle?: { readonly writeQueueSize?: number; setBlocking?(yes: boolean): unknown } | null;
}

/** What the reader of a pipe leaves behind: no fault of ours, and nothing to say. */
const readerGone = ['EPIPE', 'ECONNRESET'];
/** And a hung-up terminal, or a stream that has told us so already. */
const streamGone = [...readerGone, 'EIO', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'];

/** `open` makes Node's stream, late: the getters of `process` load what most runs never use. */
export function channel(fd: 1 | 2, open: () => NodeJS.WriteStream, platform: NodeJS.Platform): Channel {
  const direct: Descriptor | null = platform === 'win32' ? null : openDescriptor(fd);
  let stream: NodeJS.WriteStream | undefined;
  let closed = false;
  let failure: NodeJS.ErrnoException | undefined;
  const broke = (error: NodeJS.ErrnoException, gone: readonly string[]) => {
    closed = true;
    if (!gone.includes(error.code ?? '')) failure = error;
  };
  const opened = () => {
    stream ??= open().on('error', (error) => broke(error, streamGone));
    return stream;
  };
  const writeDirectly = (text: string | Uint8Array): string | Uint8Array | null => {
    if (direct === null || stream !== undefined) return text;
    try {
      return direct.write(text);
    } catch (error) {
      broke(error as NodeJS.ErrnoException, readerGone);
      return null;
    }
  };
  return {
    get isTerminal() {
      return direct === null && opened().isTTY === true;
    },
    get stream() {
      return opened();
    },
    get closed() {
      return closed;
    },
    get failure() {
      return failure;
    },
    get backlog() {
      // Node counts what it was handed until all of it is taken; only its handle knows of how much there is left.
      const { _handle: handle, writableLength = 0 } = (stream ?? {}) as Partial<Handled>;
      return handle?.writeQueueSize || writableLength;
    },
    doNotBlock() {
      if (platform === 'win32' || direct !== null || !opened().isTTY) return;
      (opened() as Partial<Handled>)._handle?.setBlocking?.(false);
    },
    async write(text) {
      if (closed || (text.length === 0 && stream === undefined)) return;
      const rest = writeDirectly(text);
      await new Promise<void>((resolve) => {
        const turn = () => setImmediate(resolve);
        if (rest === null) turn();
        else opened().write(rest, turn);
      });
    },
  };
}
