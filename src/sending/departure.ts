/**
 * The last check before the first byte. A process may be suspended for hours between its commit and its send, while
 * others reconcile and a person decides. A send that late must not leave at all.
 */
import type { Intent } from '../ledger/intent.ts';
import type { SendingDependencies } from './dependencies.ts';

/** How long after SENDING was stamped the first byte may leave, whatever the limit of the exchange. Milliseconds. */
export const departureMs = 5_000;

/**
 * Returns the same limit for an exchange that has more time. The connection is made after SENDING, and a name server
 * that does not answer takes 5 s by itself. A third of the time is left for the answer. Never longer than others wait
 * (`msUntilSendOver`).
 */
const longestDepartureMs = (requestTimeoutMs: number): number =>
  Math.max(departureMs, (requestTimeoutMs * 2) / 3);

export interface Departure {
  /** When SENDING is stamped, taken before the commit. Milliseconds since the epoch. */
  readonly at: number;
  /**
   * Throws `NotDepartedError`, so that nothing leaves, if it is too late or the run was told to stop. `mark` writes the
   * departure into the ledger, and may throw as well.
   */
  readonly check: (mark: () => void) => void;
  /** Whether `check` has passed, so that a byte may have left. */
  readonly hasDeparted: boolean;
}

/** Why nothing left, in words that continue a sentence. */
export const lateWords = 'it took too long to connect, or this process was held up';

export class NotDepartedError extends Error {
  readonly why: 'late' | 'stopped';
  constructor(why: NotDepartedError['why']) {
    super(why);
    this.why = why;
  }
}

/**
 * Starts the time limit, which goes by whichever clock has advanced furthest: the monotonic one stops while a machine
 * sleeps, the time of day may have been set back when it wakes, and the uptime may be a container's own.
 */
export function createDeparture({
  clock,
  owners,
  signal,
  requestTimeoutMs,
}: Pick<SendingDependencies, 'clock' | 'owners' | 'signal' | 'requestTimeoutMs'>): Departure {
  const at = clock.now();
  const start = clock.monotonic();
  const startedUp = owners.uptime();
  const passed = () => Math.max(clock.monotonic() - start, clock.now() - at, owners.uptime() - startedUp);
  const longestMs = longestDepartureMs(requestTimeoutMs);
  let left = false;
  const refuse = () => {
    if (signal?.aborted) throw new NotDepartedError('stopped');
    if (passed() > longestMs) throw new NotDepartedError('late');
  };
  return {
    at,
    check(mark) {
      refuse();
      mark();
      refuse();
      left = true;
    },
    get hasDeparted() {
      return left;
    },
  };
}

/**
 * Marks the departure right before the first byte, if the ledger writes synchronously. May throw (see
 * `Ledger.markDeparted`).
 */
export const markDeparture = (
  { ledger, clock, newId }: Pick<SendingDependencies, 'ledger' | 'clock' | 'newId'>,
  intent: Intent,
): Intent => ledger.markDeparted?.(intent, { id: newId(), at: clock.now(), what: 'departing' }) ?? intent;
