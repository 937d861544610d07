/** Asks which withdrawal is meant. */
import { listLimit } from '../../contract/pagination.ts';
import { isInFlight } from '../../contract/statuses.ts';
import { openStates } from '../../ledger/intent.ts';
import { chooseIdempotencyKey, chooseListed, newestFirst } from '../../runtime/choose.ts';
import type { Runtime } from '../../runtime.ts';
import { withdrawalView } from '../../views/withdrawal.ts';

/** Offers those of the first page. `inFlight`: only those in flight. */
export const chooseWithdrawal = (
  runtime: Runtime,
  { inFlight = false, ...words }: { inFlight?: boolean; which?: string } = {},
) =>
  chooseListed(
    runtime,
    withdrawalView,
    async () => {
      const api = await runtime.api();
      const { items } = await api.page('listWithdrawals', { query: { limit: listLimit.max } });
      return newestFirst(items.filter(({ status }) => !inFlight || isInFlight(status)));
    },
    words,
  );

/**
 * Offers withdrawals of the service. "It never arrived" takes a flag and is not in the list: a wrong one pays twice.
 */
export const chooseServiceWithdrawal = (runtime: Runtime) =>
  chooseWithdrawal(runtime, {
    which: 'Which withdrawal of the service is it? (None of them: Ctrl-C, then see --not-sent)',
  });

export const chooseRecordedKey = (runtime: Runtime) => chooseIdempotencyKey(runtime, 'withdrawal');

/** Offers the keys whose outcome is not known. */
export const chooseUnresolvedKey = (runtime: Runtime) =>
  chooseIdempotencyKey(runtime, 'withdrawal', openStates);
