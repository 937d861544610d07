/** What an answer says counts once the service's list does not speak against it: a cache or a proxy may have answered. */
import type { Intent } from '../ledger/intent.ts';
import type { Verdict } from './classify.ts';
import type { Dependencies } from './dependencies.ts';
import { type Search, searchFor } from './settle.ts';

/** `baseline`: what was listed before the send, which the send cannot have made. */
export async function confirm(
  dependencies: Confirming,
  intent: Intent,
  verdict: Verdict,
  baseline: ReadonlySet<string>,
): Promise<Verdict> {
  if (verdict.kind === 'refused') return confirmRefusal(dependencies, intent, verdict, baseline);
  if (verdict.kind !== 'accepted' || !baseline.has(verdict.withdrawal.id)) return verdict;
  return { kind: 'unknown', reason: 'ID_SEEN_BEFORE', status: 201 };
}

type Confirming = Pick<Dependencies, 'service' | 'ledger' | 'clock' | 'signal' | 'onPause'>;

/**
 * A proxy may have sent the request twice: what is refused is then the second copy, and the first one was accepted.
 * An interrupt ends no reading of the list: it is heard to its end as the answer is.
 */
async function confirmRefusal(
  dependencies: Confirming,
  intent: Intent,
  verdict: Verdict & { readonly kind: 'refused' },
  baseline: ReadonlySet<string>,
): Promise<Verdict> {
  const { status } = verdict;
  const { clock, signal } = dependencies;
  try {
    let found = await searchInTime(dependencies, intent);
    for (const pauseMs of verdict.code === 'CONFLICT' ? furtherLooks : []) {
      if (signal?.aborted || !showsNothingNew(found, baseline)) break;
      await clock.sleep(pauseMs, signal);
      const further = await searchFor(dependencies, intent, { uninterrupted: true });
      // The reading before stands: only a person would end an outcome that is unknown.
      if (further.kind === 'unreadable') break;
      found = further;
    }
    if (found.kind === 'unreadable') return { kind: 'unknown', reason: 'REFUSAL_UNCONFIRMED', status };
    return found.candidates.length === 0
      ? verdict
      : { kind: 'unknown', reason: 'REFUSED_BUT_LISTED', status };
  } catch {
    return { kind: 'unknown', reason: 'REFUSAL_UNCONFIRMED', status };
  }
}

/** A duplicate, and of nothing that is listed: the list may be behind, and is looked at again after so many milliseconds. */
const furtherLooks = [1_000, 3_000] as const;

const showsNothingNew = (found: Search, baseline: ReadonlySet<string>): boolean =>
  found.kind === 'read' && found.listing.items.every(({ id }) => baseline.has(id));

/** How long after its first reading the list may be asked for again, milliseconds: the outcome is unwritten meanwhile. */
const longestAskingMs = 60_000;

/** A rate that has refused the withdrawal refuses its list too: that is read again when the service says so. */
async function searchInTime(dependencies: Confirming, intent: Intent): Promise<Search> {
  const { clock, signal, onPause } = dependencies;
  let until: number | null = null;
  for (;;) {
    const found = await searchFor(dependencies, intent, { uninterrupted: true });
    until ??= clock.monotonic() + longestAskingMs;
    const asked = found.kind === 'unreadable' ? found.error.retryAfterMs : undefined;
    const pauseMs = Math.max(asked ?? 0, 1_000);
    if (asked === undefined || clock.monotonic() + pauseMs > until || signal?.aborted) return found;
    onPause?.(pauseMs);
    await clock.sleep(pauseMs, signal);
  }
}
