/** How to write items that come one by one without end: one line each, in the format of the run. */
import { columnsOf, peopleText } from './columns.ts';
import type { Encoder } from './encoding/encoder.ts';
import type { Io } from './io.ts';
import type { OutputOptions } from './output.ts';
import { formatOf } from './render-output.ts';
import type { View } from './view.ts';

/**
 * For callers who write each item as it comes, and so notice at once when the reader has gone (`Output.each`: one
 * later).
 */
type LineEncoder<T> = Pick<Encoder<T, string | Promise<string>>, 'some' | 'end' | 'report'>;

/**
 * Like the encoder of a list, except for a table on a terminal, whose columns cannot fit what is still to come. Null
 * for json, which is one array.
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
