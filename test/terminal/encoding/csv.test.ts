import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvEncoder } from '../../../src/terminal/encoding/csv.ts';
import type { View } from '../../../src/terminal/view.ts';

interface Item {
  readonly one: string | number | null | undefined;
  readonly other: string | number | null | undefined;
}
const view: View<Item> = {
  name: 'item',
  columns: [
    { key: 'one', header: 'One', value: ({ one }) => one },
    { key: 'other', header: 'Other', value: ({ other }) => other },
  ],
};

const special = fc.constantFrom('"', ',', ';', '\n', '=', '-', '+', '@', ' ', "'", 'a', '0', 'é', '＝', '😀');
/** The library knows of no formula behind another delimiter. */
const isKnown = (text: string) => !/[;,\n]["']*[=+\-@＝]/.test(text);
const cell = fc.oneof(
  fc.string({ unit: special, maxLength: 4 }).filter(isKnown),
  fc.constantFrom('PAID', '2026-01-02T03:04:05.000Z', 'Maria da Silva'),
  fc.integer(),
  fc.constantFrom(null, undefined),
);
const items = fc.array(fc.record({ one: cell, other: cell }), { maxLength: 6 });

it.each([
  ['machine', ','],
  ['pt-BR', ';'],
] as const)(
  'rows in csv (%s) are those that the library writes, whichever of them need it',
  (locale, delimiter) => {
    for (const fields of [null, ['other']]) {
      const encoder = csvEncoder(view, { fields, locale });
      fc.assert(
        fc.property(items, (some) => {
          const rows = some.map(({ one, other }) => (fields === null ? [one, other] : [other]));
          expect(encoder.some(some, 1)).toBe(stringify(rows, { delimiter, escape_formulas: true }));
        }),
        { numRuns: 300 },
      );
    }
  },
);

it.each([
  ['Maria;=HYPERLINK("http://x")', `Maria;'=HYPERLINK("http://x")`],
  ['Maria,@SUM(A1)', "Maria,'@SUM(A1)"],
  ['Maria\t"=1+1', `Maria\t'"=1+1`],
  ["Maria\n-cmd|'/C calc'!A0", "Maria\n'-cmd|'/C calc'!A0"],
  ['Maria;＝1', "Maria;'＝1"],
  ['Maria;+A1;-A1', "Maria;'+A1;'-A1"],
  ["Maria;-2+3+cmd|'/C calc'!A0", "Maria;'-2+3+cmd|'/C calc'!A0"],
  ['Maria\n- HYPERLINK("x")', `Maria\n'- HYPERLINK("x")`],
  ['Order:\n-10%\n--\n+55 (11) 9-1,-5', 'Order:\n-10%\n--\n+55 (11) 9-1,-5'],
  ['a=b; c=d, - e', 'a=b; c=d, - e'],
])('no part of %j is a formula to a spreadsheet that parts cells elsewhere', (text, safe) => {
  for (const [locale, delimiter] of [
    ['machine', ','],
    ['pt-BR', ';'],
  ] as const) {
    const encoder = csvEncoder(view, { fields: ['one'], locale });
    expect(encoder.some([{ one: text, other: null }], 1)).toBe(stringify([[safe]], { delimiter }));
  }
});
