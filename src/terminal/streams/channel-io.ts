/** stdout or stderr: written directly while that makes no difference, through Node's stream from then on. */
import { type Descriptor, openDescriptor } from './descriptor.ts';

interface Channel {
  readonly isTerminal: boolean;
  /** Node's stream. Whoever asks for it will write to it, so from then on everything goes through it. */
  readonly stream: NodeJS.WriteStream;
  /** Whether the reader has gone away, or the disk is full; nothing more is written. */
  readonly closed: boolean;
  /** The reason, unless the reader simply went away. */
  readonly failure: NodeJS.ErrnoException | undefined;
  /** Bytes waiting for the reader. */
  readonly backlog: number;
  /**
   * From now on, a terminal that its user has stopped (Ctrl-S) holds up only those who await `write`, and no longer the
   * whole process. Node's streams block it for terminals, but not for pipes; on Windows, for neither.
   */
  doNotBlock(): void;
  /** Resolves once all of it was taken, or the channel broke, after a turn of the event loop. */
  write(text: string | Uint8Array): Promise<void>;
}

interface Handled {
  readonly writableLength: number;
  readonly _handle?: { readonly writeQueueSize?: number; setBlocking?(yes: boolean): unknown } | null;
}

/** The errors of a pipe whose reader has gone: no fault of ours, and nothing to report. */
const readerGone = ['EPIPE', 'ECONNRESET'];
/** The same, and those of a hung-up terminal, or of a stream that has already reported it. */
const streamGone = [...readerGone, 'EIO', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'];

/** `open` creates Node's stream, late: the getters of `process` load what most runs never use. */
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
      // Node counts a write until all of it is taken; only its handle knows how much is left.
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
