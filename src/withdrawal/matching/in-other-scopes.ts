/**
 * What the ledger has of listed withdrawals under other labels and at other addresses: two labels may be one merchant,
 * two addresses one service, and a list then shows what all of them have sent.
 */
import { type Intent, isOpen } from '../../ledger/intent.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { bodyOf, byPossibleAmount, type Identified, mayMatch } from './body.ts';

/** How many ids are looked up between two checks for a signal. */
const idsAtOnce = 500;

/**
 * Returns, by id, the key of another scope that has the withdrawal, or else one that may have made it: its outcome is
 * unknown, or it was refused, perhaps as the second copy of its request. `listed`, by id, must have been listed before
 * this is called: what is sent from now on did not make it. Rejects when the ledger fails, or `signal` aborts.
 */
export async function findInOtherScopes(
  ledger: Pick<Ledger, 'inOtherScopes' | 'openElsewhere' | 'refusedElsewhere' | 'baseline'>,
  scope: Intent['scope'],
  listed: ReadonlyMap<string, Identified>,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Intent>> {
  const found = await findClaimants(ledger, scope, listed, signal);
  const rest = byPossibleAmount([...listed.values()].filter(({ id }) => !found.has(id)));
  const open = await ledger.openElsewhere(scope);
  for (const maker of [...open, ...(await ledger.refusedElsewhere(scope, new Set(rest.keys())))]) {
    signal?.throwIfAborted();
    const body = bodyOf(maker);
    const possible = (rest.get(maker.amount) ?? []).filter(
      (one) => !found.has(one.id) && mayMatch(one, body),
    );
    if (possible.length === 0) continue;
    const before = await ledger.baseline(maker.scope, maker.fence ?? 0);
    for (const { id } of possible) if (!before.has(id)) found.set(id, maker);
  }
  return found;
}

/** Returns, by id, the key of another scope that has the withdrawal. */
async function findClaimants(
  ledger: Pick<Ledger, 'inOtherScopes'>,
  scope: Intent['scope'],
  listed: ReadonlyMap<string, Identified>,
  signal: AbortSignal | undefined,
): Promise<Map<string, Intent>> {
  const found = new Map<string, Intent>();
  const ids = [...listed.keys()];
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    signal?.throwIfAborted();
    for (const intent of await ledger.inOtherScopes(scope, { resourceIds: ids.slice(at, at + idsAtOnce) })) {
      const one = listed.get(intent.resourceId ?? '');
      // The id may be a plain number, which another merchant's withdrawal has as well.
      if (one !== undefined && mayMatch(one, bodyOf(intent))) found.set(one.id, intent);
    }
  }
  return found;
}

/** Whether the key has it. Otherwise it may have made it. */
export const hasIt = (intent: Intent, id: string): boolean => !isOpen(intent) && intent.resourceId === id;
