/** Asks which charge is meant. */
import { listLimit } from '../../contract/pagination.ts';
import { openStates } from '../../ledger/intent.ts';
import { chooseIdempotencyKey, chooseListed, newestFirst } from '../../runtime/choose.ts';
import type { Runtime } from '../../runtime.ts';
import { chargeView } from '../../views/charge.ts';

/** Offers those of the first page that have the status `status`. */
export const chooseCharge = (runtime: Runtime, status?: string) =>
  chooseListed(
    runtime,
    chargeView,
    async () => {
      const api = await runtime.api();
      const { items } = await api.page('listCharges', { query: { limit: listLimit.max } });
      return newestFirst(items.filter((charge) => status === undefined || charge.status === status));
    },
    { typed: 'Id of the charge (chg_...):' },
  );

/** Offers the keys whose outcome is not known. */
export const chooseUnresolvedKey = (runtime: Runtime) => chooseIdempotencyKey(runtime, 'charge', openStates);
