/** Turns bytes into the codewords of a QR code: byte mode, Reed-Solomon, interleaved blocks. */
import { type Blocks, dataOf } from './layout.ts';

/** Returns the codewords of one version in their final order, valid until the next call. The bytes must fit. */
type WriteCodewords = (bytes: Uint8Array) => Uint8Array;

/** Makes the writer of one version: what depends on the version alone is computed here. */
export function codewordWriter(version: number, blocks: Blocks): WriteCodewords {
  const { count, short, shortData, ecc } = blocks;
  const words = Math.ceil(ecc / 4);
  const remainders = remaindersOf(ecc, words, shortData + 1);
  const data = new Uint8Array(dataOf(blocks));
  const into = new Uint8Array(data.length + count * ecc);
  /**
   * What `into` was made from, and the remainder of each block divided by the generator, four codewords to a number.
   * The remainder of a sum is the sum of the remainders, so only what changes is computed.
   */
  const divided = new Uint8Array(data.length);
  const rests = new Int32Array(count * words);
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: measured: a call for each codeword costs.
  return (bytes) => {
    frame(bytes, data, version < 10 ? 8 : 16);
    let from = 0;
    for (let block = 0; block < count; block++) {
      const length = block < short ? shortData : shortData + 1;
      const rest = block * words;
      let isSame = true;
      for (let at = 0; at < length; at++) {
        const codeword = data[from + at] as number;
        const change = codeword ^ (divided[from + at] as number);
        if (change === 0) continue;
        isSame = false;
        into[at < shortData ? at * count + block : shortData * count + block - short] = codeword;
        const place = (length - 1 - at) * 32;
        const high = (place + (change >> 4)) * words;
        const low = (place + 16 + (change & 15)) * words;
        for (let word = 0; word < words; word++)
          (rests[rest + word] as number) ^=
            (remainders[high + word] as number) ^ (remainders[low + word] as number);
      }
      from += length;
      if (isSame) continue;
      for (let at = 0; at < ecc; at++)
        into[data.length + at * count + block] = (rests[rest + (at >> 2)] as number) >>> (24 - (at & 3) * 8);
    }
    divided.set(data);
    return into;
  };
}

/** Writes mode, count, bytes, end, and the standard's padding: everything is shifted by half a byte. */
function frame(bytes: Uint8Array, data: Uint8Array, countBits: number): void {
  const { length } = bytes;
  let rest = 4;
  let at = 0;
  const put = (byte: number) => {
    data[at++] = (rest << 4) | (byte >> 4);
    rest = byte & 15;
  };
  if (countBits === 16) put(length >> 8);
  put(length & 255);
  for (let index = 0; index < length; index++) put(bytes[index] as number);
  data[at++] = rest << 4;
  for (let pad = 0xec; at < data.length; pad ^= 0xec ^ 0x11) data[at++] = pad;
}

/**
 * The remainders of single codewords, as `ecc` codewords packed four to a number: for each place in a block, counted
 * from its end, first for the 16 values of the codeword's high half, then for those of its low half.
 */
function remaindersOf(ecc: number, words: number, places: number): Int32Array {
  const generator = generatorOf(ecc);
  const all = new Int32Array(places * 32 * words);
  for (let bit = 0; bit < 8; bit++) {
    const rest = new Uint8Array(ecc + 1);
    rest[0] = 1 << bit;
    const half = bit < 4 ? 16 : 0;
    for (let place = 0; place < places; place++) {
      const leading = rest[0] as number;
      for (let term = 0; term < ecc; term++)
        rest[term] = (rest[term + 1] as number) ^ multiply(generator[term] as number, leading);
      for (let value = 0; value < 16; value++)
        if ((value >> (bit & 3)) & 1) addPacked(all, (place * 32 + half + value) * words, rest, ecc);
    }
  }
  return all;
}

/** Adds the first `count` codewords of `rest` to the numbers from `row` on. */
function addPacked(all: Int32Array, row: number, rest: Uint8Array, count: number): void {
  for (let term = 0; term < count; term++)
    (all[row + (term >> 2)] as number) ^= (rest[term] as number) << (24 - (term & 3) * 8);
}

function generatorOf(ecc: number): Uint8Array {
  const generator = new Uint8Array(ecc);
  generator[ecc - 1] = 1;
  let root = 1;
  for (let degree = 0; degree < ecc; degree++) {
    for (let at = 0; at < ecc; at++)
      generator[at] = multiply(generator[at] as number, root) ^ (generator[at + 1] ?? 0);
    root = multiply(root, 2);
  }
  return generator;
}

/** Multiplies in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}
