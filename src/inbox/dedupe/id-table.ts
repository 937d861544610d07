/**
 * The hashes of event ids and the numbers of their rows, in memory: 16 to 32 bytes an event. A hash is no proof:
 * whoever finds a number must look at the row.
 */
export interface IdTable {
  /** `number`: 1 to 4,294,967,295. */
  add(hash: number, number: number): void;
  /** The numbers of all ids with this hash. */
  find(hash: number): readonly number[];
  /** If there is no room, the table is better rebuilt, without what was removed. */
  hasRoomFor(more: number): boolean;
}

const fewest = 16_384;
/** Beyond this, gaps would be rare, and each lookup long. */
const maxLoadFactor = 0.75;

/**
 * Creates a table with room for half as many again as expected. Beyond that it grows, because a search of a full table
 * would never end.
 */
export function createIdTable(expected: number): IdTable {
  let size = fewest;
  while (size < expected * 2) size *= 2;
  let hashes = new Uint32Array(size);
  /** 0 marks an empty slot. An entry lies at its hash, or after it without a gap in between. */
  let numbers = new Uint32Array(size);
  let used = 0;

  function put(hash: number, number: number): void {
    let at = hash & (size - 1);
    while (numbers[at] !== 0) at = (at + 1) & (size - 1);
    hashes[at] = hash;
    numbers[at] = number;
  }

  function grow(): void {
    const [oldHashes, oldNumbers] = [hashes, numbers];
    // Starts after a gap, because entries at the beginning may have wrapped around from the end.
    const gap = oldNumbers.indexOf(0);
    hashes = new Uint32Array(size * 2);
    numbers = new Uint32Array(size * 2);
    size *= 2;
    for (let step = 1; step <= oldNumbers.length; step++) {
      const at = (gap + step) % oldNumbers.length;
      const number = oldNumbers[at] as number;
      if (number !== 0) put(oldHashes[at] as number, number);
    }
  }

  return {
    add(hash, number) {
      if (used + 1 > size * maxLoadFactor) grow();
      put(hash, number);
      used += 1;
    },
    find(hash) {
      let at = hash & (size - 1);
      if (numbers[at] === 0) return none;
      const found: number[] = [];
      for (; numbers[at] !== 0; at = (at + 1) & (size - 1))
        if (hashes[at] === hash) found.push(numbers[at] as number);
      return found;
    },
    hasRoomFor: (more) => used + more <= size * maxLoadFactor,
  };
}

const none: readonly number[] = [];

/**
 * 32 bits of an id. They are stored, so they must stay the same in every version. FNV-1a over UTF-16, mixed so that all
 * bits count.
 */
export function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
