/** A refusal counts once the list agrees: a proxy may answer for a second copy of what the first one did. */
import type { Intent } from '../ledger/intent.ts';
import type { Verdict } from './classify.ts';
import type { Dependencies } from './dependencies.ts';
import { searchFor } from './settle.ts';

export async function confirmRefusal(
  dependencies: Pick<Dependencies, 'service' | 'ledger'>,
  intent: Intent,
  verdict: Verdict,
): Promise<Verdict> {
  if (verdict.kind !== 'refused') return verdict;
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
