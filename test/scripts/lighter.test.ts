/** What the bundle stands in for must say what the library says. */

import Table from 'cli-table3';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { wideOrOdd } from '../../scripts/bundle-plugins.ts';

describe('a text that is taken to be as wide as it is long', () => {
  const letters = Array.from({ length: 0x2600 }, (_, code) => String.fromCharCode(code)).filter(
    (letter) => !wideOrOdd.test(letter),
  );

  it('is made of Latin letters, digits and signs, and what tables are drawn with', () => {
    expect(letters.length).toBe(189 + 1 + 128);
    expect(letters).toEqual(expect.arrayContaining(['a', 'Z', '~', 'ã', 'Ç', '│', '…']));
  });

  it('is so to the library, in any two of them', () => {
    const wrong: string[] = [];
    for (const one of letters)
      for (const other of letters) if (stringWidth(one + other) !== 2) wrong.push(one + other);
    expect(wrong).toEqual([]);
  });
});

it('draws the borders of a table without the tables of the library', () => {
  const drawn = new Table({ head: ['Id'], colWidths: [6], style: { head: [], border: [] } });
  drawn.push(['chg_0123456789']);
  expect(drawn.toString()).toContain('\u2026');
  expect(drawn.toString().replaceAll('\n', '')).not.toMatch(wideOrOdd);
});
