import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest, hexDigest } from '../../../src/contract/signature/hmac.ts';

const expected = (secret: string, t: string, body: Uint8Array | string): string =>
  createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');

const secrets = fc.oneof(
  fc.string({ minLength: 1, maxLength: 200, unit: 'binary' }),
  fc.string({ minLength: 60, maxLength: 68 }),
  // As text may hold them: halves of surrogate pairs, which are written as U+FFFD.
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 70 })
    .map((units) => String.fromCharCode(...units)),
);
const times = fc.integer({ min: 0, max: 999_999_999_999 }).map(String);
const bodies = fc.oneof(fc.uint8Array({ maxLength: 600 }), fc.string({ maxLength: 300, unit: 'binary' }));

describe('hexDigest', () => {
  it('is what createHmac makes, whatever the secret, the time and the body', () => {
    fc.assert(
      fc.property(secrets, times, bodies, (secret, t, body) => {
        expect(hexDigest(secret, t, body)).toBe(expected(secret, t, body));
        expect(digest(secret, t, body).toString('hex')).toBe(expected(secret, t, body));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is that for every length near those where SHA-256, or how it is computed, changes', () => {
    const lengths = [0, 1, 63, 64, 65].concat(
      Array.from({ length: 64 }, (_, n) => 8_150 + n),
      70_000,
    );
    for (const length of lengths) {
      const body = Buffer.alloc(length, 'pix');
      expect(hexDigest('whsec_a', '1767323045', body), `${length} bytes`).toBe(
        expected('whsec_a', '1767323045', body),
      );
    }
  });

  it('takes a short body after a long one, and many secrets in turn', () => {
    for (let n = 0; n < 100; n++) {
      const secret = `whsec_${n % 40}`;
      const body = Buffer.alloc(n % 2 === 0 ? 4_000 : 3, n);
      expect(hexDigest(secret, `${n}`, body)).toBe(expected(secret, `${n}`, body));
    }
  });

  it('accepts any view of the bytes', () => {
    const bytes = new Uint8Array([9, 9, 1, 2, 200, 255, 0, 7, 9, 9]);
    const same = expected('whsec_a', '1', bytes.slice(2, 8));
    const { buffer } = bytes;
    for (const view of [
      new Uint8Array(buffer, 2, 6),
      Buffer.from(buffer, 2, 6),
      new DataView(buffer, 2, 6) as unknown as Uint8Array,
      new Uint16Array(buffer, 2, 3) as unknown as Uint8Array,
    ])
      expect(hexDigest('whsec_a', '1', view)).toBe(same);
  });
});
