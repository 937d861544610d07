/**
 * A batch file (docs/withdrawals.md, "A file of payments"): CSV with the header
 * `idempotency_key,amount,pix_key,pix_key_type`. The whole of it is judged before anything is sent, and every bad
 * line is told with its reason.
 */
import { type BadLine, type BatchLine, parseLine, type Row } from './line.ts';

const batchColumns = ['idempotency_key', 'amount', 'pix_key', 'pix_key_type'] as const;
/** More lines than a day can pay one after another; a larger file is a mistake. */
const maxLines = 20_000;

export interface BatchFile {
  /** The good lines, in the order of the file. To be used only when `bad` is empty. */
  readonly lines: readonly BatchLine[];
  readonly bad: readonly BadLine[];
}

/** Reads the bytes of a batch file. Never rejects for what the file holds: see `bad`. */
export async function readBatchFile(bytes: Uint8Array): Promise<BatchFile> {
  const text = decode(bytes);
  if (typeof text !== 'string') return only(text);
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  if (text.trim() === '') return only({ line: 1, reason: 'the file is empty' });
  const delimiter = header.includes(';') && !header.includes(',') ? ';' : ',';
  const wrong = headerFault(header, delimiter);
  if (wrong !== null) return only({ line: 1, reason: wrong });
  const rows = await parseRows(text, delimiter);
  if (!Array.isArray(rows)) return only(rows);
  const body = rows.slice(1);
  if (body.length === 0) return only({ line: 2, reason: 'there is a header and no line below it' });
  if (body.length > maxLines)
    return only({ line: maxLines + 2, reason: `more than ${maxLines} lines; split the file` });
  return judge(body, delimiter, rows[0]?.cells.map((cell) => cell.toLowerCase()) ?? []);
}

const only = (bad: BadLine): BatchFile => ({ lines: [], bad: [bad] });

function decode(bytes: Uint8Array): string | BadLine {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return { line: 1, reason: 'the file is UTF-16; save it as "CSV UTF-8"' };
  try {
    // The parser counts a CRLF within quotes as two lines.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch {
    return { line: 1, reason: 'the file is not UTF-8 text; save it as "CSV UTF-8"' };
  }
}

/** What is wrong with the header, or null. The order of the columns is free, their names are not. */
function headerFault(header: string, delimiter: string): string | null {
  const names = header.split(delimiter).map((name) =>
    name
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .toLowerCase(),
  );
  const expected = `the header must be ${batchColumns.join(delimiter)}`;
  if (names.length === 1) return `${expected}, separated by , or ;`;
  const missing = batchColumns.filter((name) => !names.includes(name));
  if (missing.length > 0) return `${expected}; missing: ${missing.join(', ')}`;
  const extra = names.filter((name) => !(batchColumns as readonly string[]).includes(name));
  if (extra.length > 0) return `${expected}; unknown: ${extra.join(', ')}`;
  return names.length > batchColumns.length ? `${expected}; a column occurs twice` : null;
}

async function parseRows(text: string, delimiter: string): Promise<Row[] | BadLine> {
  const { parse, CsvError } = await import('csv-parse/sync');
  const rows: Row[] = [];
  try {
    parse(text, {
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      // The line that a record ends on is the line it stands on: no field may hold a line break.
      on_record: (record: string[], { lines }) => {
        rows.push({ line: lines, cells: record });
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === 'number' ? error.lines : (rows.at(-1)?.line ?? 0) + 1;
    return { line, reason: `the quotes are not valid CSV (${error.code})` };
  }
}

function judge(rows: readonly Row[], delimiter: string, names: readonly string[]): BatchFile {
  const lines: BatchLine[] = [];
  const bad: BadLine[] = [];
  const firstLine = new Map<string, number>();
  for (const row of rows) {
    const parsed = parseLine(row, names, delimiter);
    if ('reason' in parsed) {
      bad.push(parsed);
      continue;
    }
    const earlier = firstLine.get(parsed.idempotencyKey);
    if (earlier !== undefined) {
      bad.push({ line: row.line, reason: `the idempotency key is already used on line ${earlier}` });
      continue;
    }
    firstLine.set(parsed.idempotencyKey, row.line);
    lines.push(parsed);
  }
  return { lines, bad };
}
