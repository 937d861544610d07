/** `pixctl charge list`: a page, or all of them streamed as they arrive. */
import type { Api, Page } from '../../api/client.ts';
import type { Charge } from '../../contract/charge.ts';
import { usageError } from '../../errors.ts';
import { commandLine } from '../../flags/command-line.ts';
import type { Runtime } from '../../runtime.ts';
import { filterOf, type ListFlags, limitOf } from './list-filter.ts';
import { chargeView } from './view.ts';

/** Charges shown when neither --limit nor --all is given; the service's own default too. */
const defaultLimit = 20;
/** Charges asked for at a time where the user leaves it to us. */
const pageLimit = 100;
export async function list(runtime: Runtime, flags: ListFlags): Promise<void> {
  const output = await runtime.output();
  output.check(chargeView);
  if (flags.after !== undefined && flags.before !== undefined) {
    throw usageError('--after and --before contradict each other. Nothing was sent.');
  }
  const limit = limitOf(flags);
  const keep = filterOf(flags, runtime.clock.now());
  const api = await runtime.api();
  if (flags.all !== true && keep === null) return showPage(runtime, api, flags, limit);

  const pages = api.pages('listCharges', undefined, {
    limit: flags.all === true ? (limit ?? pageLimit) : pageLimit,
    ...cursorOf(flags),
  });
  const most = flags.all === true ? Number.POSITIVE_INFINITY : (limit ?? defaultLimit);
  const shown = await output.each(chargeView, matching(pages, keep, most));
  if (shown === most) output.note(`Stopped at ${most}; --all shows every one that matches.`);
}

/** One page as the service gives it, and how to get the next. */
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
  const next = pagination.hasMore ? (pagination.next ?? null) : null;
  if (next === null) return;
  const size = limit === undefined ? [] : ['--limit', String(limit)];
  output.note(`More: ${commandLine(['pixctl', 'charge', 'list', ...size, '--after', next])}, or --all.`);
}

const cursorOf = ({ after, before }: ListFlags) => ({
  ...(after === undefined ? {} : { after }),
  ...(before === undefined ? {} : { before }),
});

async function* matching(
  pages: AsyncIterable<Page<Charge>>,
  keep: ((charge: Charge) => boolean) | null,
  most: number,
): AsyncGenerator<Charge, void, undefined> {
  let kept = 0;
  for await (const { items } of pages) {
    for (const charge of items) {
      if (keep !== null && !keep(charge)) continue;
      yield charge;
      if (++kept >= most) return;
    }
  }
}
