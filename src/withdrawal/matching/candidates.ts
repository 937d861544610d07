/** Which listed withdrawals may have come from a send. Pure. Never judged by time (docs/withdrawal-promise.md). */
import { parseIsoTime } from '../../contract/iso-time.ts';
import type { Intent } from '../../ledger/intent.ts';
import { serviceClockMarginMs } from '../../sending/send-timing.ts';
import { bodyOf, type Identified, mayMatch } from './body.ts';
import type { Listing } from './listing.ts';

export interface KnownIds {
  /** Ids that the service had listed before the send. */
  readonly baseline: ReadonlySet<string>;
  /** Ids that some intent claims. */
  readonly claimed: ReadonlySet<string>;
}

/**
 * Returns the withdrawals that are new since the send, claimed by nobody, and equal in amount, key and type as far as
 * shown.
 */
export function candidatesIn(
  listing: Listing,
  intent: Intent,
  { baseline, claimed }: KnownIds,
): Identified[] {
  const body = bodyOf(intent);
  return listing.items.filter((one) => !baseline.has(one.id) && !claimed.has(one.id) && mayMatch(one, body));
}

/** Whether the list reaches back to the baseline. One that shows nothing of what was listed before is incomplete. */
export const reachesBack = (listing: Listing, intent: Intent, baseline: ReadonlySet<string>): boolean =>
  (intent.listedCount ?? 0) === 0 || listing.items.some(({ id }) => baseline.has(id));

/**
 * Whether its time says that it existed before the send, although the list did not show it then: a list may miss one
 * for a moment. It stays a candidate, because what a time means is not documented, but only a person may adopt it.
 */
export const isOlder = ({ createdAt }: Identified, { sentAt }: Intent): boolean =>
  sentAt !== null && sentAt - parseIsoTime(createdAt) > serviceClockMarginMs;
