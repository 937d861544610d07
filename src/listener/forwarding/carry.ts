/** Carries one claimed event: attempts it, holds it or gives it up, and tells the store which. */
import type { Clock } from '../../clock.ts';
import { isUnreached } from '../posting/exchange.ts';
import { refusalOf, type Targets } from '../posting/targets.ts';
import type { Owed, Store } from '../store.ts';
import type { ApplicationWatch } from './application.ts';
import type { Made } from './attempt.ts';
import { afterAttempt, type RetryPolicy, unreachedDelayMs } from './backoff.ts';
import type { Lane } from './lanes.ts';
import { type Attempts, outcomeOf } from './make-attempt.ts';
import type { Pump } from './pump.ts';
import type { UntilKept } from './until-kept.ts';

export interface CarryOptions {
  readonly store: Pick<Store, 'postpone'>;
  readonly clock: Clock;
  readonly application: ApplicationWatch;
  readonly targets: Targets;
  readonly policy: RetryPolicy;
  /** Called for an event that is not attempted now because the application is down. */
  readonly onHeld: (owed: Owed) => void;
}

export interface CarryParts extends Pick<Pump, 'inPlace'> {
  readonly attempts: Attempts;
  readonly untilKept: UntilKept;
  readonly stopping: AbortSignal;
}

/**
 * Returns what carries one event of a lane to its application. It rejects only if the store does while the forwarder
 * stops.
 */
export function createCarry(options: CarryOptions, { attempts, inPlace, untilKept, stopping }: CarryParts) {
  const { store, clock, application, targets, policy } = options;

  async function carry(lane: Lane, owed: Owed): Promise<void> {
    const { url } = lane;
    const refused = owed.target === null ? null : refusalOf(targets, owed.target);
    if (refused !== null) return untilKept(lane, () => giveUp(owed, refused));
    if (application.isDown(url)) return hold(lane, owed);
    const made = await inPlace(lane, () => attempt(owed, url));
    const { result } = made;
    if (stopping.aborted && result.status === undefined) return leave(owed, made);
    const outcome = outcomeOf(owed, made, afterAttempt(result, owed.failures, clock.now(), policy));
    await untilKept(lane, () => attempts.record(owed, outcome));
  }

  async function attempt(owed: Owed, url: string) {
    const made = await attempts.make(owed, url);
    if (isUnreached(made.result) && !stopping.aborted) application.markDown(url);
    return made;
  }

  /**
   * Leaves the event to the next run. An attempt that was sent is recorded: the application may have taken it, although
   * its answer was not heard.
   */
  async function leave(owed: Owed, made: Made): Promise<void> {
    const nextAt = clock.now();
    if (isUnreached(made.result)) return store.postpone(owed.key, nextAt);
    const decision = { state: 'WAITING', failures: owed.failures, nextAt } as const;
    await attempts.record(owed, outcomeOf(owed, made, decision), { cutOff: true });
  }

  async function hold(lane: Lane, owed: Owed): Promise<void> {
    options.onHeld(owed);
    const until = clock.now() + unreachedDelayMs;
    await untilKept(lane, () => store.postpone(owed.key, until));
  }

  async function giveUp(owed: Owed, error: string): Promise<void> {
    const none = { url: owed.target ?? '', startedAt: clock.now(), ms: 0, status: null, error, answer: null };
    const end = { signature: 'original', state: 'GIVEN_UP', nextAt: null, failures: owed.failures } as const;
    await attempts.record(owed, { key: owed.key, number: owed.attempts + 1, ...none, ...end });
  }

  return carry;
}
