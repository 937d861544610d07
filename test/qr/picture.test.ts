/** Pictures drawn a bit at a time must be what an independent generator and independent readers say. */
import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { decode } from 'fast-png';
import encodeQR from 'qr';
import { describe, expect, it } from 'vitest';
import { buildDynamicCode } from '../../src/contract/brcode/build.ts';
import { capacity } from '../../src/qr/layout.ts';
import { drawQr, mask } from '../../src/qr/picture.ts';
import { readQrPng } from '../../src/qr/read-png.ts';

const bytesOf = (text: string) => Buffer.from(drawQr(text), 'base64');

/** The picture's modules, quiet zone included, from the middle of each: '#' is dark. */
function modulesOf(png: Uint8Array): string[] {
  const { width, height, depth, channels, data } = decode(png);
  expect([width % 4, height, depth, channels]).toEqual([0, width, 1, 1]);
  const stride = Math.ceil(width / 8);
  const isLight = (x: number, y: number) => (((data[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 1;
  const all: string[] = [];
  for (let y = 0; y < height; y += 4) {
    let row = '';
    for (let x = 0; x < width; x += 4) {
      for (let dy = 0; dy < 4; dy++)
        for (let dx = 0; dx < 4; dx++)
          if (isLight(x + dx, y + dy) !== isLight(x, y))
            throw new Error(`module ${x / 4},${y / 4} is not whole`);
      row += isLight(x, y) ? ' ' : '#';
    }
    all.push(row);
  }
  return all;
}

const expected = (text: string, version: number): string[] =>
  encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: 4, mask, version }).map((row) =>
    row.map((dark) => (dark ? '#' : ' ')).join(''),
  );

const textOf = (length: number, seed: number): string =>
  Array.from({ length }, (_, at) => String.fromCharCode(33 + ((at * 7919 + seed * 104_729) % 90))).join('');

describe('a drawn code', () => {
  it.each(Array.from({ length: 40 }, (_, at) => at + 1))(
    'of version %i is, full and one byte below, module for module that of another generator',
    (version) => {
      for (const length of [capacity(version), capacity(version) - 1]) {
        const text = textOf(length, version);
        expect(modulesOf(bytesOf(text))).toEqual(expected(text, version));
      }
    },
  );

  it('does not depend on what was drawn before it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 150, maxLength: 180, unit: 'binary-ascii' })), (texts) => {
        for (const text of texts) drawQr(text);
        const last = textOf(160, texts.length);
        expect(readQrPng(bytesOf(last))).toEqual({ ok: true, text: last });
        // Nearly the same: what did not change is not reckoned again.
        const near = `${last.slice(0, 7 * texts.length)}!${last.slice(7 * texts.length + 1)}`.slice(0, 160);
        for (const text of [near, last]) expect(modulesOf(bytesOf(text))).toEqual(expected(text, 9));
      }),
      { numRuns: 30 },
    );
  });

  it('is read back, and holds pixels whose checksums are right', () => {
    for (let amount = 100; amount < 10_000_000; amount = amount * 3 + 7) {
      const code = buildDynamicCode({
        url: `sandbox.invalid/pix/v2/${textOf(32, amount).replace(/\W/g, 'x')}`,
        name: 'Loja Sandbox',
        city: 'Sao Paulo',
        amount: amount as never,
      });
      const png = bytesOf(code);
      expect(readQrPng(png)).toEqual({ ok: true, text: code });
      const from = png.indexOf('IDAT') + 4;
      const data = png.subarray(from, from + png.readUInt32BE(from - 8));
      // inflate refuses a wrong Adler-32; the other way round it must be the one that zlib writes.
      expect(deflateSync(inflateSync(data)).subarray(-4)).toEqual(data.subarray(-4));
    }
  });

  it('refuses what no code can hold', () => {
    expect(() => drawQr('x'.repeat(2_332))).toThrow(RangeError);
    expect(readQrPng(bytesOf('x'.repeat(200)))).toEqual({ ok: true, text: 'x'.repeat(200) });
  });
});
