/** QR codes as PNG bytes: 1-bit grayscale, dark on light, to be read again; by another way than the sandbox's own. */
import { crc32, deflateSync } from 'node:zlib';
import type { Matrix } from '../../src/qr/matrix.ts';

/** Modules of light around the code, as readers want it. */
const quiet = 4;

/** PNG bytes of a matrix. `scale` is pixels a module. */
export function encodePng({ size, modules }: Matrix, scale = 8): Uint8Array {
  const side = (size + 2 * quiet) * scale;
  const stride = 1 + Math.ceil(side / 8);
  const raw = new Uint8Array(stride * side);
  // Filter 2 ("up") makes each row a difference to the one above: rows that repeat are all zeros.
  const previous = new Uint8Array(stride).fill(0);
  const current = new Uint8Array(stride);
  for (let line = 0; line < side; line++) {
    const row = Math.floor(line / scale) - quiet;
    if (line % scale === 0) paint(current, row, size, modules, scale);
    const at = line * stride;
    raw[at] = 2;
    if (line % scale === 0) {
      for (let i = 1; i < stride; i++) raw[at + i] = ((current[i] ?? 0) - (previous[i] ?? 0)) & 0xff;
      previous.set(current);
    }
  }
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, side);
  header.setUint32(4, side);
  header.setUint8(8, 1);
  return Buffer.concat([
    signature,
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('IDAT', deflateSync(raw, { level: 1 })),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** One line of pixels; in grayscale a set bit is light. Byte 0 is the filter's place. */
function paint(line: Uint8Array, row: number, size: number, modules: Uint8Array, scale: number): void {
  line.fill(0xff, 1);
  if (row < 0 || row >= size) return;
  for (let column = 0; column < size; column++) {
    if (modules[row * size + column] !== 1) continue;
    const from = (column + quiet) * scale;
    for (let x = from; x < from + scale; x++)
      line[1 + (x >> 3)] = (line[1 + (x >> 3)] ?? 0) & ~(0x80 >> (x & 7));
  }
}

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
