/** From bytes to the codewords of a QR code: byte mode, Reed-Solomon, blocks interleaved. */
import { type Blocks, dataOf } from './layout.ts';

/** The codewords of one version, in their final order, until the next call. The bytes must fit. */
export type WriteCodewords = (bytes: Uint8Array) => Uint8Array;

export function codewordWriter(version: number, blocks: Blocks): WriteCodewords {
  const { count, short, shortData, ecc } = blocks;
  const words = Math.ceil(ecc / 4);
  const products = productsOf(ecc, words);
  const data = new Uint8Array(dataOf(blocks));
  /** What remains when a block is divided by the generator, four codewords a number; the last is always 0. */
  const rest = new Int32Array(words + 1);
  const into = new Uint8Array(data.length + count * ecc);
  /** What `into` was made of: a block that is the same as then need not be divided again. */
  const divided = new Uint8Array(data.length);
  return (bytes) => {
    frame(bytes, data, version < 10 ? 8 : 16);
    let from = 0;
    for (let block = 0; block < count; block++) {
      const length = block < short ? shortData : shortData + 1;
      if (isSame(data, divided, from, length)) {
        from += length;
        continue;
      }
      rest.fill(0);
      for (let at = 0; at < length; at++) {
        const codeword = data[from + at] as number;
        into[at < shortData ? at * count + block : shortData * count + block - short] = codeword;
        const row = (codeword ^ ((rest[0] as number) >>> 24)) * words;
        for (let word = 0; word < words; word++)
          rest[word] =
            (((rest[word] as number) << 8) | ((rest[word + 1] as number) >>> 24)) ^
            (products[row + word] as number);
      }
      for (let at = 0; at < ecc; at++)
        into[data.length + at * count + block] = (rest[at >> 2] as number) >>> (24 - (at & 3) * 8);
      from += length;
    }
    divided.set(data);
    return into;
  };
}

function isSame(one: Uint8Array, other: Uint8Array, from: number, length: number): boolean {
  for (let at = from; at < from + length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** Mode, count, bytes, end, and the padding that the standard wants: everything half a byte off. */
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

/** For each of the 256 leading codewords: what to add to the `ecc` codewords behind it, four a number. */
function productsOf(ecc: number, words: number): Int32Array {
  const generator = new Uint8Array(ecc);
  generator[ecc - 1] = 1;
  let root = 1;
  for (let degree = 0; degree < ecc; degree++) {
    for (let at = 0; at < ecc; at++)
      generator[at] = multiply(generator[at] as number, root) ^ (generator[at + 1] ?? 0);
    root = multiply(root, 2);
  }
  const products = new Int32Array(256 * words);
  for (let factor = 0; factor < 256; factor++)
    for (let term = 0; term < ecc; term++)
      (products[factor * words + (term >> 2)] as number) |=
        multiply(generator[term] as number, factor) << (24 - (term & 3) * 8);
  return products;
}

/** In GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}
