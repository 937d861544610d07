/** Decides, from what was read, whether a withdrawal may be sent now. Pure. */
import { parseIsoTime } from '../../contract/iso-time.ts';
import { isInFlight } from '../../contract/statuses.ts';
import type { CreateWithdrawalBody } from '../../contract/withdrawal.ts';
import { type Identified, mayMatch } from '../matching/body.ts';
import type { KnownIds } from '../matching/candidates.ts';
import type { Listing } from '../matching/listing.ts';

export type Judgement =
  /** `allowed`: the twins that a person says are other withdrawals. */
  | { readonly kind: 'ready'; readonly allowed: readonly Identified[] }
  /** The service allows one withdrawal in flight per merchant. */
  | { readonly kind: 'in-flight'; readonly withdrawal: Identified }
  /** The list shows what may be this very withdrawal, sent from elsewhere. */
  | { readonly kind: 'twins'; readonly twins: readonly Identified[] };

export interface PlanFacts extends KnownIds {
  readonly listing: Listing;
  readonly body: CreateWithdrawalBody;
  /** Whether this ledger has sent before: `baseline` is then what was listed when this order was last judged. */
  readonly sentBefore: boolean;
  /** A person's word that the twins are other withdrawals. */
  readonly allowDuplicate: boolean;
  /** Ids that held this key up since it was sent first, so that such a word is about them too; null: never sent. */
  readonly reportedTwins: ReadonlySet<string> | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** How long an unclaimed withdrawal of the same amount and key counts as a possible twin. */
const recentMs = 24 * 3_600_000;

/** Decides whether the service's list allows the send. */
export function judgeListing({ listing, ...facts }: PlanFacts): Judgement {
  // Twins come first: a withdrawal in flight may be a twin too, and must not be reported as somebody else's.
  const all = listing.items.filter((one) => isTwin(one, facts));
  const twins = all.filter((one) => !isAllowed(one, facts));
  if (twins.length > 0) return { kind: 'twins', twins };
  const withdrawal = listing.items.find(({ status }) => isInFlight(status));
  return withdrawal === undefined ? { kind: 'ready', allowed: all } : { kind: 'in-flight', withdrawal };
}

/**
 * What was not there when this very key was sent may be what that send made, though it was refused: of that nobody knew
 * who had said before that there is another one.
 */
const isAllowed = (
  { id }: Identified,
  { allowDuplicate, reportedTwins, baseline }: Omit<PlanFacts, 'listing'>,
): boolean => allowDuplicate && (reportedTwins === null || reportedTwins.has(id) || baseline.has(id));

function isTwin(one: Identified, facts: Omit<PlanFacts, 'listing'>): boolean {
  if (one.status === 'FAILED' || facts.claimed.has(one.id) || !mayMatch(one, facts.body)) return false;
  // However old it is: a ledger restored from a backup does not know what was sent after it, and would pay that again.
  if (facts.sentBefore && !facts.baseline.has(one.id)) return true;
  const created = parseIsoTime(one.createdAt);
  // The document shows no creation time. Without one, whatever no earlier send had seen counts as recent.
  return Number.isNaN(created) ? !facts.baseline.has(one.id) : facts.now - created < recentMs;
}
