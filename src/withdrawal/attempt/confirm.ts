/** Believes an answer only if the service's list does not contradict it: a cache or a proxy may have answered. */
import type { Intent } from '../../ledger/intent.ts';
import type { Dependencies } from '../dependencies.ts';
import { type Search, searchFor } from '../settling/try-reconcile.ts';
import type { Verdict } from './classify.ts';

/**
 * Returns the verdict, or `unknown` if the list contradicts it. `baseline`: ids listed before the send, which the send
 * cannot have created.
 */
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
 * Checks a refusal against the list: a proxy may have sent the request twice, so that the first copy was accepted and
 * the second refused. An interrupt does not cut this short: the list is given its time, as the answer was.
 */
async function confirmRefusal(
  dependencies: Confirming,
  intent: Intent,
  verdict: Verdict & { readonly kind: 'refused' },
  baseline: ReadonlySet<string>,
): Promise<Verdict> {
  const { status } = verdict;
  try {
    let found = await searchInTime(dependencies, intent);
    for (const pauseMs of verdict.code === 'CONFLICT' ? furtherLooks : []) {
      if (!showsNothingNew(found, baseline)) break;
      await dependencies.clock.sleep(pauseMs);
      // `shortList`: the list may have lost what the first reading showed, but whatever is new in it still counts.
      const further = await searchFor(dependencies, intent, { uninterrupted: true, shortList: true });
      // The earlier reading stands: calling the outcome unknown would leave it to a person to end.
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

/**
 * Pauses before the list, which may lag behind, is read again because nothing in it explains a CONFLICT. Milliseconds.
 */
const furtherLooks = [1_000, 3_000] as const;

const showsNothingNew = (found: Search, baseline: ReadonlySet<string>): boolean =>
  found.kind === 'read' && found.listing.items.every(({ id }) => baseline.has(id));

/** How long after its first reading the list may be read again. Milliseconds. Until then the outcome is unrecorded. */
const longestAskingMs = 60_000;

/** Reads the list when the service allows it: a rate limit that refused the withdrawal refuses its list too. */
async function searchInTime(dependencies: Confirming, intent: Intent): Promise<Search> {
  const { clock, signal, onPause } = dependencies;
  let until: number | null = null;
  for (;;) {
    const found = await searchFor(dependencies, intent, { uninterrupted: true });
    until ??= clock.monotonic() + longestAskingMs;
    const retryAfterMs = found.kind === 'unreadable' ? found.error.retryAfterMs : undefined;
    const pauseMs = Math.max(retryAfterMs ?? 0, 1_000);
    if (retryAfterMs === undefined || clock.monotonic() + pauseMs > until || signal?.aborted) return found;
    onPause?.(pauseMs);
    await clock.sleep(pauseMs, signal);
  }
}
