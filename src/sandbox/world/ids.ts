/** Ids of the sandbox's records: `chg_...`, `cust_...`, `wd_...`, `wh_...`, `evt_...`. */
import { randomBytes } from './randomness.ts';
import { seededBytes } from './seeded-bytes.ts';

export interface Ids {
  /** Returns `<prefix>_` and 24 characters of a-z and 0-9. The first nine grow with each id. */
  next(prefix: string): string;
  /** Returns `length` characters of a-z and 0-9. */
  characters(length: number): string;
  /** Returns a number from 0 to 1, excluding 1. */
  fraction(): number;
  /**
   * Continues after the records of another run, which are now among ours. That run may have had our seed, so what it
   * made is not made again.
   * @param latest the greatest first nine characters of all their ids
   */
  goOnAfter(latest: string): void;
}

const alphabet = Buffer.from('abcdefghijklmnopqrstuvwxyz234567');

/** @param seed the same seed gives the same ids in the same order; null draws them at random. */
export function createIds(seed: string | null): Ids {
  let draw = seed === null ? () => randomBytes(16 * 1024) : seededBytes(seed);
  let pool = draw();
  let used = 0;
  const byte = (): number => {
    if (used === pool.length) {
      pool = draw();
      used = 0;
    }
    return pool[used++] ?? 0;
  };
  const characters = (length: number): string => {
    const text = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; at++) text[at] = alphabet[byte() & 31] ?? 0;
    return text.toString('latin1');
  };
  const fraction = () => (byte() * 2 ** 24 + byte() * 2 ** 16 + byte() * 2 ** 8 + byte()) / 2 ** 32;
  // Each run starts at a place of its own. Consecutive ids lie side by side in an index, so adding one touches the page
  // of the last, where random ones would touch a page each.
  let count = 0;
  const grown = (): string => {
    if (count === 0) count = 2 ** 40 + Math.floor(fraction() * 2 ** 32) * 2 ** 8;
    count += 1;
    return count.toString(32);
  };
  return {
    next: (prefix) => `${prefix}_${grown()}${characters(15)}`,
    characters,
    fraction,
    goOnAfter(latest) {
      const reached = /^[0-9a-v]{9}$/.test(latest) ? Number.parseInt(latest, 32) : 0;
      if (reached < count) return;
      count = reached;
      if (seed !== null) draw = seededBytes(`${seed}/${latest}`);
      used = pool.length;
    },
  };
}
