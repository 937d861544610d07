/**
 * Reads a batch file (docs/withdrawals.md, "A file of payments"): CSV with the header
 * `idempotency_key,amount,pix_key,pix_key_type`. The whole file is judged before anything is sent, and every bad line
 * is reported with its reason.
 */
import { formatCents } from '../../contract/money.ts';
import { type CsvFault, type CsvRow, decodeCsv, parseCsvHead, parseCsvRows } from '../../flags/csv-rows.ts';
import { type BatchLine, parseLine } from './line.ts';

const batchColumns = ['idempotency_key', 'amount', 'pix_key', 'pix_key_type'] as const;
/** More lines than can be paid one after another in a day. A larger file is a mistake. */
const maxLines = 20_000;

export interface BatchFile {
  /** The good lines, in the order of the file. To be used only when `bad` is empty. */
  readonly lines: readonly BatchLine[];
  readonly bad: readonly CsvFault[];
  /** Set when whole numbers, which mean cents, stand among amounts with decimals: they may have been meant as reais. */
  readonly doubt?: CsvFault;
}

/** Reads the bytes of a batch file. Never rejects for what the file holds: see `bad`. */
export async function readBatchFile(bytes: Uint8Array): Promise<BatchFile> {
  const text = decodeCsv(bytes);
  if (typeof text !== 'string') return rejectedFile(text);
  const head = parseCsvHead(text);
  const header = /^[^\r\n]*/.exec(head.rest)?.[0] ?? '';
  if (head.rest.trim() === '') return rejectedFile({ line: head.line, reason: 'the file is empty' });
  const delimiter = head.delimiter ?? (header.includes(';') && !header.includes(',') ? ';' : ',');
  const wrong = headerFault(header, delimiter);
  if (wrong !== null) return rejectedFile({ line: head.line, reason: wrong });
  const rows = await parseCsvRows(text, { delimiter, from: head.line, most: maxLines });
  if (!Array.isArray(rows)) return rejectedFile(rows);
  const body = rows.slice(1);
  if (body.length === 0)
    return rejectedFile({ line: head.line + 1, reason: 'there is a header but no line below it' });
  if (body.length > maxLines)
    return rejectedFile({
      line: maxLines + head.line + 1,
      reason: `more than ${maxLines} lines; split the file`,
    });
  const names = rows[0]?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const named = withoutUnnamed(names);
  const file = parseRows(
    body.map((row) => withinTable(row, named.length, names.length)),
    delimiter,
    named,
  );
  const cut = findCutEnd(text, body.at(-1), named);
  // A line that is bad anyhow is not counted twice.
  if (cut === null || file.bad.some(({ line }) => line === cut.line)) return file;
  return { ...file, bad: [...file.bad, cut] };
}

/**
 * What is wrong with a last line that may be cut short (a program still writes the file, or was killed), or null. Cut
 * short, an amount, a key and a PIX key may each read as another one; a type never does, so where it comes last, as in
 * the documented header, the line break may be left out.
 */
function findCutEnd(text: string, last: CsvRow | undefined, names: readonly string[]): CsvFault | null {
  const column = names.at(-1);
  if (last === undefined || column === undefined || column === 'pix_key_type') return null;
  if (/[\r\n]$/.test(text) || last.cells.length < names.length) return null;
  return {
    line: last.line,
    reason: `${column} may be cut short, because the file ends without a line break; if it is complete, end it with one`,
    columns: [column],
  };
}

/** The names without the empty ones at the end: a spreadsheet writes a column for a cell that was once used. */
const withoutUnnamed = (names: readonly string[]): readonly string[] =>
  names.slice(0, names.findLastIndex((name) => name !== '') + 1);

/**
 * The row without its cells below those, if they are empty. Beyond the header itself even an empty one stays, because
 * it may be the end of an amount with a decimal comma.
 */
function withinTable(row: CsvRow, width: number, header: number): CsvRow {
  const { cells } = row;
  const isSpare = cells.length <= header && cells.slice(width).every((cell) => cell === '');
  return isSpare ? { ...row, cells: cells.slice(0, width) } : row;
}

