/** What `withdrawal list` keeps: filters of our own, since the document shows none on the service's side. */
import { parseAmount } from '../../contract/money.ts';
import { type Withdrawal, withdrawalStatuses } from '../../contract/withdrawal.ts';
import { usageError } from '../../errors.ts';
import { parseMoment } from '../../flags/moment.ts';
import { nearest } from '../../flags/nearest.ts';

export interface ListFlags {
  readonly limit?: string;
  readonly all?: boolean;
  readonly status?: string;
  readonly since?: string;
  readonly until?: string;
  readonly minAmount?: string;
  readonly maxAmount?: string;
}

/**
 * Whether a withdrawal is wanted. The document shows no creation time of one: a record without it is not
 * within any period. Throws a usage error (64) for bad flags.
 */
export function filterOf(flags: ListFlags, now: number): (withdrawal: Withdrawal) => boolean {
  const tests: ((withdrawal: Withdrawal) => boolean)[] = [];
  const { status, since, until, minAmount, maxAmount } = flags;
  if (status !== undefined) {
    const wanted = status.split(',').map(statusOf);
    tests.push((one) => wanted.includes(one.status));
  }
  if (since !== undefined) {
    const from = parseMoment(since, now);
    tests.push(({ createdAt }) => Date.parse(createdAt ?? '') >= from);
  }
  if (until !== undefined) {
    const to = parseMoment(until, now, 'end');
    tests.push(({ createdAt }) => Date.parse(createdAt ?? '') <= to);
  }
  if (minAmount !== undefined) {
    const min = centsOf('--min-amount', minAmount);
    tests.push(({ amount }) => amount >= min);
  }
  if (maxAmount !== undefined) {
    const max = centsOf('--max-amount', maxAmount);
    tests.push(({ amount }) => amount <= max);
  }
  return (one) => tests.every((test) => test(one));
}

/** How many to show: `--limit`, 1 to 10000; 20 without it, no bound with `--all`. */
export function mostOf({ limit, all }: ListFlags): number {
  if (limit !== undefined && all === true)
    throw usageError('--limit and --all contradict each other. Nothing was sent.');
  if (all === true) return Number.POSITIVE_INFINITY;
  if (limit === undefined) return 20;
  const number = /^\d{1,5}$/.test(limit) ? Number(limit) : 0;
  if (number >= 1 && number <= 10_000) return number;
  throw usageError(`--limit ${limit} is not a number from 1 to 10000. Nothing was sent.`, '--all shows all.');
}

function statusOf(text: string): string {
  const status = text.trim().toUpperCase();
  const known: readonly string[] = withdrawalStatuses;
  if (known.includes(status)) return status;
  const meant = nearest(status, known);
  throw usageError(
    `"${text.trim()}" is not a withdrawal status${meant === undefined ? '.' : `; did you mean ${meant}?`} Nothing was sent.`,
    `Statuses: ${known.join(', ')}.`,
  );
}

function centsOf(flag: string, text: string): number {
  const parsed = parseAmount(text);
  if (parsed.ok) return parsed.cents;
  throw usageError(`${flag}: ${parsed.reason}. Nothing was sent.`);
}
