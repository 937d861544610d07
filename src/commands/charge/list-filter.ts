/** What `charge list` is asked to show. */
import { type Charge, chargeStatuses } from '../../contract/charge.ts';
import { listLimit } from '../../contract/pagination.ts';
import { type FilterFlags, type ItemFilter, parseFilters } from '../../flags/list-filter.ts';
import type { TimeReference } from '../../flags/moment.ts';
import { parseWholeNumber } from '../../flags/whole-number.ts';

export interface ListFlags extends FilterFlags {
  readonly limit?: string;
  readonly after?: string;
  readonly before?: string;
  readonly all?: boolean;
  readonly customer?: string;
}

/** Returns the tests that a charge has to pass, one per filter. Throws a usage error (64) for bad flags. */
export function testsOf(flags: ListFlags, reference: TimeReference): ItemFilter<Charge>[] {
  const tests: ItemFilter<Charge>[] = parseFilters(flags, {
    noun: 'charge',
    statuses: chargeStatuses,
    reference,
  });
  const { customer } = flags;
  if (customer !== undefined) tests.push((charge) => charge.customer?.id === customer);
  return tests;
}

/** Bounds of `--limit`. With `--all` it is the size of a page, within the bounds of the service. */
const limitBounds = { min: 1, max: 10_000 };

/** Returns the number of `--limit`. Throws a usage error (64) outside its bounds. */
export function limitOf({ limit, all }: ListFlags): number | undefined {
  if (limit === undefined) return undefined;
  return all === true
    ? parseWholeNumber('--limit', limit, listLimit, 'With --all it is the size of a page.')
    : parseWholeNumber('--limit', limit, limitBounds, '--all lists every charge.');
}
