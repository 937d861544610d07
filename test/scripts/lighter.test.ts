/** What the bundle stands in for must say what the library says. */
import { createRequire } from 'node:module';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { wideOrOdd } from '../../scripts/bundle-plugins.ts';

const require = createRequire(import.meta.url);
const ofTables = createRequire(require.resolve('cli-table3'))('string-width') as (text: string) => number;

describe('a text that is taken to be as wide as it is long', () => {
  const letters = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)).filter(
    (letter) => !wideOrOdd.test(letter),
  );

  it('is made of Latin letters, digits and signs', () => {
    expect(letters.length).toBe(189);
    expect(letters).toEqual(expect.arrayContaining(['a', 'Z', '~', 'ã', 'Ç']));
  });

  it.each([
    ['string-width', stringWidth],
    ["cli-table3's", ofTables],
  ])('is so to %s, in any two of them', (_name, width) => {
    const wrong: string[] = [];
    for (const one of letters)
      for (const other of letters) if (width(one + other) !== 2) wrong.push(one + other);
    expect(wrong).toEqual([]);
  });
});
