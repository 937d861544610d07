/** Reads a user's CSV file, from bytes to rows. Whatever is wrong with the file is returned, never thrown. */

export interface CsvRow {
  /** The line of the file on which the row ends, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvFault {
  readonly line: number;
  readonly reason: string;
  /** The columns at fault, where cells are. */
  readonly columns?: readonly string[];
}

/**
 * The longest line of a file that is taken for a table, in characters. One without line breaks, of 90 MB, would become
 * a row of millions of cells, and fill the memory.
 */
const longestLine = 100_000;

/** The text of the file with LF line breaks: the parser counts a CRLF within quotes as two lines. */
export function decodeCsv(bytes: Uint8Array): string | CsvFault {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return { line: 1, reason: 'the file is UTF-16; save it as "CSV UTF-8"' };
  // UTF-16 without its mark, or no text at all, which would take minutes to parse if it is large.
  if (bytes.includes(0))
    return { line: 1, reason: 'the file is UTF-16, or not text; save it as "CSV UTF-8"' };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch {
    return { line: 1, reason: 'the file is not UTF-8 text; save it as "CSV UTF-8"' };
  }
  const line = findOverlongLine(text);
  return line === null
    ? text
    : { line, reason: `a line of more than ${longestLine} characters: this is no table` };
}

/** The number of the first line that is too long, from 1; null if none is. */
function findOverlongLine(text: string): number | null {
  const breaks = /[\r\n]/g;
  for (let line = 1, begin = 0; ; line++) {
    const isLast = !breaks.test(text);
    const end = isLast ? text.length : breaks.lastIndex - 1;
    if (end - begin > longestLine) return line;
    if (isLast) return null;
    begin = end + 1;
  }
}

interface CsvHead {
  /** The line of the file on which the header is expected, from 1. */
  readonly line: number;
  /** The text from that line on. */
  readonly rest: string;
  /** What Excel's own first line, `sep=;`, says of the rest; null if there is none. */
  readonly delimiter: ',' | ';' | null;
}

/** Finds where the header begins: below `sep=;`, which Excel reads and does not show. */
export function parseCsvHead(text: string): CsvHead {
  const declared = /^"?sep=([,;])"?[,; \t]*(?:[\r\n]|$)/i.exec(text);
  if (declared === null) return { line: 1, rest: text, delimiter: null };
  return { line: 2, rest: text.slice(declared[0].length), delimiter: declared[1] === ',' ? ',' : ';' };
}

export interface CsvBounds {
  readonly delimiter: ',' | ';';
  /** The line of the header, from 1. */
  readonly from: number;
  /** No row after this many below the header and one more, which tells that there are more, is read. */
  readonly most: number;
}

/**
 * Returns every row that is not blank (a spreadsheet writes `;;;` for one that was emptied), the header first, with
 * trimmed cells; rows may differ in length.
 */
export async function parseCsvRows(
  text: string,
  { delimiter, from, most }: CsvBounds,
): Promise<CsvRow[] | CsvFault> {
  const { parse, CsvError } = await import('csv-parse/sync');
  const rows: CsvRow[] = [];
  try {
    parse(text, {
      delimiter,
      from_line: from,
      to: most + 2,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
      on_record: (cells: string[], { lines }) => {
        rows.push({ line: lines, cells });
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { code, lines } = error as InstanceType<typeof CsvError> & { readonly lines?: number };
    // A quote that is never closed runs to the end of the file, so it is in the row that begins after the last one.
    const begins = firstWithText(text, (rows.at(-1)?.line ?? from - 1) + 1);
    return { line: code === 'CSV_QUOTE_NOT_CLOSED' ? begins : (lines ?? begins), reason: quoteFault(code) };
  }
}

/** The first line, from `line` on, that is not an empty row. */
function firstWithText(text: string, line: number): number {
  const after = text.split(/[\r\n]/).findIndex((one, at) => at + 1 >= line && /[^\s,;]/.test(one));
  return after === -1 ? line : after + 1;
}

/** Which rule for quotes was broken, and what to write instead, by the code of the parser. */
function quoteFault(code: string): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `a cell begins with " and no other " ends it; ${remedy}`;
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE':
      return `behind the " that ends a cell there is more than a separator; ${remedy}`;
    case 'INVALID_OPENING_QUOTE':
      return `a cell has a " within it and does not begin with one; ${remedy}`;
    default:
      return `its quotes are not those of CSV; ${remedy}`;
  }
}

const remedy = 'put the whole cell in quotes, and write "" for each quote that is part of it';
