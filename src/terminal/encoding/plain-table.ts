/** A table in a pipe: a header and tab-separated machine values, for cut and awk. */
import { columnsOf, machineText } from '../columns.ts';
import { nameOf, type View } from '../view.ts';
import type { Encoder } from './encoder.ts';

/** Makes tabs and newlines inside a value visible, so that a row is one line and a cell one field. */
export function plainTableEncoder<T extends object>(
  view: View<T>,
  fields: readonly string[] | null,
): Encoder<T> {
  const columns = columnsOf(view, fields, 'without-details');
  const every = columnsOf(view, fields, 'all');
  const head = `${columns.map(nameOf).join('\t')}\n`;
  return {
    chunk: 1,
    one: (item) => every.map((column) => `${nameOf(column)}\t${machineText(column, item)}\n`).join(''),
    some: (items, index) =>
      (index === 0 ? head : '') +
      items.map((item) => `${columns.map((column) => machineText(column, item)).join('\t')}\n`).join(''),
    end: () => '',
  };
}
