/** The second step: policy, then the service's list. Writes nothing. */
import { orError, PixctlError } from '../../errors.ts';
import { type Intent, isOpen, type Scope } from '../../ledger/intent.ts';
import { sinceRefused } from '../../sending/since-refused.ts';
import type { Dependencies } from '../dependencies.ts';
import { bodyText } from '../matching/body.ts';
import { readListing } from '../matching/listing.ts';
import { toldOf } from '../matching/told.ts';
import { unknownElsewhere } from '../outcome/other-address.ts';
import type { Outcome } from '../outcome/outcome.ts';
import * as say from '../outcome/say.ts';
import { unsent } from '../outcome/unreadable.ts';
import { breachOf, dayStart, type Policy } from '../policy/policy.ts';
import type { WithdrawRequest } from '../request.ts';
import { sentElsewhere } from './elsewhere.ts';
import type { SendOptions } from './execute.ts';
import { type Judgement, judge } from './plan.ts';

export type Survey =
  | { readonly kind: 'ready'; readonly send: SendOptions }
  | Extract<Judgement, { kind: 'twins' }>
  | { readonly kind: 'paid'; readonly paid: Intent }
  | { readonly kind: 'done' | 'busy'; readonly outcome: Outcome };

/**
 * Whether `request` may be sent now: `ready` with what the send needs, `twins` or `paid` where it may have been paid
 * already, `busy` while another withdrawal is in flight, `done` where policy or an unreadable list forbid it. Rejects
 * only when the ledger fails.
 */
export async function survey(
  dependencies: Dependencies,
  request: WithdrawRequest,
  known: Intent | null,
  { dry = false }: { readonly dry?: boolean } = {},
): Promise<Survey> {
  const { ledger, clock, signal } = dependencies;
  const { scope, policy } = request;
  const limit = dayLimit(policy);
  const today = limit && dayStart(clock.now(), limit.timeZone);
  const spentToday = today === undefined ? 0 : await ledger.spentSince(scope, today);
  const breach = breachOf(policy, {
    amount: request.amount,
    spentToday,
    destinationSaved: request.savedDestination,
    now: clock.now(),
  });
  if (breach !== null) return { kind: 'done', outcome: say.policyBreach(known, breach) };

  const before = await ledger.fence(scope);
  const rested = await restAfterRefusal(dependencies, request);
  // Going on would only record a send that never left, and after such a one no run rests (`restAfterRefusal`).
  if (signal?.aborted) return { kind: 'done', outcome: say.interrupted(known, signal) };
  // Before the list: whatever is sent after this number was read makes our own send stale.
  const expectedFence = await ledger.fence(scope);
  const listing = await orError(readListing(dependencies.service));
  if (listing instanceof PixctlError) return { kind: 'done', outcome: unsent(known, listing) };
  // From there on: to look through all that was ever sent takes long where that is much.
  const last = await ledger.lastSent(scope, bodyText(request), rested?.fence ?? before + 1);
  const verdict = judge({
    listing,
    body: request,
    baseline: await ledger.baseline(scope, known?.fence ?? judgedAt(last)),
    claimed: await ledger.claimed(scope, 'withdrawal', listing.ids),
    sentBefore: expectedFence > 0,
    allowDuplicate: request.allowDuplicate === true,
    told: known?.fence == null ? null : await toldOf(ledger, known),
    now: clock.now(),
  });
  switch (verdict.kind) {
    case 'in-flight': {
      const { id, status } = verdict.withdrawal;
      const why = `the service is still working on ${id} (${status}), and it accepts one withdrawal at a time`;
      return { kind: 'busy', outcome: say.busy(known, why) };
    }
    case 'twins':
      if (await areOurs(dependencies, scope, verdict.twins))
        return { kind: 'busy', outcome: say.busy(known, 'another process is sending it right now') };
      return verdict;
    case 'ready': {
      // A real run would have called off by now what a dry one leaves as it is.
      if (!dry && isOvertaken(last, { rested, known }))
        return { kind: 'busy', outcome: say.busy(known, 'another process has just sent the same order') };
      const other = await sentElsewhere(dependencies, request);
      if (other !== null)
        return isOpen(other)
          ? { kind: 'done', outcome: say.failed(known, unknownElsewhere(other, false)) }
          : { kind: 'paid', paid: other };
      return {
        kind: 'ready',
        send: {
          expectedFence,
          baseline: listing.ids,
          limit,
          sentElsewhere: () => sentElsewhere(dependencies, request),
        },
      };
    }
  }
}

/**
 * Fence of the last send of this very order (1, the scope's first send, if never sent). What was listed since and is
 * unclaimed may be this order, paid under a ledger that a backup has replaced.
 */
const judgedAt = (last: Intent | null): number => Math.max(1, last?.fence ?? 0);

/** How long after a refusal the same order, under whatever key, waits before the list is read for it. Milliseconds. */
const restMs = 4_000;

/**
 * A refusal is believed once the list agrees, and the list may be behind: what was refused may have been the second
 * copy of a request whose first one was accepted. Before the order is sent again the list is given time to show it.
 */
async function restAfterRefusal(
  dependencies: Dependencies,
  { scope, ...order }: WithdrawRequest,
): Promise<Intent | null> {
  const { ledger, clock, signal, onRest } = dependencies;
  const last = await ledger.lastSent(scope, bodyText(order));
  if (last?.state !== 'REFUSED') return last;
  const left = restMs - (await sinceRefused(dependencies, last));
  if (left <= 0) return last;
  onRest?.(left);
  await clock.sleep(left, signal);
  return last;
}

/**
 * Whether the same order was sent since the rest, or is being sent: it may have been refused before the list could
 * show what its send made, and then the list was read too early. `last`: as it is once the list has been read.
 */
function isOvertaken(
  last: Intent | null,
  { rested, known }: { readonly rested: Intent | null; readonly known: Intent | null },
): boolean {
  if (last === null || isSame(last, known)) return false;
  return isOpen(last) || !isSame(last, rested);
}

const isSame = ({ id, version }: Intent, other: Intent | null): boolean =>
  id === other?.id && version === other.version;

/** The cap of the day, for the transaction that sends to hold. */
const dayLimit = ({ maxPerDay, timeZone }: Policy): SendOptions['limit'] =>
  maxPerDay === null ? undefined : { timeZone, cents: maxPerDay };

/**
 * True if another process sharing this ledger sent the twins and had not recorded them when we judged: an intent is
 * open now, or has claimed one since.
 */
async function areOurs(
  { ledger }: Dependencies,
  scope: Scope,
  twins: readonly { readonly id: string }[],
): Promise<boolean> {
  if ((await ledger.open(scope)) !== null) return true;
  // Not `claimed`, which trusts one index: a person would be asked about what a key of this ledger has paid.
  const resourceIds = twins.map(({ id }) => id);
  return (await ledger.those(scope, 'withdrawal', { resourceIds })).length > 0;
}
