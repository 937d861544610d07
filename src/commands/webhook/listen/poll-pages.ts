/** The lists that `listen --poll` reads. Warns about what in them makes no event. */
import type { Api } from '../../../api/client.ts';
import { listLimit } from '../../../contract/pagination.ts';
import { isChargeStatus, isWithdrawalStatus } from '../../../contract/statuses.ts';
import type { Withdrawal } from '../../../contract/withdrawal.ts';
import { makeVisible } from '../../../terminal/escape.ts';

/** Each function reads its list from the newest on, whenever it is called. Each warning is given only once. */
export function createPollPages(api: Api, warn: (text: string) => void, signal: AbortSignal) {
  const paging = { limit: listLimit.max, signal };
  const tellUnnamed = once(() =>
    warn(
      'The service lists withdrawals without an id. No events are made for them: they cannot be told apart.',
    ),
  );
  const tellUnpaged = once(() =>
    warn(
      'The service lists withdrawals without pagination: no events are made for those that are not on its one page.',
    ),
  );
  const tellUnknown = unknownStatuses(warn);
  return {
    async *charge() {
      for await (const { items } of api.pages('listCharges', undefined, paging)) {
        tellUnknown('charges', items, isChargeStatus);
        yield items;
      }
    },
    async *withdrawal() {
      for await (const page of api.pages('listWithdrawals', undefined, paging)) {
        if (page.isUnpaged) tellUnpaged();
        const named = page.items.filter(hasId);
        if (named.length < page.items.length) tellUnnamed();
        tellUnknown('withdrawals', named, isWithdrawalStatus);
        yield named;
      }
    },
  };
}

interface WithStatus {
  readonly status: string;
}

/** Beyond this many they cannot be names of statuses: text with a time in it, say, is new in each round. */
const mostUnknown = 20;

function unknownStatuses(warn: (text: string) => void) {
  const warned = new Set<string>();
  return (what: string, items: readonly WithStatus[], isKnown: (status: string) => boolean): void => {
    for (const { status } of items) {
      if (isKnown(status) || warned.size === mostUnknown) continue;
      const one = `${what} with the status ${makeVisible(status.slice(0, 100))}`;
      if (warned.has(one)) continue;
      warned.add(one);
      warn(
        `The service lists ${one}, which its document does not show. No event is made for a change to it.`,
      );
    }
  };
}

const hasId = (withdrawal: Withdrawal): withdrawal is Withdrawal & { id: string } =>
  withdrawal.id !== undefined;

function once(tell: () => void): () => void {
  let done = false;
  return () => {
    if (!done) tell();
    done = true;
  };
}
