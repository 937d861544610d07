/**
 * Foresees what a whole order ends with whatever is answered, as far as policy and ledger show before a person is asked
 * to send it.
 */
import type { Intent } from '../../../ledger/intent.ts';
import { checkApiKey } from '../../../runtime/check-api-key.ts';
import { unsent } from '../../../runtime/sending.ts';
import type { Runtime } from '../../../runtime.ts';
import { bodyText } from '../../../withdrawal/matching/body.ts';
import type { Outcome } from '../../../withdrawal/outcome/outcome.ts';
import * as say from '../../../withdrawal/outcome/say.ts';
import { breachOf, dayStart } from '../../../withdrawal/policy/policy.ts';
import { isSameOrder, isSettled } from '../../../withdrawal/settling/look.ts';
import { type StillOpen, stillOpen } from '../../../withdrawal/settling/still-open.ts';
import { inLedger } from '../before-asking.ts';
import type { Looking } from '../implied-label.ts';
import { refuseSentElsewhere } from '../open-to-send.ts';
import { orderOf, type Plan } from './order.ts';

/**
 * Returns the outcome that the run would end with: the key belongs to another order (85), the service has its
 * withdrawal, or the policy refuses it (87). Null if a person has to say yes first. Throws what the run would throw: a
 * ledger other than the expected one, the same order at another address or under another label (78), no API key (77).
 * Warns of a withdrawal that stands in the way. Sends and records nothing; the run judges everything again.
 * `again`: `refuseBeforeAsking` has looked already, and warned, before the order was whole.
 */
export async function foreseen(
  runtime: Runtime,
  plan: Plan,
  { again }: { readonly again: boolean },
): Promise<Outcome | null> {
  try {
    const { outcome, isKnown, open } = await inLedger(runtime, (seen) => foresee(runtime, seen, plan));
    if (outcome !== null || again) return outcome;
    if (!isKnown) await checkApiKey(runtime);
    if (open !== null && (!isKnown || open.idempotencyKey === plan.idempotencyKey))
      (await runtime.output()).warn(open.words);
    return null;
  } catch (error) {
    throw unsent(error);
  }
}

interface Foreseen {
  readonly outcome: Outcome | null;
  /** Whether the ledger has the key. */
  readonly isKnown: boolean;
  readonly open: StillOpen | null;
}

async function foresee(runtime: Runtime, seen: Looking | null, plan: Plan): Promise<Foreseen> {
  if (seen === null) return { outcome: breachIn(runtime, plan, 0, null), isKnown: false, open: null };
  const { scope, dependencies } = seen;
  const { ledger, clock } = dependencies;
  const order = orderOf(plan);
  await refuseSentElsewhere(runtime, seen, [order]);
  const inTheWay = await ledger.open(scope);
  const known = await ledger.find(scope, plan.idempotencyKey);
  const isKnown = known !== null;
  const ends = (outcome: Outcome | null): Foreseen => ({ outcome, isKnown, open: null });
  if (isKnown && !isSameOrder(known, bodyText(order))) return ends(say.keyReused(known));
  if (isKnown && isSettled(known)) return ends(say.settledOutcome(known, true));
  const isOwn = inTheWay?.idempotencyKey === plan.idempotencyKey;
  const { maxPerDay, timeZone } = plan.policy;
  // Whether the one in the way counts against the limit of the day is not known before the run has looked for it.
  const isSumKnown = inTheWay === null && maxPerDay !== null;
  const spent = isSumKnown ? await ledger.spentSince(scope, dayStart(clock.now(), timeZone)) : null;
  // Its own outcome is looked for whatever the policy says now.
  const outcome = isOwn ? null : breachIn(runtime, plan, spent, known);
  return { outcome, isKnown, open: await stillOpen(dependencies, scope) };
}

/** Returns the policy's refusal (87), or null. `spentToday`: null if unknown; the day's limit is not judged then. */
function breachIn(
  { clock }: Runtime,
  { amount, saved: destinationSaved, policy }: Plan,
  spentToday: number | null,
  known: Intent | null,
): Outcome | null {
  const rules = spentToday === null ? { ...policy, maxPerDay: null } : policy;
  const question = { amount, spentToday: spentToday ?? 0, destinationSaved, now: clock.now() };
  const breach = breachOf(rules, question);
  return breach && say.policyBreach(known, breach);
}
