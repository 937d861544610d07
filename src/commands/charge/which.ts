/** Asks which charge is meant. */
import { listLimit } from '../../contract/pagination.ts';
import { openStates } from '../../ledger/intent.ts';
import { choose, longestOffer, newestFirst, offersOf } from '../../runtime/choose.ts';
import { whichKey } from '../../runtime/which-key.ts';
import type { Runtime } from '../../runtime.ts';
import { chargeView } from '../../views/charge.ts';

/** Of the first page that the service lists, those that are `status`. */
export async function whichCharge(runtime: Runtime, status?: string) {
  return choose(runtime, {
    which: 'Which charge?',
    typed: 'Id of the charge (chg_...):',
    async offered() {
      const api = await runtime.api();
      const { items } = await api.page('listCharges', { query: { limit: listLimit.max } });
      const fitting = items.filter((charge) => status === undefined || charge.status === status);
      return offersOf(runtime, chargeView, newestFirst(fitting).slice(0, longestOffer), ({ id }) => id);
    },
  });
}

/** The key of one whose outcome is not known. */
export const whichUnknown = (runtime: Runtime) => whichKey(runtime, 'charge', openStates);
