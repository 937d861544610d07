/**
 * `csv`: quoted, safe against formula injection, and with `pt-BR` in the form that an accountant's spreadsheet expects.
 */
import { stringify } from 'csv-stringify/sync';
import { parseIsoTime } from '../../contract/iso-time.ts';
import { decimalOf } from '../../contract/money.ts';
import { escapeInnerFormulas } from '../../flags/csv-formula.ts';
import { brazilianZone } from '../../flags/time-zone.ts';
import { columnsOf, wordOf } from '../columns.ts';
import { makeVisible } from '../escape.ts';
import { type Column, columnValue, type View } from '../view.ts';
import type { Encoder } from './encoder.ts';

interface CsvOptions {
  readonly fields: readonly string[] | null;
  readonly locale: 'machine' | 'pt-BR';
}

/**
 * Creates the encoder. Machine: `,`, cents, ISO times. pt-BR: `;`, `10,50`, São Paulo times, a byte order mark for
 * spreadsheets.
 */
export function csvEncoder<T extends object>(view: View<T>, { fields, locale }: CsvOptions): Encoder<T> {
  const columns = columnsOf(view, fields, 'all');
  const value = locale === 'pt-BR' ? brazilian<T> : plain<T>;
  const delimiter = locale === 'pt-BR' ? ';' : ',';
  const quoted = (rows: readonly Cell[][]) =>
    stringify([...rows], {
      delimiter,
      escape_formulas: true,
      cast: { bigint: (cents) => decimalOf(Number(cents), ',') },
    });
  const lines = (rows: readonly Cell[][]) =>
    runsOf(rows)
      .map((run) =>
        run.plain ? `${run.rows.map((row) => row.join(delimiter)).join('\n')}\n` : quoted(run.rows),
      )
      .join('');
  const head = (locale === 'pt-BR' ? '\ufeff' : '') + lines([columns.map(({ key }) => key)]);
  const some = (items: readonly T[], index: number) =>
    (index === 0 ? head : '') + lines(items.map((item) => columns.map((column) => value(column, item))));
  return { chunk: 1, one: (item) => some([item], 0), some, end: (count) => (count === 0 ? head : '') };
}

type Cell = string | number | bigint;

/** Begins with a letter or digit and contains nothing to quote: nearly every cell, which is written as it is. */
const plainCell = /^(?:[A-Za-z0-9][^",;\r\n]*)?$/;
const isPlain = (cell: Cell): boolean =>
  typeof cell === 'number' || (typeof cell === 'string' && plainCell.test(cell));

/** Rows in order, with those that can be written as they are separated from those that need the library. */
function runsOf(rows: readonly Cell[][]): { readonly plain: boolean; readonly rows: Cell[][] }[] {
  const runs: { plain: boolean; rows: Cell[][] }[] = [];
  for (const row of rows) {
    const plain = row.every(isPlain);
    const last = runs.at(-1);
    if (last?.plain === plain) last.rows.push(row);
    else runs.push({ plain, rows: [row] });
  }
  return runs;
}

function plain<T>(column: Column<T>, item: T): string | number {
  const value = columnValue(column, item);
  if (typeof value === 'number') return value;
  if (value === null || value === undefined) return '';
  return escapeInnerFormulas(makeVisible(wordOf(value), { keep: 'lines' }));
}

/** Returns cents as a bigint, which distinguishes them from text: a minus sign before an amount is no formula. */
function brazilian<T>(column: Column<T>, item: T): Cell {
  const value = columnValue(column, item);
  if (column.kind === 'cents' && typeof value === 'number' && Number.isSafeInteger(value)) {
    return BigInt(value);
  }
  const ms = column.kind === 'time' && typeof value === 'string' ? parseIsoTime(value) : Number.NaN;
  return Number.isNaN(ms) ? plain(column, item) : saoPaulo().format(ms).replace(',', '');
}

/** Made for the first time that is shown: the first use of `Intl` takes a fifth of Node's start-up time. */
const saoPaulo = (): Intl.DateTimeFormat => {
  made ??= new Intl.DateTimeFormat('pt-BR', {
    timeZone: brazilianZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return made;
};
let made: Intl.DateTimeFormat | undefined;