const rejectedFile = (bad: CsvFault): BatchFile => ({ lines: [], bad: [bad] });

/** Returns what is wrong with the header, or null. The columns may be in any order, but their names are fixed. */
function headerFault(header: string, delimiter: string): string | null {
  const typed = withoutUnnamed(header.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1')));
  const names = typed.map((name) => name.toLowerCase());
  const expected = `the header must be ${batchColumns.join(delimiter)}`;
  if (names.length === 1) return `${expected}, separated by , or ;`;
  const missing = batchColumns.filter((name) => !names.includes(name));
  const nearly = missing.flatMap((column) => {
    const meant = typed.find((name) => bare(name) === bare(column));
    return meant === undefined ? [] : [{ column, meant }];
  });
  if (missing.length > 0) {
    const absent = missing.filter((name) => !nearly.some(({ column }) => column === name));
    return [
      expected,
      ...nearly.map(({ column, meant }) => `"${meant}" is probably ${column}, which is to be written so`),
      ...(absent.length > 0 ? [`missing: ${absent.join(', ')}`] : []),
    ].join('; ');
  }
  const extra = names.filter((name) => !(batchColumns as readonly string[]).includes(name));
  if (extra.length > 0) return `${expected}; unknown: ${extra.join(', ')}`;
  return names.length > batchColumns.length ? `${expected}; a column occurs twice` : null;
}

/** A name without what spreadsheets and people put between its words. */
const bare = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

function parseRows(rows: readonly CsvRow[], delimiter: string, names: readonly string[]): BatchFile {
  const lines: BatchLine[] = [];
  const bad: CsvFault[] = [];
  const findRepeat = createRepeatFinder(names);
  for (const row of rows) {
    const parsed = parseLine(row, names, delimiter);
    const repeat = findRepeat(row);
    if ('reason' in parsed) bad.push(repeat === null ? parsed : joinFaults(parsed, repeat));
    else if (repeat !== null) bad.push(repeat);
    else lines.push(parsed);
  }
  const doubt = mixedAmounts(rows, names.indexOf('amount'));
  return { lines, bad, ...(doubt !== null && { doubt }) };
}

/** Makes the function that is handed the rows in order, and returns the fault of one with the key of an earlier one. */
function createRepeatFinder(names: readonly string[]): (row: CsvRow) => CsvFault | null {
  const firstLine = new Map<string, number>();
  return ({ line, cells }) => {
    const key = cells.length === names.length ? cells[names.indexOf('idempotency_key')] : undefined;
    if (!key) return null;
    const earlier = firstLine.get(key);
    if (earlier === undefined) {
      firstLine.set(key, line);
      return null;
    }
    return {
      line,
      reason: `the idempotency key is already used on line ${earlier}`,
      columns: ['idempotency_key'],
    };
  };
}

/** Two faults of one line as one. */
const joinFaults = (first: CsvFault, second: CsvFault): CsvFault => ({
  line: first.line,
  reason: `${first.reason}; ${second.reason}`,
  columns: [...(first.columns ?? []), ...(second.columns ?? [])],
});

/**
 * Reports whole numbers among decimals. A spreadsheet that shows 200,00 as 200 writes it so beside 123,45, and R$ 2,00
 * would be paid.
 */
function mixedAmounts(rows: readonly CsvRow[], column: number): CsvFault | null {
  const written = rows.map(({ line, cells }) => ({ line, text: cells[column] ?? '' }));
  const whole = written.find(({ text }) => /^[1-9]\d{0,8}$/.test(text));
  const decimal = written.find(({ text }) => /\d[.,]\d\d$/.test(text));
  if (whole === undefined || decimal === undefined) return null;
  const cents = Number(whole.text);
  return {
    line: whole.line,
    reason: `amount: ${whole.text} is cents, ${formatCents(cents)}, while line ${decimal.line} has decimals (${decimal.text}). A spreadsheet may have left out ,00: for ${formatCents(cents * 100)} write ${whole.text},00.`,
  };
}
