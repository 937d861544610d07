/** Which listed withdrawals can be the answer to a send. Pure; never one by its time (docs/withdrawal-promise.md). */
import { momentOf } from '../../contract/moment.ts';
import type { Intent } from '../../ledger/intent.ts';
import { surelyBeforeMs } from '../../sending/since-sent.ts';
import { bodyOf, canBe, type Identified } from './body.ts';
import type { Listing } from './listing.ts';

export interface Known {
  /** Ids that the service had listed before the send. */
  readonly baseline: ReadonlySet<string>;
  /** Ids that an intent claims. */
  readonly claimed: ReadonlySet<string>;
}

/** New since the send, claimed by nobody, and the same in amount, key and type, as far as can be seen. */
export function candidatesIn(listing: Listing, intent: Intent, { baseline, claimed }: Known): Identified[] {
  const body = bodyOf(intent);
  return listing.items.filter((one) => !baseline.has(one.id) && !claimed.has(one.id) && canBe(one, body));
}

/** Whether the list reaches back to the baseline: one that shows none of what was listed before is not whole. */
export const reachesBack = (listing: Listing, intent: Intent, baseline: ReadonlySet<string>): boolean =>
  (intent.listed ?? 0) === 0 || listing.items.some(({ id }) => baseline.has(id));

/**
 * Whether its time says that it was there before the send, though the list did not show it then: a list may miss one
 * for once. It is still a candidate, for what a time means is not documented; but none that is taken without a person.
 */
export const isOlder = ({ createdAt }: Identified, { sentAt }: Intent): boolean =>
  sentAt !== null && sentAt - momentOf(createdAt) > surelyBeforeMs;
