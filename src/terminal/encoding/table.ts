/** A table on a terminal: bordered, coloured, as wide as fits; narrow terminals get one block per record. */
import Table from 'cli-table3';
import stringWidth from 'string-width';
import type { ChargeStatus, WithdrawalStatus } from '../../contract/statuses.ts';
import { wrapSentence } from '../../flags/wrap-sentence.ts';
import { columnsOf, peopleLines, peopleText } from '../columns.ts';
import { inAscii, linesInAscii } from '../escape.ts';
import { pluralOf } from '../format-count.ts';
import type { OutputOptions } from '../output.ts';
import { paint, type Style } from '../paint.ts';
import { type Column, nameOf, type View } from '../view.ts';
import { wrap } from '../wrap.ts';
import type { Encoder } from './encoder.ts';
import { type Layout, layOut, padding } from './table-layout.ts';

interface TableOptions {
  readonly fields: readonly string[] | null;
  /** Columns of the terminal. */
  readonly columns: number;
  readonly colour: boolean;
  /** See `OutputOptions`. */
  readonly ascii: OutputOptions['ascii'];
  /** IANA name of the time zone that is shown; null: this machine's. */
  readonly timeZone: string | null;
}

/**
 * Draws a table. The first chunk fixes the widths, so that a long list is drawn as it arrives; a later amount that does
 * not fit begins a new table, and so does a value that has no column yet.
 */
export function tableEncoder<T extends object>(view: View<T>, options: TableOptions): Encoder<T> {
  const columns = columnsOf(view, options.fields, 'without-details');
  const every = columnsOf(view, options.fields, 'all');
  // Before the layout, which goes by the width of what is written.
  const written = ({ namesCommands = false }: Column<T>, text: string) => {
    if (options.ascii !== 'all') return text;
    return namesCommands ? linesInAscii(text) : inAscii(text);
  };
  const cells = (item: T, of: readonly Column<T>[]) =>
    of.map((column) => written(column, peopleText(column, item, options.timeZone)));
  const whole = columns.map(({ kind }) => kind === 'cents' || kind === 'id');
  // What was asked for by name is always shown.
  const spare = options.fields === null ? columns.map((column) => column.dropPriority ?? 0) : null;
  const layOutRows = (rows: readonly (readonly string[])[]): Layout =>
    layOut(
      columns.map(({ header }) => header),
      rows,
      { columns: options.columns, whole, spare },
    );
  let layout: Layout | undefined;
  const leftOut = new Set<string>();

  return {
    chunk: 100,
    // A single item is looked at, not compared, so what it lacks is left out, unless it was asked for by name.
    one: (item) => {
      const shown =
        options.fields === null ? every.filter((column) => cells(item, [column])[0] !== '') : every;
      const lines = shown.map((column) =>
        peopleLines(column, item, options.timeZone).map((line) => written(column, line)),
      );
      return block(shown, lines, options);
    },
    some(items, index) {
      const rows = items.map((item) => cells(item, columns));
      const before = layout;
      if (layout === undefined || !holds(layout, rows, whole)) layout = layOutRows(rows);
      const foot = before !== layout && before?.kind === 'table' ? rule(before.widths, options) : '';
      if (layout.kind === 'blocks') {
        // As for a single item, but with one column of labels for all records.
        const isShown = (cell: string) => options.fields !== null || cell !== '';
        const values = rows.map((row) => row.map((cell) => (isShown(cell) ? [cell] : null)));
        const blocks = values.map((row) => block(columns, row, options));
        return `${foot}${index > 0 ? '\n' : ''}${blocks.join('\n')}`;
      }
      const { shown, widths, left } = layout;
      const these = columns.filter((_, at) => shown.includes(at));
      for (const at of left) leftOut.add(columns[at]?.header ?? '');
      const drawn = rows.map((row) => row.filter((_, at) => shown.includes(at)));
      return foot + drawRows(these, drawn, widths, { head: before !== layout, ...options });
    },
    leftOut: () => [...leftOut],
    end(count) {
      if (count === 0) return `No ${pluralOf(view.name)}.\n`;
      return layout?.kind === 'table' ? rule(layout.widths, options) : '';
    },
  };
}

