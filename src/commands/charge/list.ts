/** `pixctl charge list`: shows a page, or all pages streamed as they arrive. */
import type { Api } from '../../api/client.ts';
import { listLimit, type Pagination } from '../../contract/pagination.ts';
import { usageError } from '../../errors.ts';
import { commandLine, outputWords } from '../../flags/command-line.ts';
import { collectUndated, filterPages } from '../../flags/list-filter.ts';
import { timeReferenceOf } from '../../runtime/time-reference.ts';
import type { Runtime } from '../../runtime.ts';
import { formatCount } from '../../terminal/format-count.ts';
import { chargeView } from '../../views/charge.ts';
import { type ListFlags, limitOf, testsOf } from './list-filter.ts';

export async function list(runtime: Runtime, flags: ListFlags): Promise<void> {
  const output = await runtime.output(chargeView);
  if (flags.after !== undefined && flags.before !== undefined) {
    throw usageError('--after and --before contradict each other. Nothing was sent.');
  }
  const limit = limitOf(flags);
  const undated = new Set<unknown>();
  const tests = testsOf(flags, await timeReferenceOf(runtime, flags));
  if (flags.since !== undefined || flags.until !== undefined) tests.unshift(collectUndated(undated));
  const api = await runtime.api();
  const isOnePage = tests.length === 0 && (limit ?? listLimit.default) <= listLimit.max;
  if (flags.all !== true && isOnePage) return showPage(runtime, api, flags, limit);

  const pages = api.pages('listCharges', undefined, {
    limit: flags.all === true ? (limit ?? listLimit.max) : listLimit.max,
    ...cursorOf(flags),
    // One value that is filtered is not shown before it is whole, so there is nothing to resume.
    resumable: output.options.filter === undefined || output.options.format === 'ndjson',
  });
  const most = flags.all === true ? Number.POSITIVE_INFINITY : (limit ?? listLimit.default);
  const shown = await output.each(chargeView, filterPages(pages, tests, most), runtime.signal);
  // A period must not look free of charges only because some cannot be dated.
  if (undated.size > 0)
    output.warn(`Left out: ${formatCount(undated.size, 'charge')} whose creation time cannot be read.`);
  if (shown === most) output.note(`Stopped at ${most}; --all shows every one that matches.`);
}

/** Shows one page as the service gives it, and how to get the next. */
async function showPage(
  runtime: Runtime,
  api: Api,
  flags: ListFlags,
  limit: number | undefined,
): Promise<void> {
  const output = await runtime.output();
  const query = { ...(limit === undefined ? {} : { limit }), ...cursorOf(flags) };
  const { items, pagination } = await api.page('listCharges', { query });
  await output.each(chargeView, items);
  const cursor = onwardsOf(pagination, flags);
  if (cursor === null) return;
  const size = limit === undefined ? [] : ['--limit', String(limit)];
  const words = ['pixctl', 'charge', 'list', ...size, ...cursor, ...outputWords(runtime.globals)];
  // On a line of its own, ready to paste.
  output.note(`More: ${commandLine(words)}\n--all shows every charge.`);
}

/** Returns the flag and the cursor of the next page in the direction of this one. */
function onwardsOf({ hasMore, next, before }: Pagination, flags: ListFlags): [string, string] | null {
  if (flags.before !== undefined) return before ? ['--before', before] : null;
  return hasMore && next ? ['--after', next] : null;
}

const cursorOf = ({ after, before }: ListFlags) => ({
  ...(after === undefined ? {} : { after }),
  ...(before === undefined ? {} : { before }),
});
