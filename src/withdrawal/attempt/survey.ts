/** The second step: checks the policy, then the service's list. Writes nothing. */
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
 * Decides whether `request` may be sent now. Returns `ready` with what the send needs, `twins` or `paid` if it may have
 * been paid already, `busy` while another withdrawal is in flight, or `done` if the policy or an unreadable list
 * forbids it. Rejects only when the ledger fails.
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
  // Going on would only record a send that never left, and after one of those no run rests (`restAfterRefusal`).
  if (signal?.aborted) return { kind: 'done', outcome: say.interrupted(known, signal) };
  // Read before the list, so that whatever is sent after this point makes our own send stale.
  const expectedFence = await ledger.fence(scope);
  const listing = await orError(readListing(dependencies.service));
  if (listing instanceof PixctlError) return { kind: 'done', outcome: unsent(known, listing) };
  // Looks from that fence on only: going through everything ever sent takes long in a large ledger.
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
      // A real run would by now have called off what a dry run leaves alone.
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
 * Returns the fence of this very order's last send (1, the scope's first send, if it was never sent). Whatever was
 * listed since and is unclaimed may be this order, paid under a ledger that a backup has since replaced.
 */
const judgedAt = (last: Intent | null): number => Math.max(1, last?.fence ?? 0);

/** How long after a refusal the same order, under any key, waits before the list is searched for it. Milliseconds. */
const restMs = 4_000;

/**
 * Gives the list time to show a payment before the order is sent again. A refusal is believed once the list agrees, but
 * the list may lag behind: what was refused may have been the second copy of a request whose first was accepted.
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
 * Whether the same order is being sent, or was sent since the rest. It may have been refused before the list could show
 * what its send created, and then we read the list too early. `last`: its last send, read after the list.
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

/** The daily cap, enforced by the transaction that records the send. */
const dayLimit = ({ maxPerDay, timeZone }: Policy): SendOptions['limit'] =>
  maxPerDay === null ? undefined : { timeZone, cents: maxPerDay };

/**
 * Whether another process sharing this ledger sent the twins but had not recorded them when we judged: an intent is
 * open now, or has claimed one of them since.
 */
async function areOurs(
  { ledger }: Dependencies,
  scope: Scope,
  twins: readonly { readonly id: string }[],
): Promise<boolean> {
  if ((await ledger.open(scope)) !== null) return true;
  // Not `claimed`, which trusts a single index: if that is damaged, a person would be asked about this ledger's own
  // payment.
  const resourceIds = twins.map(({ id }) => id);
  return (await ledger.those(scope, 'withdrawal', { resourceIds })).length > 0;
}
