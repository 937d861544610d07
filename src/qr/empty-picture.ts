/**
 * A PNG (1-bit grayscale, four pixels per module, a light border of four modules) whose compressed data is one deflate
 * block with codes of our own choosing. A byte of pixels is two modules, so only four byte values occur, and the code
 * of each is a one, then one bit for each module, 1 for light. The three lines that repeat a line are a copy of it. So
 * every module is one bit of the file.
 */

type Crc32 = (bytes: Uint8Array) => number;

interface EmptyPicture {
  readonly png: Buffer;
  /** Offsets: what the chunk's CRC covers, and where its Adler-32 is. The CRC itself is at `to`. */
  readonly idat: { readonly from: number; readonly to: number; readonly adler: number };
  /** The two halves of the Adler-32 of the pixels, not yet reduced. */
  readonly adler: { readonly sum: number; readonly weighted: number };
  /** The bit of the file that is this module, counted from the low end of each byte. */
  placeOf(module: number): number;
  /** What flipping this module adds to the two halves of the Adler-32. */
  sumOf(module: number): number;
  weightOf(module: number): number;
}

const quiet = 4;
const scale = 4;

/** @param modules row by row, 1 is dark */
export function emptyPicture(size: number, modules: Uint8Array, crc32: Crc32): EmptyPicture {
  const side = size + 2 * quiet;
  const stride = 1 + Math.ceil(side / 2);
  const length = side * scale * stride;
  const isLight = (row: number, column: number) => {
    const [y, x] = [row - quiet, column - quiet];
    return x < 0 || y < 0 || x >= size || y >= size || modules[y * size + x] !== 1;
  };
  const bits = bitWriter();
  const repeat = writeHead(bits, stride);
  const rows: number[] = [];
  const sums = { sum: 1, weighted: length };
  for (let row = 0; row < side; row++) {
    // Filter 0, which the code cannot distinguish from a pair of dark modules.
    bits.code(0b100, 3);
    rows.push(bits.length);
    for (let pair = 0; pair < stride - 1; pair++) {
      const [left, right] = [isLight(row, 2 * pair), 2 * pair + 1 < side && isLight(row, 2 * pair + 1)];
      bits.code(0b100 | (Number(left) << 1) | Number(right), 3);
      if (left) add(sums, row, 2 * pair);
      if (right) add(sums, row, 2 * pair + 1);
    }
    repeat();
  }
  bits.code(0, 2);

  function add(to: { sum: number; weighted: number }, row: number, column: number): void {
    const value = column % 2 === 0 ? 0xf0 : 0x0f;
    for (let line = row * scale; line < (row + 1) * scale; line++) {
      to.sum += value;
      to.weighted += value * (length - (line * stride + 1 + (column >> 1)));
    }
  }
  const turning = (module: number) => {
    const [row, column] = [Math.floor(module / size) + quiet, (module % size) + quiet];
    const change = { sum: 0, weighted: 0 };
    add(change, row, column);
    return { row, column, change, sign: isLight(row, column) ? -1 : 1 };
  };
  const { png, idat } = assemble(side * scale, bits.bytes(), crc32);
  return {
    png,
    idat,
    adler: sums,
    placeOf(module) {
      const { row, column } = turning(module);
      return (idat.from + 6) * 8 + (rows[row] ?? 0) + (column >> 1) * 3 + 1 + (column % 2);
    },
    sumOf(module) {
      const { change, sign } = turning(module);
      return sign * change.sum;
    },
    weightOf(module) {
      const { change, sign } = turning(module);
      return sign * change.weighted;
    },
  };
}

type BitWriter = ReturnType<typeof bitWriter>;

