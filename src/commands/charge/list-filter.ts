/** What `charge list` keeps: filters of our own, since the document shows none on the service's side. */
import { type Charge, chargeStatuses } from '../../contract/charge.ts';
import { parseAmount } from '../../contract/money.ts';
import { listLimit } from '../../contract/pagination.ts';
import { usageError } from '../../errors.ts';
import { parseMoment } from '../../flags/moment.ts';
import { nearest } from '../../flags/nearest.ts';

export interface ListFlags {
  readonly limit?: string;
  readonly after?: string;
  readonly before?: string;
  readonly all?: boolean;
  readonly status?: string;
  readonly since?: string;
  readonly until?: string;
  readonly customer?: string;
  readonly minAmount?: string;
  readonly maxAmount?: string;
}

/** Whether a charge is wanted; null when nothing is filtered. Throws a usage error (64) for bad flags. */
export function filterOf(flags: ListFlags, now: number): ((charge: Charge) => boolean) | null {
  const tests: ((charge: Charge) => boolean)[] = [];
  const { status, since, until, customer, minAmount, maxAmount } = flags;
  if (status !== undefined) {
    const wanted = status.split(',').map(statusOf);
    tests.push((charge) => wanted.includes(charge.status));
  }
  if (since !== undefined) {
    const from = parseMoment(since, now);
    tests.push(({ createdAt }) => Date.parse(createdAt) >= from);
  }
  if (until !== undefined) {
    const to = parseMoment(until, now, 'end');
    tests.push(({ createdAt }) => Date.parse(createdAt) <= to);
  }
  if (customer !== undefined) tests.push((charge) => charge.customer?.id === customer);
  if (minAmount !== undefined) {
    const min = centsOf('--min-amount', minAmount);
    tests.push(({ amount }) => amount >= min);
  }
  if (maxAmount !== undefined) {
    const max = centsOf('--max-amount', maxAmount);
    tests.push(({ amount }) => amount <= max);
  }
  return tests.length === 0 ? null : (charge) => tests.every((test) => test(charge));
}

/** The number of `--limit`. Throws a usage error (64) outside 1 to 100. */
export function limitOf({ limit }: ListFlags): number | undefined {
  if (limit === undefined) return undefined;
  const number = /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (number >= listLimit.min && number <= listLimit.max) return number;
  throw usageError(
    `--limit ${limit} is not a number from ${listLimit.min} to ${listLimit.max}. Nothing was sent.`,
    '--all lists every charge.',
  );
}

function statusOf(text: string): string {
  const status = text.trim().toUpperCase();
  const known: readonly string[] = chargeStatuses;
  if (known.includes(status)) return status;
  const meant = nearest(status, known);
  throw usageError(
    `"${text.trim()}" is not a charge status${meant === undefined ? '' : `; did you mean ${meant}?`} Nothing was sent.`,
    `Statuses: ${known.join(', ')}.`,
  );
}

function centsOf(flag: string, text: string): number {
  const parsed = parseAmount(text);
  if (parsed.ok) return parsed.cents;
  throw usageError(`${flag}: ${parsed.reason}. Nothing was sent.`);
}
