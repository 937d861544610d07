/** How items are written that come one by one and have no end: a line each, in the format of the run. */
import { columnsOf, peopleText } from './columns.ts';
import type { Encoder } from './encoder.ts';
import type { Io } from './io.ts';
import type { OutputOptions } from './output.ts';
import type { View } from './view.ts';

/** For who writes each item as it comes, and so notices at once when the reader has gone (`Output.each`: one later). */
export type LineEncoder<T> = Pick<Encoder<T>, 'some' | 'end'>;

/**
 * A piped table is as that of a list; on a terminal columns cannot be as wide as what is still to come. Null for json,
 * which is one array.
 */
export async function lineEncoder<T extends object>(
  view: View<T>,
  { stdoutIsTerminal }: Pick<Io, 'stdoutIsTerminal'>,
  { format, fields, csvLocale, timeZone }: OutputOptions,
): Promise<LineEncoder<T> | null> {
  switch (format) {
    case 'json':
      return null;
    case 'ndjson':
      return (await import('./encode-json.ts')).ndjsonEncoder(view, { fields, indent: false });
    case 'csv':
      return (await import('./encode-csv.ts')).csvEncoder(view, { fields, locale: csvLocale });
    case 'table': {
      if (!stdoutIsTerminal) return (await import('./encode-plain-table.ts')).plainTableEncoder(view, fields);
      const columns = columnsOf(view, fields, 'without-details');
      const line = (item: T) => columns.map((column) => peopleText(column, item, timeZone)).join('  ');
      return { some: (items) => items.map((item) => `${line(item)}\n`).join(''), end: () => '' };
    }
  }
}
