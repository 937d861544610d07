/** `pixctl withdrawal list`: shows them as the service lists them, filtered here, streamed as pages arrive. */
import { listLimit } from '../../../contract/pagination.ts';
import { collectUndated, filterPages } from '../../../flags/list-filter.ts';
import { timeReferenceOf } from '../../../runtime/time-reference.ts';
import type { Runtime } from '../../../runtime.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import { type ListFlags, mostOf, testsOf } from './list-filter.ts';
import { keyFinder, type Listed, listedView, wantsKey } from './listed-key.ts';

export async function list(runtime: Runtime, flags: ListFlags): Promise<void> {
  const output = await runtime.output(listedView);
  const most = mostOf(flags);
  const undated = new Set<unknown>();
  const hasPeriod = flags.since !== undefined || flags.until !== undefined;
  const tests = testsOf(flags, await timeReferenceOf(runtime, flags));
  if (hasPeriod) tests.unshift(collectUndated(undated));
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
