/** A CSV file of the user's, from its bytes to its rows. What is wrong with it is an answer, and never thrown. */

export interface CsvRow {
  /** Line of the file that the row ends on, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvFault {
  readonly line: number;
  readonly reason: string;
}

/** The text of the file, with LF as its line break: the parser counts a CRLF within quotes as two lines. */
export function csvText(bytes: Uint8Array): string | CsvFault {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return { line: 1, reason: 'the file is UTF-16; save it as "CSV UTF-8"' };
  // UTF-16 without its mark, or no text at all, of which a large one would be parsed for minutes.
  if (bytes.includes(0))
    return { line: 1, reason: 'the file is UTF-16, or not text; save it as "CSV UTF-8"' };
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch {
    return { line: 1, reason: 'the file is not UTF-8 text; save it as "CSV UTF-8"' };
  }
}

export interface CsvHead {
  /** Line of the file that the header is looked for on, from 1. */
  readonly line: number;
  /** The text from that line on. */
  readonly rest: string;
  /** What Excel's own first line, `sep=;`, says of all that follows; null where there is none. */
  readonly delimiter: ',' | ';' | null;
}

/** Where the header stands: below `sep=;`, which Excel reads, and shows to nobody. */
export function csvHead(text: string): CsvHead {
  const declared = /^"?sep=([,;])"?[,; \t]*(?:[\r\n]|$)/i.exec(text);
  if (declared === null) return { line: 1, rest: text, delimiter: null };
  return { line: 2, rest: text.slice(declared[0].length), delimiter: declared[1] === ',' ? ',' : ';' };
}

/**
 * Every row that says something (a spreadsheet writes `;;;` for one that was emptied), the header first, its cells
 * trimmed; rows may have different numbers of cells. `from`: the line that the header stands on.
 */
export async function csvRows(
  text: string,
  delimiter: ',' | ';',
  from: number,
): Promise<CsvRow[] | CsvFault> {
  const { parse, CsvError } = await import('csv-parse/sync');
  const rows: CsvRow[] = [];
  try {
    parse(text, {
      delimiter,
      from_line: from,
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
    // A quote that is never closed runs to the end of the file: it is in the row that begins behind the last one.
    const begins = firstWithText(text, (rows.at(-1)?.line ?? from - 1) + 1);
    return { line: code === 'CSV_QUOTE_NOT_CLOSED' ? begins : (lines ?? begins), reason: quoteFault(code) };
  }
}

/** The first line, from `line` on, that is no empty row. */
function firstWithText(text: string, line: number): number {
  const after = text.split(/[\r\n]/).findIndex((one, at) => at + 1 >= line && /[^\s,;]/.test(one));
  return after === -1 ? line : after + 1;
}

/** What CSV asks of quotes, and what to write, by the parser's own code. */
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
