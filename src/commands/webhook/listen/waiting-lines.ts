/**
 * Lines that wait for their reader, in order. Of one that has stopped (Ctrl-S, overnight) all are kept, and as objects
 * they take 1.1 KB each: beyond the newest few thousand they are packed, into a twentieth of that.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** What can be packed: as `JSON.stringify` writes it. */
export interface WaitingLines<T> {
  push(line: T): void;
  readonly isEmpty: boolean;
  /** The oldest, as many as lie together. */
  take(): readonly T[];
}

/** Held as they are before any is packed: a reader that reads never leaves so many. */
const loosely = 4_000;
/** Packed together: 2 ms of the thread that answers deliveries. */
const together = 500;

export function createWaitingLines<T>(): WaitingLines<T> {
  const packs: Buffer[] = [];
  let loose: T[] = [];
  return {
    push(line) {
      loose.push(line);
      if (loose.length >= loosely + together) packs.push(packed(loose.splice(0, together)));
    },
    get isEmpty() {
      return packs.length === 0 && loose.length === 0;
    },
    take() {
      const pack = packs.shift();
      if (pack !== undefined) return unpacked(pack);
      const ready = loose;
      loose = [];
      return ready;
    },
  };
}

/** The fastest level: the lines are much alike. */
const packed = (lines: readonly unknown[]): Buffer => deflateRawSync(JSON.stringify(lines), { level: 1 });

const unpacked = <T>(pack: Buffer): readonly T[] => JSON.parse(inflateRawSync(pack).toString()) as T[];