/** Whether everything that must not be cut fits its column, and nothing has come for a column that was empty. */
const holds = (layout: Layout, rows: readonly (readonly string[])[], whole: readonly boolean[]): boolean =>
  layout.kind === 'blocks' ||
  rows.every((row) =>
    row.every((cell, at) => {
      const place = layout.shown.indexOf(at);
      if (place === -1) return cell === '' || layout.left.includes(at);
      return whole[at] !== true || stringWidth(cell) + padding <= (layout.widths[place] ?? 0);
    }),
  );

/**
 * `Header  value` lines, for a single item or a narrow terminal; several lines of a value go below each other, and null
 * is left out.
 */
function block<T>(
  columns: readonly Column<T>[],
  values: readonly (readonly string[] | null)[],
  { columns: terminal, colour }: Pick<TableOptions, 'columns' | 'colour'>,
): string {
  const names = columns.map(nameOf);
  const width = Math.max(...names.map((name) => stringWidth(name)));
  const room = { columns: terminal, indent: width + 2 };
  const fitted = (column: Column<T>, line: string) =>
    column.kind === 'text' ? wrapSentence(line, room) : line;
  return columns
    .map((column, at) => {
      if (values[at] === null) return '';
      const name = names[at] ?? '';
      const label = name + ' '.repeat(width - stringWidth(name));
      const value = (values[at] ?? []).map((line) => colourStatus(column, fitted(column, line), colour));
      return `${paint('bold', label, colour)}  ${value.join(`\n${' '.repeat(width + 2)}`)}\n`;
    })
    .join('');
}

/** The rows of a table that goes on: without a bottom border, which `rule` draws at the end. */
function drawRows<T>(
  columns: readonly Column<T>[],
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  { head, colour, ascii }: { readonly head: boolean } & Dress,
): string {
  const none = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '' };
  const bottomless = { bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' };
  const table = new Table({
    ...(head ? { head: columns.map(({ header }) => paint('bold', header, colour)) } : {}),
    colWidths: [...widths],
    colAligns: columns.map(({ kind }) => (kind === 'cents' ? 'right' : 'left')),
    style: { head: [], border: colour ? ['gray'] : [], compact: true },
    chars: { ...(ascii === undefined ? {} : asciiBorders), ...(head ? {} : none), ...bottomless },
  });
  for (const row of rows) {
    const cells = row.map((cell, at) => linesOf(columns[at], cell, widths[at] ?? 0, colour));
    const height = Math.max(...cells.map(({ length }) => length));
    // A row of the library for each line: of a cell of several lines it would shorten the whole, one character at a
    // time, again for each line that it draws.
    for (let at = 0; at < height; at++) table.push(cells.map((lines) => lines[at] ?? ''));
  }
  return `${table.toString()}\n`;
}

/** Wraps first and colours each line afterwards: a colour must not run across a border. */
const linesOf = <T>(column: Column<T> | undefined, cell: string, width: number, colour: boolean): string[] =>
  wrap(cell, width - padding).map((line) => colourStatus(column, line, colour));

type Dress = Pick<TableOptions, 'colour' | 'ascii'>;

function rule(widths: readonly number[], { colour, ascii }: Dress): string {
  const [left, line, middle, right] =
    ascii === undefined ? (['└', '─', '┴', '┘'] as const) : (['+', '-', '+', '+'] as const);
  const drawn = `${left}${widths.map((width) => line.repeat(width)).join(middle)}${right}`;
  return `${paint('gray', drawn, colour)}\n`;
}

const asciiBorders = {
  ...{ top: '-', 'top-mid': '+', 'top-left': '+', 'top-right': '+' },
  ...{ left: '|', 'left-mid': '+', mid: '-', 'mid-mid': '+' },
  ...{ right: '|', 'right-mid': '+', middle: '|' },
};

const statusStyles: Readonly<Record<string, Style>> = {
  PAID: 'green',
  COMPLETED: 'green',
  DELIVERED: 'green',
  ok: 'green',
  warning: 'yellow',
  wrong: 'red',
  PENDING: 'yellow',
  PROCESSING: 'yellow',
  EXPIRED: 'red',
  FAILED: 'red',
  REFUNDED: 'magenta',
  DISPUTED: 'magenta',
} satisfies Record<string, Style> & Record<ChargeStatus | WithdrawalStatus, Style>;

function colourStatus<T>(column: Column<T> | undefined, cell: string, colour: boolean): string {
  if (column?.kind !== 'status' || !Object.hasOwn(statusStyles, cell)) return cell;
  return paint(statusStyles[cell] ?? 'bold', cell, colour);
}
