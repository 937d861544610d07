/**
 * Hashes of event ids and the numbers of their rows, in memory: 16 to 32 bytes an event. A hash is no proof: whoever
 * finds a number looks at the row.
 */
export interface IdTable {
  /** `number`: 1 to 4,294,967,295. */
  add(hash: number, number: number): void;
  /** The numbers of all that have this hash. */
  find(hash: number): readonly number[];
  /** Where it has none, it is better made anew, without what was removed. */
  hasRoomFor(more: number): boolean;
}

const fewest = 16_384;
/** More would make gaps rare, and each look long. */
const mostInUse = 0.75;

/** With room for half as many again as are expected. With more it grows: a full one would be searched for ever. */
export function createIdTable(expected: number): IdTable {
  let size = fewest;
  while (size < expected * 2) size *= 2;
  let hashes = new Uint32Array(size);
  /** 0 where nothing is. What is looked for lies at its hash, or behind that without a gap. */
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
    // Behind a gap, because what lies at the beginning may have come there from the end.
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
      if (used + 1 > size * mostInUse) grow();
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
    hasRoomFor: (more) => used + more <= size * mostInUse,
  };
}

const none: readonly number[] = [];

/** 32 bits of an id, the same in every version: they are stored. FNV-1a over UTF-16, stirred so that all bits count. */
export function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
