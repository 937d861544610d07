/**
 * Lines that wait for their reader, in order. If it has stopped (Ctrl-S, overnight), all are kept. As objects they take
 * 1.1 KB each, so all but the newest few thousand are packed, into a twentieth of that.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { TimedLine } from './lines.ts';

interface WaitingLines {
  push(line: TimedLine): void;
  readonly isEmpty: boolean;
  /** Takes the oldest, as many as are packed together. */
  take(): readonly TimedLine[];
}

/** How many are held unpacked. A reader that keeps reading never leaves so many. */
const loosely = 4_000;
/** How many are packed together: 2 ms of the thread that answers deliveries. */
const together = 500;

export function createWaitingLines(): WaitingLines {
  const packs: Buffer[] = [];
  let loose: TimedLine[] = [];
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

/** The fastest level is enough, because the lines are much alike. */
const packed = (lines: readonly TimedLine[]): Buffer => deflateRawSync(JSON.stringify(lines), { level: 1 });

const unpacked = (pack: Buffer): readonly TimedLine[] => JSON.parse(inflateRawSync(pack).toString());
