import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { decode, encode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { qrMatrix } from '../../src/qr/matrix.ts';
import { readQrPng } from '../../src/qr/read-png.ts';
import { encodePng } from '../support/qr-png.ts';
import { jsQR } from '../support/read-png-code.ts';

const brCode =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';

/** The same code as pixels of a given kind, through an encoder that is not ours. */
const picture = (channels: 1 | 2 | 3 | 4, depth: 8 | 16, dark: number, light: number): Uint8Array => {
  const { size, modules } = qrMatrix(brCode);
  const scale = 5;
  const side = (size + 8) * scale;
  const data =
    depth === 16 ? new Uint16Array(side * side * channels) : new Uint8Array(side * side * channels);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const row = Math.floor(y / scale) - 4;
      const column = Math.floor(x / scale) - 4;
      const inside = row >= 0 && column >= 0 && row < size && column < size;
      const on = inside && modules[row * size + column] === 1;
      const at = (y * side + x) * channels;
      for (let channel = 0; channel < channels; channel++) data[at + channel] = on ? dark : light;
      if (channels % 2 === 0) data[at + channels - 1] = on ? 2 ** depth - 1 : 0;
    }
  return encode({ width: side, height: side, data, depth, channels });
};

/** A PNG with a header of one's own wish. */
const forged = (width: number, height: number, raw: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(encode({ width: 1, height: 1, data: new Uint8Array(1), channels: 1 }));
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  const data = deflateSync(raw);
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write('IDAT', 4, 'latin1');
  data.copy(chunk, 8);
  return Buffer.concat([bytes.subarray(0, 33), chunk]);
};

/** The same picture with its header once more. */
const secondHeader = (png: Uint8Array): Uint8Array =>
  Buffer.concat([png.subarray(0, 33), png.subarray(8, 33), png.subarray(33)]);

describe('a QR code as PNG', () => {
  it.each([brCode, 'x', 'ação é ✓', 'y'.repeat(1200)])('decodes to exactly its text: %s', (text) => {
    expect(readQrPng(encodePng(qrMatrix(text)))).toEqual({ ok: true, text });
  });

  it('is read alike by independent readers', () => {
    const png = decode(encodePng(qrMatrix(brCode), 4));
    expect([png.depth, png.channels, png.width, png.height]).toEqual([1, 1, 228, 228]);
    const rgba = new Uint8ClampedArray(png.width * png.height * 4);
    const stride = Math.ceil(png.width / 8);
    for (let y = 0; y < png.height; y++)
      for (let x = 0; x < png.width; x++) {
        const bit = ((png.data[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
        rgba.set([bit * 255, bit * 255, bit * 255, 255], (y * png.width + x) * 4);
      }
    expect(jsQR(rgba, png.width, png.height)?.data).toBe(brCode);
  });

  it('has a quiet zone of four light modules', () => {
    const { data, width } = decode(encodePng(qrMatrix('x'), 1));
    expect(width).toBe(29);
    expect([...data.subarray(0, 16)]).toEqual(Array(4).fill([255, 255, 255, 255]).flat().slice(0, 16));
  });
});

describe('reading a stranger’s image', () => {
  it.each([
    ['gray', picture(1, 8, 0, 255)],
    ['gray with transparent light', picture(2, 8, 0, 255)],
    ['colour', picture(3, 8, 20, 235)],
    ['colour with transparent light', picture(4, 8, 0, 0)],
    ['sixteen bits', picture(1, 16, 0, 65_535)],
  ])('reads %s', (_, bytes) => {
    expect(readQrPng(bytes)).toEqual({ ok: true, text: brCode });
  });

  it.each([
    ['nothing', new Uint8Array(0), 'not a PNG'],
    ['prose', Buffer.from('hello world, this is not a picture at all'), 'not a PNG'],
    ['a cut file', encodePng(qrMatrix(brCode)).subarray(0, 200), 'not a PNG'],
    ['an enormous picture', forged(100_000, 100_000, new Uint8Array(10)), 'too large'],
    ['a bomb', forged(100, 100, new Uint8Array(50_000_000)), 'damaged'],
    [
      'two headers, of which the last one counts',
      secondHeader(forged(100, 100, new Uint8Array(10_100))),
      'not a PNG',
    ],
    ['no pixels', forged(0, 0, new Uint8Array(1)), 'too large'],
    ['too few pixels', forged(100, 100, new Uint8Array(10)), 'damaged'],
    [
      'an empty picture',
      encode({ width: 50, height: 50, data: new Uint8Array(2500).fill(255), channels: 1 }),
      'no QR code',
    ],
    ['too many bytes', new Uint8Array(4_000_001), '4000000 are the most'],
  ])('says what is wrong with %s', (_, bytes, said) => {
    const read = readQrPng(bytes);
    expect(read.ok ? '' : read.reason).toContain(said);
  });

  it('never throws, however the bytes are bent', () => {
    const good = encodePng(qrMatrix('x'), 2);
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), (at, value) => {
        const bent = Uint8Array.from(good);
        bent[at] = value;
        const read = readQrPng(bent);
        if (read.ok) expect(typeof read.text).toBe('string');
      }),
      { numRuns: 60 },
    );
  });
});

describe('qrMatrix', () => {
  it('holds 2331 bytes and refuses what it cannot hold', () => {
    expect(qrMatrix('z'.repeat(2331)).size).toBe(177);
    expect(() => qrMatrix('z'.repeat(2332))).toThrow(RangeError);
    expect(() => qrMatrix('')).toThrow(RangeError);
  });
});
