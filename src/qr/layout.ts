/** Where everything is in a QR code of level M: ISO/IEC 18004, versions 1 to 40, one mask. */

export interface Layout {
  /** Modules per side. */
  readonly size: number;
  /** The code without its data, row by row, already masked: 1 is dark. */
  readonly empty: Uint8Array;
  /** For each bit of the codewords in their final order, the module that it flips. */
  readonly order: Uint16Array;
  readonly blocks: Blocks;
}

/** How the codewords are divided: the last blocks hold one more data codeword than the first. */
export interface Blocks {
  readonly count: number;
  /** Data codewords of the shorter blocks, and how many of those there are. */
  readonly shortData: number;
  readonly short: number;
  /** Error correction codewords of each block. */
  readonly ecc: number;
}

/** Error correction codewords per block, and the number of blocks, for each version at level M. */
const eccPerBlock = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
];
const blockCounts = [
  1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29,
  31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
];

/** Bytes that a version holds at level M, in byte mode. */
export const capacity = (version: number): number => dataOf(blocksOf(version)) - (version < 10 ? 2 : 3);

/** Data codewords of all blocks together. */
export const dataOf = ({ count, short, shortData }: Blocks): number => count * shortData + (count - short);

function blocksOf(version: number): Blocks {
  const count = blockCounts[version - 1] ?? 0;
  const ecc = eccPerBlock[version - 1] ?? 0;
  const all = rawCodewords(version);
  return { count, ecc, short: count - (all % count), shortData: Math.floor(all / count) - ecc };
}

function rawCodewords(version: number): number {
  const { length } = alignments(version);
  const aligned = version < 2 ? 0 : (25 * length - 10) * length - 55;
  return Math.floor(((16 * version + 128) * version + 64 - aligned - (version < 7 ? 0 : 36)) / 8);
}

function alignments(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  const last = version * 4 + 10;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => last - step * (count - 2 - at))];
}

/** @param mask 0 to 7, as the standard numbers them */
export function layoutOf(version: number, mask: number): Layout {
  const size = version * 4 + 17;
  const empty = new Uint8Array(size * size);
  const taken = new Uint8Array(size * size);
  const set = (x: number, y: number, dark: boolean) => {
    empty[y * size + x] = dark ? 1 : 0;
    taken[y * size + x] = 1;
  };
  drawPatterns(version, size, set, (x, y) => taken[y * size + x] === 1);
  drawFormat(version, mask, size, set);
  const order: number[] = [];
  for (const [x, y] of zigzag(size)) {
    if (taken[y * size + x] === 1) continue;
    order.push(y * size + x);
    empty[y * size + x] = isTurned(mask, x, y) ? 1 : 0;
  }
  return { size, empty, order: Uint16Array.from(order), blocks: blocksOf(version) };
}

type Set = (x: number, y: number, dark: boolean) => void;

function drawPatterns(version: number, size: number, set: Set, isTaken: (x: number, y: number) => boolean) {
  const square = (middleX: number, middleY: number, reach: number, isDark: (ring: number) => boolean) => {
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++) {
        const [x, y] = [middleX + dx, middleY + dy];
        if (x < 0 || y < 0 || x >= size || y >= size) continue;
        set(x, y, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
      }
  };
  const finder = (ring: number) => ring !== 2 && ring !== 4;
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, finder);
  for (const y of alignments(version))
    for (const x of alignments(version)) if (!isTaken(x, y)) square(x, y, 2, (ring) => ring !== 1);
  for (let at = 8; at < size - 8; at++) {
    set(at, 6, at % 2 === 0);
    set(6, at, at % 2 === 0);
  }
}

/** Draws which mask it is and, from version 7 on, which version: both twice, with check bits. */
function drawFormat(version: number, mask: number, size: number, set: Set): void {
  const format = checked(mask, 10, 0x537) ^ 0x5412;
  const bit = (at: number) => ((format >> at) & 1) === 1;
  for (let at = 0; at < 15; at++) {
    if (at < 8) set(8, at < 6 ? at : at + 1, bit(at));
    else set(at === 8 ? 7 : 14 - at, 8, bit(at));
    if (at < 8) set(size - 1 - at, 8, bit(at));
    else set(8, size - 15 + at, bit(at));
  }
  set(8, size - 8, true);
  if (version < 7) return;
  const bits = checked(version, 12, 0x1f25);
  for (let at = 0; at < 18; at++) {
    const [far, near] = [size - 11 + (at % 3), Math.floor(at / 3)];
    set(far, near, ((bits >> at) & 1) === 1);
    set(near, far, ((bits >> at) & 1) === 1);
  }
}

/** Appends to the value the remainder of its division by a generator. */
function checked(value: number, bits: number, generator: number): number {
  let rest = value;
  for (let count = 0; count < bits; count++) rest = (rest << 1) ^ ((rest >> (bits - 1)) * generator);
  return (value << bits) | rest;
}

/** Two columns at a time from the right, alternately up and down, skipping the column of the timing pattern. */
function* zigzag(size: number): Generator<readonly [number, number]> {
  let upwards = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < size; step++) {
      const y = upwards ? size - 1 - step : step;
      yield [right, y];
      yield [right - 1, y];
    }
    upwards = !upwards;
  }
}

function isTurned(mask: number, x: number, y: number): boolean {
  const product = x * y;
  const rules = [
    (x + y) % 2,
    y % 2,
    x % 3,
    (x + y) % 3,
    (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
    (product % 2) + (product % 3),
    ((product % 2) + (product % 3)) % 2,
    (((x + y) % 2) + (product % 3)) % 2,
  ];
  return rules[mask] === 0;
}
