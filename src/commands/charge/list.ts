/** `pixctl charge list`: shows a page, or all pages streamed as they arrive. */
import type { Api } from '../../api/client.ts';
import type { Charge } from '../../contract/charge.ts';
import { listLimit, type Pagination } from '../../contract/pagination.ts';
import { chargeStatuses } from '../../contract/statuses.ts';
import { usageError } from '../../errors.ts';
import { commandLine, outputWords } from '../../flags/command-line.ts';
import { type FilterFlags, filterPages, type ItemFilter, parseFilters } from '../../flags/list-filter.ts';
import type { TimeReference } from '../../flags/moment.ts';
import { parseWholeNumber } from '../../flags/whole-number.ts';
import { timeReferenceOf } from '../../runtime/time-reference.ts';
import type { Runtime } from '../../runtime.ts';
import { formatCount } from '../../terminal/format-count.ts';
import { chargeView } from '../../views/charge.ts';

export interface ListFlags extends FilterFlags {
  readonly limit?: string;
  readonly after?: string;
  readonly before?: string;
  readonly all?: boolean;
  readonly customer?: string;
}

export async function list(runtime: Runtime, flags: ListFlags): Promise<void> {
  const output = await runtime.output(chargeView);
  if (flags.after !== undefined && flags.before !== undefined) {
    throw usageError('--after and --before contradict each other. Nothing was sent.');
  }
  const limit = limitOf(flags);
  const undated = new Set<unknown>();
  const tests = testsOf(flags, await timeReferenceOf(runtime, flags), undated);
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

/** Returns the tests that a charge has to pass, one per filter. Throws a usage error (64) for bad flags. */
function testsOf(flags: ListFlags, reference: TimeReference, undated: Set<unknown>): ItemFilter<Charge>[] {
  const tests: ItemFilter<Charge>[] = parseFilters(flags, {
    noun: 'charge',
    statuses: chargeStatuses,
    reference,
    undated,
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
