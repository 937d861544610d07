/** What an answer says counts once the service's list does not speak against it: a cache or a proxy may have answered. */
import type { Intent } from '../ledger/intent.ts';
import type { Verdict } from './classify.ts';
import type { Dependencies } from './dependencies.ts';
import { searchFor } from './settle.ts';

/** `baseline`: what was listed before the send, which the send cannot have made. */
export async function confirm(
  dependencies: Pick<Dependencies, 'service' | 'ledger'>,
  intent: Intent,
  verdict: Verdict,
  baseline: ReadonlySet<string>,
): Promise<Verdict> {
  if (verdict.kind === 'refused') return confirmRefusal(dependencies, intent, verdict);
  if (verdict.kind !== 'accepted' || !baseline.has(verdict.withdrawal.id)) return verdict;
  return { kind: 'unknown', reason: 'ID_SEEN_BEFORE', status: 201 };
}

/** A proxy may have sent the request twice: what is refused is then the second copy, and the first one was accepted. */
async function confirmRefusal(
  dependencies: Pick<Dependencies, 'service' | 'ledger'>,
  intent: Intent,
  verdict: Verdict & { readonly kind: 'refused' },
): Promise<Verdict> {
  const { status } = verdict;
  try {
    const found = await searchFor(dependencies, intent);
    if (found.kind === 'unreadable') return { kind: 'unknown', reason: 'REFUSAL_UNCONFIRMED', status };
    return found.candidates.length === 0
      ? verdict
      : { kind: 'unknown', reason: 'REFUSED_BUT_LISTED', status };
  } catch {
    return { kind: 'unknown', reason: 'REFUSAL_UNCONFIRMED', status };
  }
}
