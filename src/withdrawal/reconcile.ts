/** Settles unknown outcomes by the ids that are new since the baseline, never by timestamps. */
import type { IdempotencyKey } from '../contract/brand.ts';
import { PixctlError } from '../errors.ts';
import type { Intent, Scope } from '../ledger/intent.ts';
import type { Dependencies } from './dependencies.ts';
import { currentOutcome } from './follow.ts';
import * as outcomes from './outcome/create-outcome.ts';
import type { Outcome } from './outcome/outcome.ts';
import { pendingIfUndocumented } from './refresh.ts';
import { toUnknownOrOutcome } from './settling/as-unknown.ts';
import { combineWithLedger } from './settling/combine-with-ledger.ts';
import { overtakenOutcome } from './settling/overtaken.ts';
import { stillUnknownOutcome } from './settling/still-unknown.ts';
import { tryReconcile } from './settling/try-reconcile.ts';

/**
 * Reconciles the intent of `idempotencyKey`, or the scope's open one. Exactly one candidate is adopted and marked as
 * inferred (`ok`; 82 with a status that the document does not show). Several are left to a person, and with none it
 * stays unknown (81). If nothing is open, the outcome is what `withdrawal status` reports for the key or, without a
 * key, `ok` with the code `NOTHING_OPEN`. A key that the ledger does not know is `notFound`.
 */
export async function reconcile(
  dependencies: Dependencies,
  request: { readonly scope: Scope; readonly idempotencyKey?: IdempotencyKey },
): Promise<Outcome> {
  const { ledger, onPhase } = dependencies;
  const { scope, idempotencyKey } = request;
  onPhase?.('reconciling');
  let key = idempotencyKey;
  /** Reports a run that ends without knowing more, including that an earlier one may have paid. */
  const ended = (outcome: Outcome) =>
    key === undefined
      ? { ...outcome, unread: true }
      : combineWithLedger(dependencies, { scope, idempotencyKey: key }, outcome);
  try {
    // Another round only if somebody else changed it. Whoever keeps changing it is settling it.
    for (let round = 0; round < 10; round++) {
      const intent = await (idempotencyKey === undefined
        ? ledger.findOpen(scope)
        : ledger.find(scope, idempotencyKey));
      if (intent === null) return nothing(idempotencyKey);
      key = intent.idempotencyKey;
      const outcome = await reconcileOne(dependencies, intent);
      if (outcome !== null) return outcome;
    }
    return await ended(await overtakenOutcome(ledger));
  } catch (cause) {
    if (cause instanceof PixctlError) return ended(outcomes.failed(null, cause));
    throw cause;
  }
}

async function reconcileOne(dependencies: Dependencies, intent: Intent): Promise<Outcome | null> {
  const unknown = await toUnknownOrOutcome(dependencies, intent);
  if (unknown === null) return null;
  if ('exit' in unknown)
    return unknown.code === 'ACCEPTED' ? currentOutcome(dependencies, intent, unknown) : unknown;
  const settled = await tryReconcile(dependencies, unknown);
  switch (settled.kind) {
    case 'adopted':
      return pendingIfUndocumented(outcomes.acceptedOutcome(settled.intent, true, settled.unwritten));
    case 'moved':
      return null;
    case 'undecided':
    case 'none':
    case 'unreadable':
      return stillUnknownOutcome(dependencies, unknown, settled);
  }
}

const nothing = (key: IdempotencyKey | undefined): Outcome =>
  key === undefined
    ? outcomes.createOutcome('ok', 'NOTHING_OPEN', 'No withdrawal has an unknown outcome.')
    : outcomes.unknownKey(key);
