/** The second step: checks the policy, then the service's list. Writes nothing. */
import { orError, PixctlError } from '../../errors.ts';
import { type Intent, isOpen, type Scope } from '../../ledger/intent.ts';
import { msSinceRefusal } from '../../sending/refusal-timing.ts';
import type { Dependencies } from '../dependencies.ts';
import { bodyText } from '../matching/body.ts';
import { readListing } from '../matching/listing.ts';
import type { Held } from '../matching/reported-twins.ts';
import * as outcomes from '../outcome/create-outcome.ts';
import { justSent, stopElsewhere } from '../outcome/other-address.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { unreadableBeforeSend } from '../outcome/unreadable.ts';
import { type Breach, breachOf, dayStart, type Policy } from '../policy/policy.ts';
import type { WithdrawRequest } from '../request.ts';
import { filterSentInVain, findSentElsewhere, listedBeforeAll, readElsewhere } from './elsewhere.ts';
import type { SendOptions } from './execute.ts';
import { judgeListing } from './plan.ts';

export type PreflightResult =
  | { readonly kind: 'ready'; readonly send: SendOptions }
  | ({ readonly kind: 'held' } & Held)
  | { readonly kind: 'done' | 'busy'; readonly outcome: Outcome };

export interface PreflightOptions {
  /** Only look: a real run would by now have called off what it leaves alone. */
  readonly dry?: boolean;
  /** What a person had been told of when the run began (`onceReportedTwins`): `--allow-duplicate` is about no more. */
  readonly reportedTwins: ReadonlySet<string>;
}

/**
 * Decides whether `request` may be sent now. Returns `ready` with what the send needs, `held` if it may have
 * been paid already, `busy` while another withdrawal is in flight, or `done` if the policy or an unreadable list
 * forbids it. Rejects only when the ledger fails.
 */
export async function preflight(
  dependencies: Dependencies,
  request: WithdrawRequest,
  known: Intent | null,
  { dry: dryRun = false, reportedTwins }: PreflightOptions,
): Promise<PreflightResult> {
  const { ledger, clock, signal } = dependencies;
  const { scope } = request;
  const breach = await findBreach(dependencies, request);
  if (breach !== null) return { kind: 'done', outcome: outcomes.policyBreach(known, breach) };

  const before = await ledger.fence(scope);
  const elsewhere = await readElsewhere(dependencies, request);
  const rested = await waitAfterRefusal(dependencies, request, elsewhere);
  // Going on would only record a send that never left, and after one of those no run rests (`waitAfterRefusal`).
  if (signal?.aborted) return { kind: 'done', outcome: outcomes.interrupted(known, signal) };
  // Read before the list, so that whatever is sent after this point makes our own send stale.
  const expectedFence = await ledger.fence(scope);
  const listing = await orError(readListing(dependencies.service));
  if (listing instanceof PixctlError) return { kind: 'done', outcome: unreadableBeforeSend(known, listing) };
  // Looks from that fence on only: going through everything ever sent takes long in a large ledger.
  const last = await ledger.lastSent(scope, bodyText(request), rested?.fence ?? before + 1);
  const sentInVain = filterSentInVain(elsewhere);
  const own = await ledger.baseline(scope, known?.fence ?? lastSendFence(last));
  const verdict = judgeListing({
    listing,
    body: request,
    baseline: await listedBeforeAll(ledger, expectedFence > 0 ? own : null, sentInVain),
    claimed: await ledger.findClaimedIds(scope, 'withdrawal', listing.ids),
    sentBefore: expectedFence > 0 || sentInVain.length > 0,
    allowDuplicate: request.allowDuplicate === true,
    reportedTwins: known?.fence == null && sentInVain.length === 0 ? null : reportedTwins,
    now: clock.now(),
  });
  const findElsewhere = () =>
    findSentElsewhere(dependencies, request, { reported: reportedTwins, elsewhere });
  switch (verdict.kind) {
    case 'in-flight': {
      const { id, status } = verdict.withdrawal;
      const why = `the service is still working on ${id} (${status}), and it accepts one withdrawal at a time`;
      return { kind: 'busy', outcome: outcomes.busy(known, why) };
    }
    case 'twins':
      if (await areOurs(dependencies, scope, verdict.twins))
        return { kind: 'busy', outcome: outcomes.busy(known, beingSentMaybe) };
      return { kind: 'held', twins: verdict.twins, paid: await findElsewhere().then(paidOrNull) };
    case 'ready': {
      if (!dryRun && isOvertaken(last, { rested, known }))
        return { kind: 'busy', outcome: outcomes.busy(known, justSent) };
      const other = await findElsewhere();
      if (other !== null) return stopElsewhere(known, other) ?? { kind: 'held', twins: [], paid: other };
      return {
        kind: 'ready',
        send: {
          expectedFence,
          baseline: listing.ids,
          allowedTwins: verdict.allowed.map(({ id }) => id),
          limit: dayLimit(request.policy),
          findSentElsewhere: findElsewhere,
        },
      };
    }
  }
}

/** Returns the rule of the policy that the order would break now, or null. */
async function findBreach(
  { ledger, clock }: Dependencies,
  { scope, policy, amount, savedDestination }: WithdrawRequest,
): Promise<Breach | null> {
  const now = clock.now();
  const { maxPerDay, timeZone } = policy;
  const spentToday = maxPerDay === null ? 0 : await ledger.spentSince(scope, dayStart(now, timeZone));
  return breachOf(policy, { amount, spentToday, destinationSaved: savedDestination, now });
}

/** It need not be this order that is being sent: only the next look tells. */
const beingSentMaybe =
  'another process is sending a withdrawal right now, or has just sent one, and what the service lists may be that';

const paidOrNull = (other: Intent | null): Intent | null =>
  other !== null && stopElsewhere(null, other) === null ? other : null;

/**
 * Returns the fence of this very order's last send (1, the scope's first send, if it was never sent). Whatever was
 * listed since and is unclaimed may be this order, paid under a ledger that a backup has since replaced.
 */
const lastSendFence = (last: Intent | null): number => Math.max(1, last?.fence ?? 0);

/**
 * How long after a refusal the same order waits before the list is searched for it: under any key, and after one of its
 * own key at another address. Milliseconds.
 */
const restMs = 4_000;

/**
 * Gives the list time to show a payment before the order is sent again. A refusal is believed once the list agrees, but
 * the list may lag behind: what was refused may have been the second copy of a request whose first was accepted.
 */
async function waitAfterRefusal(
  dependencies: Dependencies,
  { scope, ...order }: WithdrawRequest,
  elsewhere: readonly Intent[],
): Promise<Intent | null> {
  const { ledger, clock, signal, onRefusalWait } = dependencies;
  const last = await ledger.lastSent(scope, bodyText(order));
  let left = 0;
  for (const one of [last, ...elsewhere])
    if (one?.state === 'REFUSED') left = Math.max(left, restMs - (await msSinceRefusal(dependencies, one)));
  if (left <= 0) return last;
  onRefusalWait?.(left);
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
  if ((await ledger.findOpen(scope)) !== null) return true;
  // Not `claimed`, which trusts a single index: if that is damaged, a person would be asked about this ledger's own
  // payment.
  const resourceIds = twins.map(({ id }) => id);
  return (await ledger.findMany(scope, 'withdrawal', { resourceIds })).length > 0;
}
