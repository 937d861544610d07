/** How items are written that come one by one and have no end: a line each, in the format of the run. */
import { columnsOf, peopleText } from './columns.ts';
import type { Encoder } from './encoder.ts';
import type { Io } from './io.ts';
import type { OutputOptions } from './output.ts';
import { formatOf } from './render-output.ts';
import type { View } from './view.ts';

/** For who writes each item as it comes, and so notices at once when the reader has gone (`Output.each`: one later). */
export type LineEncoder<T> = Pick<Encoder<T>, 'some' | 'end'>;

/**
 * As those of a list, but for a table on a terminal: its columns cannot be as wide as what is still to come. Null for
 * json, which is one array.
 */
export async function lineEncoder<T extends object>(
  view: View<T>,
  io: Io,
  options: OutputOptions,
): Promise<LineEncoder<T> | null> {
  const { format, fields, timeZone } = options;
  if (format === 'json') return null;
  if (format !== 'table' || !io.stdoutIsTerminal) return formatOf(view, io, options);
  const columns = columnsOf(view, fields, 'without-details');
  const line = (item: T) => columns.map((column) => peopleText(column, item, timeZone)).join('  ');
  return { some: (items) => items.map((item) => `${line(item)}\n`).join(''), end: () => '' };
}
