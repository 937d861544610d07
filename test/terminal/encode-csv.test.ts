import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvEncoder } from '../../src/terminal/encode-csv.ts';
import type { View } from '../../src/terminal/view.ts';

interface Item {
  readonly one: string | number | null;
  readonly other: string | number | null;
}
const view: View<Item> = {
  name: 'item',
  columns: [
    { key: 'one', header: 'One', value: ({ one }) => one },
    { key: 'other', header: 'Other', value: ({ other }) => other },
  ],
};

const special = fc.constantFrom('"', ',', ';', '\n', '=', '-', '+', '@', ' ', "'", 'a', '0', 'é', '＝', '😀');
const cell = fc.oneof(
  fc.string({ unit: special, maxLength: 4 }),
  fc.constantFrom('PAID', '2026-01-02T03:04:05.000Z', 'Maria da Silva'),
  fc.integer(),
  fc.constant(null),
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
