/** Carries one claimed event: attempts it, holds it or gives it up, and tells the store which. */
import type { Clock } from '../../clock.ts';
import { isUnreached } from '../posting/exchange.ts';
import { refusalOf, type Targets } from '../posting/targets.ts';
import type { OwedEvent, Store } from '../store.ts';
import type { ApplicationWatch } from './application.ts';
import type { SentAttempt } from './attempt.ts';
import { decideAfterAttempt, type RetryPolicy, unreachedDelayMs } from './backoff.ts';
import type { Lane } from './lanes.ts';
import { type Attempts, outcomeOf } from './make-attempt.ts';
import type { Pump } from './pump.ts';
import type { WriteWithRetry } from './write-with-retry.ts';

export interface EventProcessorOptions {
  readonly store: Pick<Store, 'postpone' | 'stillHolds'>;
  readonly clock: Clock;
  readonly application: ApplicationWatch;
  readonly targets: Targets;
  readonly policy: RetryPolicy;
  /** Called for an event that is not attempted now because the application is down. */
  readonly onHeld: (owed: OwedEvent) => void;
  /** Called for an event that is not attempted here, because another listener has taken it over meanwhile. */
  readonly onTakenOver: (owed: OwedEvent) => void;
}

interface EventProcessorParts extends Pick<Pump, 'runInSlot'> {
  readonly attempts: Attempts;
  readonly writeWithRetry: WriteWithRetry;
  readonly stopping: AbortSignal;
}

/**
 * Returns what carries one event of a lane to its application. It rejects only if the store does while the forwarder
 * stops.
 */
export function createEventProcessor(
  options: EventProcessorOptions,
  { attempts, runInSlot, writeWithRetry, stopping }: EventProcessorParts,
) {
  const { store, clock, application, targets, policy } = options;

  async function processEvent(lane: Lane, owed: OwedEvent): Promise<void> {
    const { url } = lane;
    const refused = owed.target === null ? null : refusalOf(targets, owed.target);
    if (refused !== null) return writeWithRetry(lane, () => giveUp(owed, refused));
    if (application.isDown(url)) return hold(lane, owed);
    const made = await runInSlot(lane, async () =>
      (await isStillOurs(lane, owed)) ? attempt(owed, url) : null,
    );
    if (made === null) return options.onTakenOver(owed);
    const { result } = made;
    if (stopping.aborted && result.status === undefined) return leaveForNextRun(owed, made);
    const outcome = outcomeOf(owed, made, decideAfterAttempt(result, owed.failures, clock.now(), policy));
    await writeWithRetry(lane, () => attempts.record(owed, outcome));
  }

  async function isStillOurs(lane: Lane, { key }: OwedEvent): Promise<boolean> {
    let ours = false;
    await writeWithRetry(lane, async () => {
      ours = await store.stillHolds(key);
    });
    return ours;
  }

  async function attempt(owed: OwedEvent, url: string) {
    const made = await attempts.make(owed, url);
    if (isUnreached(made.result) && !stopping.aborted) application.markDown(url);
    return made;
  }

  /**
   * Leaves the event to the next run. An attempt that was sent is recorded: the application may have taken it, although
   * its answer was not heard.
   */
  async function leaveForNextRun(owed: OwedEvent, made: SentAttempt): Promise<void> {
    const nextAt = clock.now();
    if (isUnreached(made.result)) return store.postpone(owed.key, nextAt);
    const decision = { state: 'WAITING', failures: owed.failures, nextAt } as const;
    await attempts.record(owed, outcomeOf(owed, made, decision), { cutOff: true });
  }

  async function hold(lane: Lane, owed: OwedEvent): Promise<void> {
    options.onHeld(owed);
    const until = clock.now() + unreachedDelayMs;
    await writeWithRetry(lane, () => store.postpone(owed.key, until));
  }

  async function giveUp(owed: OwedEvent, error: string): Promise<void> {
    const none = { url: owed.target ?? '', startedAt: clock.now(), ms: 0, status: null, error, answer: null };
    const end = { signature: 'original', state: 'GIVEN_UP', nextAt: null, failures: owed.failures } as const;
    await attempts.record(owed, { key: owed.key, number: owed.attempts + 1, ...none, ...end });
  }

  return processEvent;
}
