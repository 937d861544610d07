/** Records a person's word about an unknown outcome. */
import type { IdempotencyKey } from '../contract/brand.ts';
import { PixctlError } from '../errors.ts';
import { type Intent, type Scope, sendableStates } from '../ledger/intent.ts';
import type { Dependencies } from './dependencies.ts';
import { isCorrectable } from './matching/correctable.ts';
import * as outcomes from './outcome/create-outcome.ts';
import type { Outcome } from './outcome/outcome.ts';
import { unreadableOutcome } from './outcome/unreadable.ts';
import { pendingIfUndocumented } from './refresh.ts';
import { type NotSentVerdict, resolveAsNotSent } from './resolving/as-not-sent.ts';
import { resolveAsWithdrawal } from './resolving/as-withdrawal.ts';
import { changedMeanwhile, refuseVerdict, sentAgainOutcome } from './resolving/person.ts';
import { toUnknownOrOutcome } from './settling/as-unknown.ts';

export interface ResolveRequest {
  readonly scope: Scope;
  readonly idempotencyKey: IdempotencyKey;
  /** It is this withdrawal, or it was never sent. */
  readonly verdict: { readonly kind: 'withdrawal'; readonly id: string } | NotSentVerdict;
  /** Number of the send that the person was asked about, null where it had none; absent: whichever is the last now. */
  readonly fence?: number | null;
}

/**
 * Settles an UNKNOWN intent, or corrects one for which nothing is known to have moved but whose withdrawal exists after
 * all (`correctable.ts`). Refused (75) if the key has been sent again since the person was asked.
 * - `withdrawal`: read from the service. Refused if it existed before the send, is claimed by another intent or differs
 *   in amount or key (64), if there is none (88), or while it may belong to another key whose outcome is not known
 *   (84).
 * - `not-sent`: refused before the settle time (75), while the list is unreadable or incomplete (75), or while it shows
 *   a candidate (86). Afterwards the key may be sent again.
 */
export async function resolve(dependencies: Dependencies, request: ResolveRequest): Promise<Outcome> {
  const { scope, idempotencyKey, verdict, fence } = request;
  const { ledger } = dependencies;
  let intent: Intent | null = null;
  try {
    intent = await ledger.find(scope, idempotencyKey);
    if (intent === null) return outcomes.unknownKey(idempotencyKey);
    if (fence !== undefined && intent.fence !== fence) return sentAgainOutcome(intent);
    const unknown = await toUnknownOrOutcome(dependencies, intent);
    if (unknown === null) return changedMeanwhile(intent);
    if ('exit' in unknown) {
      const current = unknown.intent ?? intent;
      return verdict.kind === 'withdrawal' && isCorrectable(current)
        ? pendingIfUndocumented(await resolveAsWithdrawal(dependencies, current, verdict.id))
        : alreadyKnown(intent, verdict, unknown);
    }
    return verdict.kind === 'not-sent'
      ? await resolveAsNotSent(dependencies, unknown, verdict)
      : pendingIfUndocumented(await resolveAsWithdrawal(dependencies, unknown, verdict.id));
  } catch (cause) {
    // Without an intent, it is the ledger that could not be read.
    if (cause instanceof PixctlError) return { ...unreadableOutcome(intent, cause), unread: intent === null };
    throw cause;
  }
}

/** Nothing to settle: fine if the ledger agrees, a mistake if it says otherwise. */
function alreadyKnown(found: Intent, verdict: ResolveRequest['verdict'], outcome: Outcome): Outcome {
  // This very look may have made it known.
  const intent = outcome.intent ?? found;
  if (verdict.kind === 'not-sent' && intent.state === 'NOT_SENT') return { ...outcome, exit: 'ok' };
  const known = refuseVerdict(intent, `its outcome is known (${intent.state})`);
  if (sendableStates.includes(intent.state)) return known;
  const agrees = verdict.kind === 'withdrawal' && intent.resourceId === verdict.id;
  return agrees || outcome.exit !== 'ok' ? pendingIfUndocumented(outcome) : known;
}
