/** `pixctl withdrawal list`: as the service lists them, filtered here, streamed as pages arrive. */
import type { Page } from '../../api/client.ts';
import type { Withdrawal } from '../../contract/withdrawal.ts';
import type { Runtime } from '../../runtime.ts';
import { filterOf, type ListFlags, mostOf } from './list-filter.ts';
import { withdrawalView } from './view.ts';

/** Withdrawals asked for at a time. */
const pageLimit = 100;

export async function list(runtime: Runtime, flags: ListFlags): Promise<void> {
  const output = await runtime.output();
  output.check(withdrawalView);
  const most = mostOf(flags);
  const keep = filterOf(flags, runtime.clock.now());
  const api = await runtime.api();
  const pages = api.pages('listWithdrawals', undefined, { limit: Math.min(pageLimit, most) });
  const shown = await output.each(withdrawalView, matching(pages, keep, most));
  if (shown === most) output.note(`Stopped at ${most}; --all shows every one that matches.`);
}

async function* matching(
  pages: AsyncIterable<Page<Withdrawal>>,
  keep: (withdrawal: Withdrawal) => boolean,
  most: number,
): AsyncGenerator<Withdrawal, void, undefined> {
  let kept = 0;
  for await (const { items } of pages) {
    for (const item of items) {
      if (!keep(item)) continue;
      yield item;
      kept += 1;
      if (kept >= most) return;
    }
  }
}
