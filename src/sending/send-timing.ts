/** Measures how long until a send must be over, by a clock that nobody can set if there is one. */
import { isoTime } from '../clock.ts';
import type { Intent, NewEvent } from '../ledger/intent.ts';
import { departureMs } from './departure.ts';
import type { SendingDependencies } from './dependencies.ts';

/**
 * Makes the event that begins a send, with the uptime and time limit that others need, and for an auditor the host that
 * sends and `more`. `at`: when SENDING is stamped.
 */
export const sendingEvent = (
  { newId, owners, requestTimeoutMs }: Pick<SendingDependencies, 'newId' | 'owners' | 'requestTimeoutMs'>,
  at: number,
  more: Readonly<Record<string, unknown>> = {},
): NewEvent => ({
  id: newId(),
  at,
  what: 'sending',
  details: { host: owners.self.host, uptimeMs: owners.uptime(), timeoutMs: requestTimeoutMs, ...more },
});

/** How far the clocks of two hosts may differ. Milliseconds. */
export const skewMs = 30_000;

/** How long after the longest exchange a person may say that a send never arrived. Milliseconds. */
const settleMs = 60_000;

/** Returns the milliseconds until a person may say that a send never arrived; 0 or less once they may. */
export const msUntilSettleTime = (dependencies: TimingDependencies, intent: Intent): Promise<number> =>
  msUntilSendOver(dependencies, intent, settleMs);

/** What the time since a send is measured with. */
export type TimingDependencies = Pick<
  SendingDependencies,
  'ledger' | 'owners' | 'clock' | 'requestTimeoutMs'
>;

/**
 * Returns the milliseconds until a send is over, including its own longest exchange and `slackMs`; 0 or less once it
 * is. On the machine that sent, unless it was restarted, its uptime is used too, because the time of day may be set,
 * and other hosts may have it wrong.
 */
export async function msUntilSendOver(
  dependencies: TimingDependencies,
  intent: Intent,
  slackMs: number,
): Promise<number> {
  const { owners, clock, requestTimeoutMs } = dependencies;
  const { since, timeoutMs } = await readMeasurements(dependencies, intent);
  const longestMs = Math.max(requestTimeoutMs, timeoutMs);
  const byDay = clock.now() - (intent.sentAt ?? 0);
  // A negative time cannot be right (the clock was set back). Otherwise the shorter one counts.
  const unset = since ?? (isFromEarlierStart(dependencies, intent) ? owners.uptime() : byDay);
  const elapsed = byDay < 0 ? unset : Math.min(since ?? byDay, byDay);
  return departureMs + longestMs + slackMs - elapsed;
}

/**
 * Returns the earliest moment at which a send can have begun, in milliseconds since the epoch by the clock as it is
 * now. Null if unknown: the clock was ahead then or is behind now, and nothing else has measured the time.
 */
export async function earliestSendTime(
  dependencies: Pick<TimingDependencies, 'ledger' | 'owners' | 'clock'>,
  intent: Intent,
): Promise<number | null> {
  const sentAt = intent.sentAt ?? 0;
  const now = dependencies.clock.now();
  const { since } = await readMeasurements(dependencies, intent);
  if (since === null) return isToCome(dependencies, intent) ? null : sentAt;
  return Math.min(sentAt, now - since);
}

/**
 * How much earlier than a send a time from the service must be to show that something is older than it. The clock here
 * may be hours off (set to another zone's time), and a time from the service may name no zone. Milliseconds.
 */
export const serviceClockMarginMs = 24 * 3_600_000;

/** Whether the clock says that a send is still to come: it was ahead then, or is behind now. */
const isToCome = ({ clock }: Pick<TimingDependencies, 'clock'>, { sentAt }: Intent): boolean =>
  clock.now() < (sentAt ?? 0);

/**
 * Whether nothing tells how long ago a send was: the clock says that it is still to come, and no other time was
 * measured.
 */
export const isSendTimeUnknown = async (
  dependencies: Pick<TimingDependencies, 'ledger' | 'owners' | 'clock'>,
  intent: Intent,
): Promise<boolean> =>
  isToCome(dependencies, intent) &&
  !isFromEarlierStart(dependencies, intent) &&
  (await readMeasurements(dependencies, intent)).since === null;

/** Describes such a send, in words that fit into a sentence. */
export const clockWords = ({ sentAt }: Intent): string =>
  `it was sent at ${isoTime(sentAt ?? 0)}, which is in the future by this machine's clock, so nobody can tell how long ago that was`;

/**
 * Reads what was measured of a send. `since`: milliseconds since the send by the machine's uptime, null if that does
 * not tell (another machine, a restart, a container's own uptime). `timeoutMs`: the sender's own limit for the
 * exchange, 0 if not known.
 */
async function readMeasurements(
  { ledger, owners }: Pick<TimingDependencies, 'ledger' | 'owners'>,
  intent: Intent,
): Promise<{ readonly since: number | null; readonly timeoutMs: number }> {
  const sending = (await ledger.events(intent)).findLast(({ what }) => what === 'sending');
  const { uptimeMs, timeoutMs } = sending?.details ?? {};
  const { boot } = owners.self;
  const sameStart = boot !== '' && intent.owner?.boot === boot && typeof uptimeMs === 'number';
  const since = sameStart ? owners.uptime() - uptimeMs : -1;
  return { since: since < 0 ? null : since, timeoutMs: typeof timeoutMs === 'number' ? timeoutMs : 0 };
}

/**
 * Whether this very machine sent before it was last started, so that at least its uptime has passed. Only with a ledger
 * on its own disk, because containers on several hosts may share a name.
 */
const isFromEarlierStart = (
  { ledger, owners: { self } }: Pick<TimingDependencies, 'ledger' | 'owners'>,
  { owner }: Intent,
): boolean =>
  ledger.markDeparted !== undefined &&
  owner?.host === self.host &&
  self.boot !== '' &&
  owner.boot !== '' &&
  owner.boot !== self.boot;
