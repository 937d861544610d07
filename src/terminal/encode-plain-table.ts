/** A table in a pipe: a header and tab-separated machine values, for cut and awk. */
import { columnsOf, machineText } from './columns.ts';
import type { Encoder } from './encoder.ts';
import type { Column, View } from './view.ts';

/** Tabs and newlines inside a value are made visible, so that a row is a line and a cell a field. */
export function plainTableEncoder<T extends object>(
  view: View<T>,
  fields: readonly string[] | null,
): Encoder<T> {
  const columns = columnsOf(view, fields, 'without-details');
  const every = columnsOf(view, fields, 'all');
  // A mark that needs no head where it is drawn needs a name where it is cut out.
  const name = ({ header, key }: Column<T>) => header || key.replace(/^./, (letter) => letter.toUpperCase());
  const head = `${columns.map(name).join('\t')}\n`;
  return {
    chunk: 1,
    one: (item) => every.map((column) => `${name(column)}\t${machineText(column, item)}\n`).join(''),
    some: (items, index) =>
      (index === 0 ? head : '') +
      items.map((item) => `${columns.map((column) => machineText(column, item)).join('\t')}\n`).join(''),
    end: () => '',
  };
}