/** Writes bits in deflate's order: numbers from their low end, codes from their high end. */
function bitWriter() {
  const bits: number[] = [];
  return {
    get length() {
      return bits.length;
    },
    number(value: number, count: number): void {
      for (let at = 0; at < count; at++) bits.push((value >> at) & 1);
    },
    code(value: number, count: number): void {
      for (let at = count - 1; at >= 0; at--) bits.push((value >> at) & 1);
    },
    bytes(): Uint8Array {
      const bytes = new Uint8Array(Math.ceil(bits.length / 8));
      for (const [at, bit] of bits.entries()) (bytes[at >> 3] as number) |= bit << (at & 7);
      return bytes;
    },
  };
}

/** Writes the block's head with its codes (RFC 1951, 3.2.7). Returns a function that writes the copies of a line. */
function writeHead(bits: BitWriter, stride: number): () => void {
  const copies = 3 * stride > 258 ? 3 : 1;
  const length = step((3 * stride) / copies - 3, 2, 257);
  const distance = step(stride - 1, 1, 0);
  // Codes in the order of their values: 00 end, 01 copy, 100 to 111 the four pairs; 0 the only distance.
  const lengths = new Array<number>(length.symbol + 1 + distance.symbol + 1).fill(0);
  for (const pair of [0x00, 0x0f, 0xf0, 0xff]) lengths[pair] = 3;
  for (const symbol of [256, length.symbol]) lengths[symbol] = 2;
  lengths[lengths.length - 1] = 1;

  bits.number(0b101, 3);
  bits.number(length.symbol - 256, 5);
  bits.number(distance.symbol, 5);
  bits.number(14, 4);
  const used = [0, 1, 2, 3, 4, 16, 17, 18];
  const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1];
  for (const symbol of order) bits.number(used.includes(symbol) ? 3 : 0, 3);
  writeLengths(bits, lengths, used);
  return () => {
    for (let count = 0; count < copies; count++) {
      bits.code(0b01, 2);
      bits.number(length.extra, length.bits);
      bits.code(0, 1);
      bits.number(distance.extra, distance.bits);
    }
  };
}

/** Writes the length of each code; `used` are the symbols for that, of which two stand for many zeros. */
function writeLengths(bits: BitWriter, lengths: readonly number[], used: readonly number[]): void {
  for (let at = 0; at < lengths.length; ) {
    const next = lengths.findIndex((value, index) => index >= at && value !== 0);
    const zeros = Math.min(next - at, 138);
    if (zeros < 3) {
      bits.code(used.indexOf(lengths[at++] ?? 0), 3);
      continue;
    }
    const [symbol, least, count] = zeros < 11 ? [17, 3, 3] : [18, 11, 7];
    bits.code(used.indexOf(symbol), 3);
    bits.number(zeros - least, count);
    at += zeros;
  }
}

/** How deflate writes lengths and distances: a symbol for a range, then bits for the position in it. */
function step(value: number, fine: number, first: number) {
  if (value === 255 && fine === 2) return { symbol: 285, extra: 0, bits: 0 };
  const bits = Math.max(0, Math.floor(Math.log2(Math.max(value, 1))) - fine);
  const symbol = first + (bits << fine) + (value >> bits);
  return { symbol, extra: value & ((1 << bits) - 1), bits };
}

function assemble(side: number, block: Uint8Array, crc32: Crc32) {
  const chunk = chunkWith(crc32);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const data = Buffer.concat([Uint8Array.of(0x78, 0x01), block, Buffer.alloc(4)]);
  const before = Buffer.concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
  ]);
  const from = before.length + 4;
  const to = from + 4 + data.length;
  const png = Buffer.concat([before, chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
  return { png, idat: { from, to, adler: to - 4 } };
}

const chunkWith =
  (crc32: Crc32) =>
  (name: string, data: Uint8Array): Buffer => {
    const framed = Buffer.concat([Buffer.alloc(4), Buffer.from(name, 'latin1'), data, Buffer.alloc(4)]);
    framed.writeUInt32BE(data.length, 0);
    framed.writeUInt32BE(crc32(framed.subarray(4, -4)), framed.length - 4);
    return framed;
  };
