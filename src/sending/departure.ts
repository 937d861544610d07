/**
 * The last check before the first byte. A process may be suspended between its commit and its send, for
 * hours, while others reconcile and a person decides: a late send must not leave at all.
 */
import type { Intent } from '../ledger/intent.ts';
import type { SendingDependencies } from './dependencies.ts';

/** How long after SENDING was stamped the first byte may leave, milliseconds. */
export const departureMs = 5_000;

export interface Departure {
  /** Ms since the epoch at which SENDING is stamped; taken before the commit. */
  readonly at: number;
  /**
   * Throws (`NotDeparted`), so that nothing leaves, when it is too late or the run was told to stop. `mark` writes
   * the departure into the ledger, and may throw too.
   */
  readonly check: (mark?: () => void) => void;
  /** Whether `check` has passed, so that a byte may have left. */
  readonly left: boolean;
}

export class NotDeparted extends Error {
  readonly why: 'late' | 'stopped';
  constructor(why: NotDeparted['why']) {
    super(why);
    this.why = why;
  }
}

/** Both clocks are read: the monotonic one stands still while a machine sleeps, the other one may be set. */
export function departureFrom({ clock, signal }: Pick<SendingDependencies, 'clock' | 'signal'>): Departure {
  const at = clock.now();
  const start = clock.monotonic();
  let left = false;
  const refuse = () => {
    if (signal?.aborted) throw new NotDeparted('stopped');
    if (clock.monotonic() - start > departureMs || clock.now() - at > departureMs)
      throw new NotDeparted('late');
  };
  return {
    at,
    check(mark) {
      refuse();
      mark?.();
      refuse();
      left = true;
    },
    get left() {
      return left;
    },
  };
}

/** Marks the departure right before the first byte, if the ledger writes synchronously. May throw: `Ledger.depart`. */
export const markDeparture = (
  { ledger, clock, newId }: Pick<SendingDependencies, 'ledger' | 'clock' | 'newId'>,
  intent: Intent,
): Intent => ledger.depart?.(intent, { id: newId(), at: clock.now(), what: 'departing' }) ?? intent;
