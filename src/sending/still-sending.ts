/** Decides whether the process that began a send is still working on it, and what to record once it is gone. */
import type { Intent } from '../ledger/intent.ts';
import type { Owner } from '../owner/owner.ts';
import type { SendingDependencies } from './dependencies.ts';
import { recordWithRetry } from './record-with-retry.ts';
import { msUntilSendOver, skewMs, type TimingDependencies } from './send-timing.ts';

/** The longest that one exchange of a withdrawal may take. A longer `--timeout` bounds only the wait. Milliseconds. */
export const longestExchangeMs = 30_000;

/** Whether the owner of a SENDING intent may still be sending it. */
export async function isBeingSent(dependencies: TimingDependencies, intent: Intent): Promise<boolean> {
  const { owners } = dependencies;
  if (intent.owner === null) return false;
  const over = (await msUntilSendOver(dependencies, intent, skewMs)) < 0;
  const liveness = await owners.liveness(intent.owner);
  // Our own process is alive, but a send of ours whose outcome could not be recorded is over once its time limit
  // passes.
  if (liveness === 'alive') return !(over && isSameOwner(intent.owner, owners.self));
  // The pid may belong to another program by now. Calling a sender gone too early is safe: once `recordOwnerGone` is
  // recorded, it can no longer send.
  return liveness !== 'gone' && !over;
}

/**
 * Returns when a sender that cannot be checked from here counts as gone, ms since the epoch; null if it can be checked.
 */
export async function senderGoneAt(
  dependencies: SendingDependencies,
  intent: Intent,
): Promise<{ readonly why: 'elsewhere' | 'unsure'; readonly at: number } | null> {
  const { owners, clock } = dependencies;
  const why = intent.owner === null ? 'gone' : await owners.liveness(intent.owner);
  if (why !== 'elsewhere' && why !== 'unsure') return null;
  return { why, at: clock.now() + (await msUntilSendOver(dependencies, intent, skewMs)) };
}

const isSameOwner = (a: Owner, b: Owner): boolean =>
  a.host === b.host && a.boot === b.boot && a.pid === b.pid && a.started === b.started;

/**
 * Returns the state of a SENDING intent once its process is gone: NOT_SENT if it never marked its departure and the
 * machine has not been restarted (a power cut can lose the mark), otherwise UNKNOWN.
 */
export function stateOnceGone(
  { owners }: Pick<SendingDependencies, 'owners'>,
  { departed, owner }: Intent,
): 'NOT_SENT' | 'UNKNOWN' {
  const { boot } = owners.self;
  return !departed && boot !== '' && owner?.boot === boot ? 'NOT_SENT' : 'UNKNOWN';
}

/**
 * Records that the process of a SENDING intent is gone (see `stateOnceGone`). This change and the mark of departure
 * exclude each other, so that a process that is still running cannot send after it. Null: somebody else changed it.
 */
export const recordOwnerGone = (
  dependencies: SendingDependencies,
  intent: Intent,
): Promise<Intent | null> => {
  const state = stateOnceGone(dependencies, intent);
  return recordWithRetry(dependencies, intent, { state, reason: 'OWNER_GONE' }, 'owner-gone', {
    owner: intent.owner,
    by: dependencies.owners.self,
  });
};
