/**
 * Predicts what a whole order ends with, whatever is answered, as far as policy and ledger show before a person is
 * asked to send it.
 */
import type { Intent } from '../../../ledger/intent.ts';
import { rethrowUnsent } from '../../../runtime/sending.ts';
import type { Runtime } from '../../../runtime.ts';
import { bodyText } from '../../../withdrawal/matching/body.ts';
import * as outcomes from '../../../withdrawal/outcome/create-outcome.ts';
import type { Outcome } from '../../../withdrawal/outcome/outcome.ts';
import { breachOf, dayStart } from '../../../withdrawal/policy/policy.ts';
import { isSameOrder, wasAccepted } from '../../../withdrawal/settling/check-ledger.ts';
import { findOpenWithdrawal } from '../../../withdrawal/settling/open-withdrawal.ts';
import type { Looking } from '../implied-label.ts';
import { refuseSentElsewhere } from '../open-to-send.ts';
import { checkKeyAndWarn, type LedgerState, withLedger } from '../preflight-checks.ts';
import { orderOf, type Plan } from './order.ts';

/**
 * Returns the outcome that the run would end with: the key belongs to another order (85), the service has its
 * withdrawal, or the policy refuses it (87). Null if a person has to say yes first. Throws what the run would throw: a
 * ledger other than the expected one, the same order at another address or under another label (78), no API key (77).
 * Warns of a withdrawal that stands in the way. Sends and records nothing; the run judges everything again.
 * `again`: `runPreflightChecks` has looked already, and warned, before the order was whole.
 */
export async function predictOutcome(
  runtime: Runtime,
  plan: Plan,
  { again }: { readonly again: boolean },
): Promise<Outcome | null> {
  try {
    const { outcome, ...state } = await withLedger(runtime, (seen) => predict(runtime, seen, plan));
    if (outcome === null && !again) await checkKeyAndWarn(runtime, state, [plan.idempotencyKey]);
    return outcome;
  } catch (error) {
    rethrowUnsent(error);
  }
}

interface Prediction extends LedgerState {
  readonly outcome: Outcome | null;
}

async function predict(runtime: Runtime, seen: Looking | null, plan: Plan): Promise<Prediction> {
  if (seen === null) return { outcome: breachIn(runtime, plan, 0, null), isKnown: false, open: null };
  const { scope, dependencies } = seen;
  const { ledger, clock } = dependencies;
  const order = orderOf(plan);
  await refuseSentElsewhere(runtime, seen, [order]);
  const inTheWay = await ledger.findOpen(scope);
  const known = await ledger.find(scope, plan.idempotencyKey);
  const isKnown = known !== null;
  const ends = (outcome: Outcome | null): Prediction => ({ outcome, isKnown, open: null });
  if (isKnown && !isSameOrder(known, bodyText(order))) return ends(outcomes.keyReused(known));
  if (isKnown && wasAccepted(known)) return ends(outcomes.acceptedOutcome(known, true));
  const isOwn = inTheWay?.idempotencyKey === plan.idempotencyKey;
  const { maxPerDay, timeZone } = plan.policy;
  // Whether the one in the way counts against the limit of the day is not known before the run has looked for it.
  const isSumKnown = inTheWay === null && maxPerDay !== null;
  const spent = isSumKnown ? await ledger.spentSince(scope, dayStart(clock.now(), timeZone)) : null;
  // Its own outcome is looked for whatever the policy says now.
  const outcome = isOwn ? null : breachIn(runtime, plan, spent, known);
  return { outcome, isKnown, open: await findOpenWithdrawal(dependencies, scope) };
}

/** Returns the policy's refusal (87), or null. `spentToday`: null if unknown; the day's limit is not judged then. */
function breachIn(
  { clock }: Runtime,
  { amount, saved: destinationSaved, policy }: Plan,
  spentToday: number | null,
  known: Intent | null,
): Outcome | null {
  const breach = breachOf(policy, { amount, spentToday, destinationSaved, now: clock.now() });
  return breach && outcomes.policyBreach(known, breach);
}
