/** For listed withdrawals that no key claims, finds the keys that they may belong to after all. */
import type { Intent, Scope } from '../../ledger/intent.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { amountWithoutFee, bodyOf, type Identified, mayMatch } from './body.ts';
import { isCorrectable } from './correctable.ts';

export type Aged = Pick<Intent, 'id' | 'createdAt'>;

/** Compares in the order of `Ledger.list`. */
export const newestFirst = (a: Aged, b: Aged): number =>
  b.createdAt - a.createdAt || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1);

type Correction = Aged & Pick<Intent, 'idempotencyKey' | 'state'>;

export interface Corrections {
  /** Takes an intent into account. Intents may come in any order. */
  add(intent: Intent): void;
  /** Returns the oldest correctable key that a withdrawal may belong to. */
  findFor(one: Identified): Correction | undefined;
  /** Whether this intent may have sent it: it was not listed before that send. */
  mayMatch(one: Identified): (intent: Intent) => boolean;
}

/** `unclaimed`: by id, the withdrawals that no key claims. They have been listed already. */
export async function correctionsOf(
  ledger: Pick<Ledger, 'fence' | 'firstSeen'>,
  scope: Scope,
  unclaimed: ReadonlyMap<string, Identified>,
): Promise<Corrections> {
  // They are listed already, so nothing that is sent from now on can be one of them.
  const latest = await ledger.fence(scope);
  const seen = await ledger.firstSeen(scope, [...unclaimed.keys()]);
  const found = new Map<string, Correction>();
  const byAmount = byPossibleAmount(unclaimed.values());
  const canBeOf =
    (one: Identified) =>
    (intent: Intent): boolean => {
      const sent = intent.fence ?? 0;
      return sent <= latest && (seen.get(one.id) ?? sent + 1) > sent && mayMatch(one, bodyOf(intent));
    };
  return {
    add(intent) {
      if (!isCorrectable(intent)) return;
      const { id, createdAt, idempotencyKey, state } = intent;
      for (const one of byAmount.get(intent.amount) ?? []) {
        const other = found.get(one.id);
        if ((other === undefined || newestFirst(other, intent) < 0) && canBeOf(one)(intent))
          found.set(one.id, { id, createdAt, idempotencyKey, state });
      }
    },
    findFor: ({ id }) => found.get(id),
    mayMatch: canBeOf,
  };
}

/** Groups them by each amount that may have been ordered. A failed one moved nothing, and belongs to nobody. */
function byPossibleAmount(all: Iterable<Identified>): ReadonlyMap<number, readonly Identified[]> {
  const byAmount = new Map<number, Identified[]>();
  for (const one of all) {
    if (one.status === 'FAILED') continue;
    for (const amount of new Set([one.amount, amountWithoutFee(one)])) {
      const alike = byAmount.get(amount);
      if (alike === undefined) byAmount.set(amount, [one]);
      else alike.push(one);
    }
  }
  return byAmount;
}
