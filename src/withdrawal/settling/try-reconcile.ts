/** Tries once to find out what became of an UNKNOWN intent (docs/withdrawals.md, "When it stays unknown"). */
import { ConstraintError } from '../../database/port.ts';
import { orError, PixctlError } from '../../errors.ts';
import type { Intent } from '../../ledger/intent.ts';
import { inferredChange, recordWithRetry } from '../../sending/record-with-retry.ts';
import type { Dependencies, ListOptions } from '../dependencies.ts';
import { bodyOf, type Identified, matches } from '../matching/body.ts';
import { candidatesIn, isOlder, reachesBack } from '../matching/candidates.ts';
import { type Listing, readListing } from '../matching/listing.ts';
import { resolveLine } from '../outcome/resolve-line.ts';
import { type EndedIntent, tryRecordEnding } from './ending.ts';
import { findOtherKey } from './other-scopes.ts';

export type ReconcileResult =
  | ({ readonly kind: 'adopted' } & EndedIntent)
  /** No withdrawal in the list can be this one. */
  | { readonly kind: 'none'; readonly listed: number }
  /** A person has to choose. `other`: the only one is, or may be, that of this key of another scope. */
  | {
      readonly kind: 'undecided';
      readonly candidates: readonly Identified[];
      readonly other?: Intent | undefined;
    }
  | { readonly kind: 'unreadable'; readonly error: PixctlError }
  /** Somebody else changed the intent in the meantime: look again. */
  | { readonly kind: 'moved' };

/** Searches the list once for what an UNKNOWN intent has sent, and adopts it if only one withdrawal can be it. */
export async function tryReconcile(dependencies: Dependencies, intent: Intent): Promise<ReconcileResult> {
  const settled = await lookOnce(dependencies, intent);
  if (settled.kind === 'adopted' || settled.kind === 'moved') return settled;
  // Another process may have adopted the withdrawal that this one was looking for, before or after the list was read.
  const current = await dependencies.ledger.find(intent.scope, intent.idempotencyKey);
  return current?.version === intent.version ? settled : { kind: 'moved' };
}

async function lookOnce(dependencies: Dependencies, intent: Intent): Promise<ReconcileResult> {
  const found = await searchFor(dependencies, intent);
  if (found.kind === 'unreadable') return found;
  const [only, ...more] = found.candidates;
  if (only === undefined) return { kind: 'none', listed: found.listing.items.length };
  // Only a person may claim one whose PIX key is masked, or that seems to have existed before the send.
  if (more.length > 0 || !matches(only, bodyOf(intent)) || isOlder(only, intent))
    return { kind: 'undecided', candidates: found.candidates };
  const other = await findOtherKey(dependencies, intent, only);
  return other === undefined
    ? adopt(dependencies, intent, only)
    : { kind: 'undecided', candidates: [only], other };
}

export type Search =
  | { readonly kind: 'read'; readonly listing: Listing; readonly candidates: readonly Identified[] }
  | { readonly kind: 'unreadable'; readonly error: PixctlError };

interface SearchOptions extends ListOptions {
  /** The list need not reach back to the baseline. */
  readonly shortList?: boolean;
}

/** Reads the list for withdrawals that this intent's send may have made. */
export async function searchFor(
  { service, ledger }: Pick<Dependencies, 'service' | 'ledger'>,
  intent: Intent,
  { shortList = false, ...options }: SearchOptions = {},
): Promise<Search> {
  const baseline = await ledger.baseline(intent.scope, intent.fence ?? 0);
  const listing = await orError(readListing(service, options));
  if (listing instanceof PixctlError) return { kind: 'unreadable', error: listing };
  if (!shortList && !reachesBack(listing, intent, baseline))
    return { kind: 'unreadable', error: notWhole(intent) };
  const claimed = await ledger.findClaimedIds(intent.scope, 'withdrawal', listing.ids);
  return { kind: 'read', listing, candidates: candidatesIn(listing, intent, { baseline, claimed }) };
}

export const listNotWhole = 'LIST_NOT_WHOLE';

const notWhole = (intent: Intent): PixctlError =>
  new PixctlError('later', listNotWhole, 'the list shows none of the withdrawals that it showed before', {
    hint: `Run again later. If the service has dropped those for good, check the dashboard and the bank statement. If it is there: ${resolveLine(intent, '--withdrawal', '<id>')}; if it is in neither: ${resolveLine(intent, '--not-sent', '--short-list')}`,
  });

async function adopt(
  dependencies: Dependencies,
  intent: Intent,
  found: Identified,
): Promise<ReconcileResult> {
  const change = inferredChange(found.id, JSON.stringify(found));
  try {
    const adopted = await recordWithRetry(dependencies, intent, change, 'adopted', {
      withdrawalId: found.id,
    });
    if (adopted === null) return { kind: 'moved' };
    const ended = await tryRecordEnding(dependencies, adopted, found);
    return ended === null ? { kind: 'moved' } : { kind: 'adopted', ...ended };
  } catch (cause) {
    if (cause instanceof ConstraintError) return { kind: 'moved' };
    throw cause;
  }
}
