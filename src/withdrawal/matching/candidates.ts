/** Which listed withdrawals may have come from a send. Pure. Never judged by time (docs/withdrawal-promise.md). */
import { momentOf } from '../../contract/moment.ts';
import type { Intent } from '../../ledger/intent.ts';
import { surelyBeforeMs } from '../../sending/since-sent.ts';
import { bodyOf, canBe, type Identified } from './body.ts';
import type { Listing } from './listing.ts';

export interface Known {
  /** Ids that the service had listed before the send. */
  readonly baseline: ReadonlySet<string>;
  /** Ids that some intent claims. */
  readonly claimed: ReadonlySet<string>;
}

/**
 * Returns the withdrawals that are new since the send, claimed by nobody, and equal in amount, key and type as far as
 * shown.
 */
export function candidatesIn(listing: Listing, intent: Intent, { baseline, claimed }: Known): Identified[] {
  const body = bodyOf(intent);
  return listing.items.filter((one) => !baseline.has(one.id) && !claimed.has(one.id) && canBe(one, body));
}

/** Whether the list reaches back to the baseline. One that shows nothing of what was listed before is incomplete. */
export const reachesBack = (listing: Listing, intent: Intent, baseline: ReadonlySet<string>): boolean =>
  (intent.listed ?? 0) === 0 || listing.items.some(({ id }) => baseline.has(id));

/**
 * Whether its time says that it existed before the send, although the list did not show it then: a list may miss one
 * for a moment. It stays a candidate, because what a time means is not documented, but only a person may adopt it.
 */
export const isOlder = ({ createdAt }: Identified, { sentAt }: Intent): boolean =>
  sentAt !== null && sentAt - momentOf(createdAt) > surelyBeforeMs;
