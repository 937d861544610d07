/**
 * Draws a QR code as a PNG in a few microseconds, for callers who draw one per request. The compressed picture has a
 * form in which each module is one bit at a fixed place, so a picture is a copy of the empty one with the bits of its
 * data flipped; nothing is compressed, masked or judged again.
 */
import { getBuiltinModule } from 'node:process';
import { codewordWriter } from './codewords.ts';
import { emptyPicture } from './empty-picture.ts';
import { capacity, layoutOf } from './layout.ts';

/** All eight masks are readable; by the standard's penalties, this one is the best for 146 of 150 charges. */
export const mask = 2;

type Draw = (bytes: Uint8Array) => string;

const byVersion: (Draw | undefined)[] = [];
const byLength: (Draw | undefined)[] = [];

/**
 * Returns a PNG in base64: level M, four pixels per module, quiet zone included. Throws RangeError beyond 2331 bytes.
 */
export function drawQr(text: string): string {
  const bytes = Buffer.from(text);
  const draw = byLength[bytes.length] ?? drawerFor(bytes.length);
  return draw(bytes);
}

function drawerFor(length: number): Draw {
  const version = Array.from({ length: 40 }, (_, at) => at + 1).find((it) => length <= capacity(it));
  if (version === undefined) throw new RangeError(`a QR code cannot hold ${length} bytes`);
  const draw = byVersion[version] ?? drawer(version);
  byVersion[version] = draw;
  byLength[length] = draw;
  return draw;
}

function drawer(version: number): Draw {
  // Loaded only now, because most programs that load this file never draw.
  const { crc32 } = getBuiltinModule('node:zlib');
  const { size, empty, order, blocks } = layoutOf(version, mask);
  const write = codewordWriter(version, blocks);
  const { png, idat, adler, ...module } = emptyPicture(size, empty, crc32);
  const places = Uint32Array.from(order, module.placeOf);
  const sums = perHalf(Int32Array.from(order, module.sumOf));
  const weights = perHalf(Int32Array.from(order, module.weightOf));
  const count = order.length >> 3;
  // The picture as last drawn, because the next one is mostly the same.
  const drawn = new Uint8Array(count);
  let known = adler;
  return (bytes) => {
    const codewords = write(bytes);
    let { sum, weighted } = known;
    for (let at = 0; at < count; at++) {
      const codeword = codewords[at] as number;
      const before = drawn[at] as number;
      const changed = codeword ^ before;
      if (changed === 0) continue;
      drawn[at] = codeword;
      sum += inBoth(sums, at, codeword) - inBoth(sums, at, before);
      weighted += inBoth(weights, at, codeword) - inBoth(weights, at, before);
      for (let bit = 0; bit < 8; bit++) {
        const place = places[at * 8 + bit] as number;
        (png[place >> 3] as number) ^= ((changed >> (7 - bit)) & 1) << (place & 7);
      }
    }
    known = { sum, weighted };
    png.writeUInt32BE((modulo(weighted) * 0x10000 + modulo(sum)) >>> 0, idat.adler);
    png.writeUInt32BE(crc32(png.subarray(idat.from, idat.to)), idat.to);
    return png.toString('base64');
  };
}

/** Sums the bits of each value of each half codeword: 16 values, and two halves per codeword. */
function perHalf(perBit: Int32Array): Int32Array {
  const all = new Int32Array((perBit.length >> 2) * 16);
  for (let index = 0; index < all.length; index++)
    for (let bit = 0; bit < 4; bit++)
      if (((index >> (3 - bit)) & 1) === 1)
        (all[index] as number) += perBit[(index >> 4) * 4 + bit] as number;
  return all;
}

const inBoth = (halves: Int32Array, at: number, codeword: number): number =>
  (halves[at * 32 + (codeword >> 4)] as number) + (halves[at * 32 + 16 + (codeword & 15)] as number);

/** Modulo for Adler-32, of a number that may be negative. */
const modulo = (value: number): number => ((value % 65_521) + 65_521) % 65_521;
