/** An answer counts only if the service's list does not contradict it: a cache or a proxy may have answered. */
import type { Intent } from '../../ledger/intent.ts';
import type { Dependencies } from '../dependencies.ts';
import { type Search, searchFor } from '../settling/settle.ts';
import type { Verdict } from './classify.ts';

/** `baseline`: ids that were listed before the send, so that the send cannot have made them. */
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
 * A proxy may have sent the request twice: then the second copy was refused, and the first one accepted. An interrupt
 * does not end the reading of the list: it is read to its end, as the answer is.
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
      // What the first reading showed may be gone: what is new in this one counts all the same.
      const further = await searchFor(dependencies, intent, { uninterrupted: true, shortList: true });
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

/** Pauses (milliseconds) before the list is read again if nothing in it explains a CONFLICT: it may be behind. */
const furtherLooks = [1_000, 3_000] as const;

const showsNothingNew = (found: Search, baseline: ReadonlySet<string>): boolean =>
  found.kind === 'read' && found.listing.items.every(({ id }) => baseline.has(id));

/** How long after its first reading the list may be read again, milliseconds: the outcome is not recorded meanwhile. */
const longestAskingMs = 60_000;

/** A rate limit that refused the withdrawal refuses its list too: the list is read again when the service allows it. */
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
