/** `pixctl withdrawal list`: as the service lists them, filtered here, streamed as pages arrive. */
import { matching } from '../../flags/list-filter.ts';
import { standpointOf } from '../../runtime/standpoint.ts';
import type { Runtime } from '../../runtime.ts';
import { withdrawalView } from '../../views/withdrawal.ts';
import { type ListFlags, mostOf, testsOf } from './list-filter.ts';

/** Withdrawals asked for at a time. */
const pageLimit = 100;

export async function list(runtime: Runtime, flags: ListFlags): Promise<void> {
  const output = await runtime.output();
  output.check(withdrawalView);
  const most = mostOf(flags);
  const tests = testsOf(flags, await standpointOf(runtime, flags));
  const api = await runtime.api();
  const pages = api.pages('listWithdrawals', undefined, { limit: Math.min(pageLimit, most) });
  const shown = await output.each(withdrawalView, matching(pages, tests, most));
  if (shown === most) output.note(`Stopped at ${most}; --all shows every one that matches.`);
}
