/** How long until a send must be over, by a clock that nobody can set if there is one. */
import type { Intent, NewEvent } from '../ledger/intent.ts';
import { departureMs } from './departure.ts';
import type { SendingDependencies } from './dependencies.ts';

/** The event that begins a send, with the uptime and time limit that others need. `at`: when SENDING is stamped. */
export const sendingEvent = (
  { newId, owners, requestTimeoutMs }: Pick<SendingDependencies, 'newId' | 'owners' | 'requestTimeoutMs'>,
  at: number,
): NewEvent => ({
  id: newId(),
  at,
  what: 'sending',
  details: { uptimeMs: owners.uptime(), timeoutMs: requestTimeoutMs },
});

/** How long after the longest exchange a person may say that it never arrived, milliseconds. */
const settleMs = 60_000;

/** Milliseconds until a person may say that a send never arrived; 0 or less once they may. */
export const settlesIn = (dependencies: Clocks, intent: Intent): Promise<number> =>
  dueIn(dependencies, intent, settleMs);

type Clocks = Pick<SendingDependencies, 'ledger' | 'owners' | 'clock' | 'requestTimeoutMs'>;

/**
 * Milliseconds until a send is over, its own longest exchange and `slackMs` included; 0 or less once it is.
 * On the machine that sent, if it has not been restarted, the time since its start is used too: the
 * time of day may be set, and other hosts may have it wrong.
 */
export async function dueIn(dependencies: Clocks, intent: Intent, slackMs: number): Promise<number> {
  const { ledger, owners, clock, requestTimeoutMs } = dependencies;
  const sending = (await ledger.events(intent)).findLast(({ what }) => what === 'sending');
  const { uptimeMs, timeoutMs } = sending?.details ?? {};
  const longestMs = Math.max(requestTimeoutMs, typeof timeoutMs === 'number' ? timeoutMs : 0);
  const { boot } = owners.self;
  const sameStart = boot !== '' && intent.owner?.boot === boot && typeof uptimeMs === 'number';
  const since = sameStart ? owners.uptime() - uptimeMs : -1;
  const byDay = clock.now() - (intent.sentAt ?? 0);
  // A negative time cannot be right (a container's own uptime, a clock set back); otherwise the shorter one counts.
  const elapsed = since < 0 ? byDay : byDay < 0 ? since : Math.min(since, byDay);
  return departureMs + longestMs + slackMs - elapsed;
}
