/** One line of a batch file, judged by the same rules as the flags of `withdraw`. */
import type { Cents, IdempotencyKey } from '../../contract/brand.ts';
import { idempotencyKeyRule, parseIdempotencyKey } from '../../contract/idempotency-key.ts';
import { findBoundsProblem, parseAmount } from '../../contract/money.ts';
import { parsePixKey } from '../../contract/pix-key.ts';
import { type PixKeyType, pixKeyTypes, withdrawalLimits } from '../../contract/withdrawal.ts';
import type { CsvFault, CsvRow } from '../../flags/csv-rows.ts';

export interface BatchLine {
  /** Line number in the file, from 1. */
  readonly line: number;
  readonly idempotencyKey: IdempotencyKey;
  readonly amount: Cents;
  readonly pixKey: string;
  readonly pixKeyType: PixKeyType;
}

/** Returns the parsed line, or one sentence with every reason why it cannot be paid. */
export function parseLine(row: CsvRow, names: readonly string[], delimiter: string): BatchLine | CsvFault {
  if (row.cells.length !== names.length) return { line: row.line, reason: miscounted(row, names, delimiter) };
  const cell = (name: string) => row.cells[names.indexOf(name)] ?? '';
  /** By column. */
  const faults = new Map<string, string>();

  const idempotencyKey = parseIdempotencyKey(cell('idempotency_key'));
  if (idempotencyKey === null)
    faults.set('idempotency_key', `idempotency_key must have ${idempotencyKeyRule}`);

  const written = cell('amount');
  const amount = parseAmount(written);
  const bounds = amount.ok
    ? findBoundsProblem(amount.cents, withdrawalLimits.amount, written)
    : amount.reason;
  if (bounds !== null) faults.set('amount', `amount: ${bounds}`);

  const type = parseType(cell('pix_key_type'));
  if (type === null) faults.set('pix_key_type', `pix_key_type must be one of ${pixKeyTypes.join(', ')}`);
  const pixKey = parsePixKey(cell('pix_key'), type ?? undefined);
  if (type !== null && !pixKey.ok)
    faults.set('pix_key', `pix_key: ${pixKey.reason}; ${pixKey.hint}${asNumber(cell('pix_key'), type)}`);

  if (idempotencyKey === null || !amount.ok || !pixKey.ok || faults.size > 0)
    return { line: row.line, reason: [...faults.values()].join('; '), columns: [...faults.keys()] };
  return {
    line: row.line,
    idempotencyKey,
    amount: amount.cents,
    pixKey: pixKey.key,
    pixKeyType: pixKey.type,
  };
}

/** `undefined`: left empty, so the form of the key must tell. Null: not a type. */
function parseType(text: string): PixKeyType | null | undefined {
  if (text === '') return undefined;
  return pixKeyTypes.find((type) => type === text.toUpperCase()) ?? null;
}

/** Says what a spreadsheet does to a column of digits that it takes for numbers. */
function asNumber(written: string, type: PixKeyType | undefined): string {
  const digits = type === 'CPF' ? 11 : type === 'CNPJ' ? 14 : 0;
  const isCut = /^\d{5,}$/.test(written) && written.length < digits;
  if (!isCut && !/^\d([.,]\d+)?E\+\d+$/i.test(written)) return '';
  return '; a spreadsheet drops leading zeros and shortens long numbers: make the column text, and type the key again';
}

function miscounted(row: CsvRow, names: readonly string[], delimiter: string): string {
  const count = `${row.cells.length} fields where the header has ${names.length}`;
  return delimiter === ',' && row.cells.length > names.length
    ? `${count}; an amount with a decimal comma must be in quotes: "10,50"`
    : count;
}
