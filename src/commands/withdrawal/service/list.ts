/** `pixctl withdrawal list`: shows them as the service lists them, filtered here, streamed as pages arrive. */
import { listLimit } from '../../../contract/pagination.ts';
import { withdrawalStatuses } from '../../../contract/statuses.ts';
import { usageError } from '../../../errors.ts';
import { type FilterFlags, filterPages, parseFilters } from '../../../flags/list-filter.ts';
import { parseWholeNumber } from '../../../flags/whole-number.ts';
import { timeReferenceOf } from '../../../runtime/time-reference.ts';
import type { Runtime } from '../../../runtime.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import { keyFinder, type Listed, listedView, wantsKey } from './listed-key.ts';

export interface ListFlags extends FilterFlags {
  readonly limit?: string;
  readonly all?: boolean;
}

export async function list(runtime: Runtime, flags: ListFlags): Promise<void> {
  const output = await runtime.output(listedView);
  const most = mostOf(flags);
  const undated = new Set<unknown>();
  const tests = parseFilters(flags, {
    noun: 'withdrawal',
    statuses: withdrawalStatuses,
    reference: await timeReferenceOf(runtime, flags),
    undated,
  });
  const addKeys = wantsKey(output.options) ? await keyFinder(runtime) : null;
  const api = await runtime.api();
  let isUnpaged = false;
  const shown = await output.each(listedView, filterPages(pages(), tests, most), runtime.signal);
  if (isUnpaged) output.warn("The service's list has no pagination: these may not be all the withdrawals.");
  // The document shows no such field: an empty list must not look like a period without withdrawals.
  if (undated.size > 0)
    output.warn(
      `Left out: ${formatCount(undated.size, 'withdrawal')} that the service lists without a creation time.`,
    );
  if (shown === most) output.note(`Stopped at ${most}; --all shows every one that matches.`);

  async function* pages(): AsyncGenerator<{ readonly items: readonly Listed[] }> {
    // What is filtered is read in whole pages: a few matches may be scattered over many.
    const limit = tests.length > 0 ? listLimit.max : Math.min(listLimit.max, most);
    for await (const page of api.pages('listWithdrawals', undefined, { limit })) {
      isUnpaged ||= page.isUnpaged === true;
      yield addKeys === null ? page : { items: await addKeys(page.items) };
    }
  }
}

/** Returns how many to show: `--limit`, 1 to 10000; 20 without it, unbounded with `--all`. */
function mostOf({ limit, all }: ListFlags): number {
  if (limit !== undefined && all === true)
    throw usageError('--limit and --all contradict each other. Nothing was sent.');
  if (all === true) return Number.POSITIVE_INFINITY;
  if (limit === undefined) return 20;
  return parseWholeNumber('--limit', limit, { min: 1, max: 10_000 }, '--all lists every withdrawal.');
}
