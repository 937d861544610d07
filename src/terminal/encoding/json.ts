/** `json` and `ndjson`: the API's own field names, lossless, with nothing in them that a terminal would obey. */
import { columnsOf } from '../columns.ts';
import { escapeJson } from '../escape.ts';
import { columnValue, type View } from '../view.ts';
import type { Encoder } from './encoder.ts';

interface JsonOptions {
  readonly fields: readonly string[] | null;
  /** Two spaces per level, for a terminal. */
  readonly indent: boolean;
}

/** Writes one value: an object, or an array whose items are written as they arrive. */
export function jsonEncoder<T extends object>(view: View<T>, options: JsonOptions): Encoder<T> {
  const text = jsonOf(view, options);
  return {
    chunk: 1,
    one: (item) => `${text(item)}\n`,
    some: (items, index) =>
      items.map((item, at) => `${index + at === 0 ? '[' : ','}\n${text(item)}`).join(''),
    end: (count) => (count === 0 ? '[]\n' : '\n]\n'),
  };
}

/** Writes one line per item. */
export function ndjsonEncoder<T extends object>(view: View<T>, fields: JsonOptions['fields']): Encoder<T> {
  const text = jsonOf(view, { fields, indent: false });
  const lines = (items: readonly T[]) => items.map((item) => `${text(item)}\n`).join('');
  return { chunk: 1, one: (item) => lines([item]), some: lines, end: () => '' };
}

/** Returns the function that makes the JSON text of an item. */
export function jsonOf<T extends object>(
  view: View<T>,
  { fields, indent }: JsonOptions,
): (item: T) => string {
  const columns = fields === null ? null : columnsOf(view, fields, 'all');
  return (item) => {
    const shown =
      columns === null
        ? item
        : Object.fromEntries(
            columns.map((column) => [
              column.key,
              Object.hasOwn(item, column.key)
                ? item[column.key as keyof T]
                : (columnValue(column, item) ?? null),
            ]),
          );
    return escapeJson(JSON.stringify(shown, null, indent ? 2 : undefined));
  };
}
