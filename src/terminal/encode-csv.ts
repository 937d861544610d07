/** `csv`: quoted, safe against formula injection, and with `pt-BR` as an accountant's spreadsheet wants it. */
import { stringify } from 'csv-stringify/sync';
import { momentOf } from '../contract/moment.ts';
import { decimalOf } from '../contract/money.ts';
import { brazilianZone } from '../flags/time-zone.ts';
import { columnsOf, wordOf } from './columns.ts';
import type { Encoder } from './encoder.ts';
import { makeVisible } from './escape.ts';
import type { Column, View } from './view.ts';

interface CsvOptions {
  readonly fields: readonly string[] | null;
  readonly locale: 'machine' | 'pt-BR';
}

/** Machine: `,`, cents, ISO times. pt-BR: `;`, `10,50`, São Paulo times, a byte order mark for spreadsheets. */
export function csvEncoder<T extends object>(view: View<T>, { fields, locale }: CsvOptions): Encoder<T> {
  const columns = columnsOf(view, fields, 'all');
  const value = locale === 'pt-BR' ? brazilian<T> : plain<T>;
  const lines = (rows: readonly unknown[][]) =>
    stringify([...rows], {
      delimiter: locale === 'pt-BR' ? ';' : ',',
      escape_formulas: true,
      cast: { bigint: (cents) => decimalOf(Number(cents), ',') },
    });
  const head = (locale === 'pt-BR' ? '\ufeff' : '') + lines([columns.map(({ key }) => key)]);
  const some = (items: readonly T[], index: number) =>
    (index === 0 ? head : '') + lines(items.map((item) => columns.map((column) => value(column, item))));
  return { chunk: 1, one: (item) => some([item], 0), some, end: (count) => (count === 0 ? head : '') };
}

function plain<T>(column: Column<T>, item: T): string | number {
  const value = column.value(item);
  if (typeof value === 'number') return value;
  return value === null || value === undefined ? '' : makeVisible(wordOf(value), { keep: 'lines' });
}

/** Cents as a bigint, which tells them from text: a minus sign in front of an amount is no formula. */
function brazilian<T>(column: Column<T>, item: T): string | number | bigint {
  const value = column.value(item);
  if (column.kind === 'cents' && typeof value === 'number' && Number.isSafeInteger(value)) {
    return BigInt(value);
  }
  const ms = column.kind === 'time' && typeof value === 'string' ? momentOf(value) : Number.NaN;
  return Number.isNaN(ms) ? plain(column, item) : saoPaulo.format(ms).replace(',', '');
}

const saoPaulo = new Intl.DateTimeFormat('pt-BR', {
  timeZone: brazilianZone,
  dateStyle: 'short',
  timeStyle: 'medium',
});
