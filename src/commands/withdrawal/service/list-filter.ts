/** What `withdrawal list` is asked to show. */
import { withdrawalStatuses } from '../../../contract/withdrawal.ts';
import { usageError } from '../../../errors.ts';
import { type FilterFlags, type ItemFilter, type Listed, parseFilters } from '../../../flags/list-filter.ts';
import type { TimeReference } from '../../../flags/moment.ts';
import { parseWholeNumber } from '../../../flags/whole-number.ts';

export interface ListFlags extends FilterFlags {
  readonly limit?: string;
  readonly all?: boolean;
}

/** Returns the tests that a withdrawal has to pass, one per filter. Throws a usage error (64) for bad flags. */
export const testsOf = (flags: ListFlags, reference: TimeReference): ItemFilter<Listed>[] =>
  parseFilters(flags, { noun: 'withdrawal', statuses: withdrawalStatuses, reference: reference });

/** Returns how many to show: `--limit`, 1 to 10000; 20 without it, unbounded with `--all`. */
export function mostOf({ limit, all }: ListFlags): number {
  if (limit !== undefined && all === true)
    throw usageError('--limit and --all contradict each other. Nothing was sent.');
  if (all === true) return Number.POSITIVE_INFINITY;
  if (limit === undefined) return 20;
  return parseWholeNumber('--limit', limit, { min: 1, max: 10_000 }, '--all lists every withdrawal.');
}
