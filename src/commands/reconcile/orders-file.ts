/** The merchant's own list: CSV with a header, read and judged as a whole before anything is requested. */
import type { Cents } from '../../contract/brand.ts';
import { parseAmount } from '../../contract/money.ts';
import { dataError } from '../../errors.ts';
import { type CsvRow, decodeCsv, parseCsvHead, parseCsvRows } from '../../flags/csv-rows.ts';

export interface OrderLine {
  /** Line number in the file, from 1. */
  readonly line: number;
  readonly orderId: string;
  readonly amount: Cents;
  readonly chargeId: string | null;
  readonly txid: string | null;
}

/** More lines than this are not held in memory together with what they are compared with. */
const maxLines = 1_000_000;
/** How many bad lines are named. For the others, only their number is given. */
const maxNamed = 10;

/** Reads the orders. Throws a data error (65) that names every bad line, up to ten. */
export async function readOrders(bytes: Uint8Array): Promise<OrderLine[]> {
  const [header, ...body] = await parseRows(bytes);
  const columns = columnsOf(header);
  if (body.length === 0)
    throw ordersFileError([`line ${header.line + 1}: there is a header but no order below it`]);
  if (body.length > maxLines) throw ordersFileError([`more than ${maxLines} lines; split the file`]);
  const faults: string[] = [];
  const lines: OrderLine[] = [];
  for (const row of body) {
    const parsed = overflow(row, header.cells.length) ?? parseLine(row, columns);
    if (typeof parsed === 'string') faults.push(`line ${row.line}: ${parsed}`);
    else lines.push(parsed);
  }
  faults.push(...amountFaults(lines));
  if (faults.length > 0) throw ordersFileError(faults);
  return lines;
}

type Columns = Readonly<Record<'order_id' | 'amount' | 'charge_id' | 'txid', number>>;

async function parseRows(bytes: Uint8Array): Promise<[CsvRow, ...CsvRow[]]> {
  const text = decodeCsv(bytes);
  if (typeof text !== 'string')
    throw ordersFileError([`${text.line > 1 ? `line ${text.line}: ` : ''}${text.reason}`]);
  const { line, rest, delimiter } = parseCsvHead(text);
  const header = /\S[^\n]*/.exec(rest)?.[0] ?? '';
  const rows = await parseCsvRows(text, {
    delimiter: delimiter ?? delimiterIn(header),
    from: line,
    most: maxLines,
  });
  if (!Array.isArray(rows)) throw ordersFileError([`line ${rows.line}: ${rows.reason}`]);
  const [first, ...others] = rows;
  if (first === undefined) throw ordersFileError(['the file is empty']);
  return [first, ...others];
}

/** The more frequent one: the other may be part of a name. */
const delimiterIn = (header: string): ',' | ';' =>
  header.split(';').length > header.split(',').length ? ';' : ',';

function columnsOf({ line, cells }: CsvRow): Columns {
  const names = cells.map((name) => name.toLowerCase());
  const at = (name: string) => names.indexOf(name);
  const columns = {
    order_id: at('order_id'),
    amount: at('amount'),
    charge_id: at('charge_id'),
    txid: at('txid'),
  };
  const twice = Object.keys(columns).filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice.length > 0) throw ordersFileError([`line ${line}: the column ${twice.join(', ')} occurs twice`]);
  if (columns.order_id < 0 || columns.amount < 0 || (columns.charge_id < 0 && columns.txid < 0)) {
    throw ordersFileError([
      `line ${line}: the header needs order_id, amount, and charge_id or txid, separated by , or ;`,
    ]);
  }
  return columns;
}

/**
 * Reports cells beyond the header, which push the others aside. A decimal comma does that: "1050,00" would be 1050
 * cents.
 */
function overflow({ cells }: CsvRow, width: number): string | null {
  if (cells.slice(width).every((cell) => cell === '')) return null;
  return `${cells.length} fields where the header has ${width}; a value with a separator in it must be in quotes: "10,50"`;
}

function parseLine({ line, cells }: CsvRow, columns: Columns): OrderLine | string {
  const cell = (name: keyof Columns): string | null => cells[columns[name]] || null;
  const orderId = cell('order_id');
  if (orderId === null) return 'order_id is empty';
  const amount = parseAmount(cell('amount') ?? '');
  if (!amount.ok) return `amount: ${amount.reason}`;
  return { line, orderId, amount: amount.cents, chargeId: cell('charge_id'), txid: cell('txid') };
}

/** Reports lines of one order that name different amounts. */
function amountFaults(lines: readonly OrderLine[]): string[] {
  const first = new Map<string, OrderLine>();
  return lines.flatMap((line) => {
    const earlier = first.get(line.orderId);
    if (earlier === undefined) first.set(line.orderId, line);
    return earlier === undefined || earlier.amount === line.amount
      ? []
      : [`line ${line.line}: ${line.orderId} has another amount than on line ${earlier.line}`];
  });
}

function ordersFileError(faults: readonly string[]) {
  const named = faults.slice(0, maxNamed).join('; ');
  const rest = faults.length > maxNamed ? `; and ${faults.length - maxNamed} more` : '';
  return dataError(
    'ORDERS_FILE',
    `The orders cannot be used: ${named}${rest}.`,
    'pixctl reconcile --help shows the columns.',
  );
}
