/** Following a charge until its status tells how it ends. Polling, because a shell has no webhook. */
import type { Charge } from '../../contract/charge.ts';
import { formatCents } from '../../contract/money.ts';
import { endedBy, PixctlError } from '../../errors.ts';
import { timeoutOf } from '../../flags/duration.ts';
import type { Runtime } from '../../runtime.ts';
import { startProgress } from '../../terminal/progress.ts';
import { chargeView } from '../../views/charge.ts';
import { readCharge } from './read.ts';

const defaultWaitMs = 15 * 60_000;
/** Between two looks: short at first, longer when nobody pays at once. */
const firstPollMs = 1_000;
const longestPollMs = 10_000;
/** One look does not take the whole of a long wait. */
const longestLookMs = 30_000;

export interface FollowOptions {
  /** The status that ends with 0. */
  readonly goal?: 'PAID' | 'REFUNDED';
  /** The charge stands on stdout already, so only its end is told. */
  readonly alreadyShown?: boolean;
}

/**
 * Polls until `goal` (resolves), another final status (83), or the end of `--timeout` (82). Shows the last
 * charge that was read, however it ends. A look that fails is repeated until the time is up.
 */
export async function followTo(runtime: Runtime, begun: Charge, options: FollowOptions = {}): Promise<void> {
  const output = await runtime.output();
  const { goal = 'PAID' } = options;
  let charge = begun;
  try {
    charge = await untilDecided(runtime, charge, goal, (next) => {
      charge = next;
    });
  } finally {
    if (options.alreadyShown === true) output.note(`${charge.id} is ${charge.status}.`);
    else await output.show(chargeView, charge);
  }
  if (charge.status === goal) return;
  throw new PixctlError(
    'endedBadly',
    `CHARGE_${charge.status}`,
    `${charge.id} is ${charge.status}, not ${goal}.`,
  );
}

async function untilDecided(
  runtime: Runtime,
  begun: Charge,
  goal: string,
  seen: (charge: Charge) => void,
): Promise<Charge> {
  const { clock, io, signal, globals } = runtime;
  const output = await runtime.output();
  const waitMs = timeoutOf(globals) ?? defaultWaitMs;
  const end = clock.monotonic() + waitMs;
  const text = (now: string) => `Waiting for ${begun.id} (${formatCents(begun.amount)}), now ${now} ...`;
  if (!isDecided(begun, goal) && !io.stderrIsTerminal) output.note(text(begun.status));
  const progress = startProgress(io, clock, { quiet: output.options.quiet, text: text(begun.status) });
  let charge = begun;
  let trouble: PixctlError | null = null;
  try {
    for (let pause = firstPollMs; !isDecided(charge, goal); pause = Math.min(pause * 1.3, longestPollMs)) {
      const left = end - clock.monotonic();
      if (left <= 0) throw trouble ?? stillPending(charge, waitMs);
      await clock.sleep(Math.min(pause, left), signal);
      if (signal.aborted) throw stopped(charge, signal.reason);
      try {
        const next = await readCharge(runtime, charge.id, {
          timeoutMs: Math.min(longestLookMs, Math.max(1_000, end - clock.monotonic())),
        });
        if (next.status !== charge.status) output.note(`${charge.status} -> ${next.status}`);
        charge = next;
        progress.update(text(next.status));
        trouble = null;
        seen(charge);
      } catch (error) {
        if (!(error instanceof PixctlError) || error.kind !== 'later') throw error;
        if (trouble === null) output.note(`${error.message} Looking again ...`);
        trouble = error;
      }
    }
    return charge;
  } finally {
    progress.stop();
  }
}

/** Whether a status other than the goal can no longer become it. An unknown status may. */
const isDecided = ({ status }: Charge, goal: string): boolean =>
  status === goal || (goal === 'PAID' && ['EXPIRED', 'REFUNDED', 'DISPUTED'].includes(status));

const stillPending = (charge: Charge, waitMs: number): PixctlError =>
  new PixctlError(
    'pending',
    'STILL_PENDING',
    `${charge.id} is still ${charge.status} after ${Math.round(waitMs / 1000)} s.`,
    { hint: `Wait again: pixctl charge wait ${charge.id}` },
  );

const stopped = (charge: Charge, reason: unknown): PixctlError =>
  new PixctlError(endedBy(reason), 'INTERRUPTED', `Stopped waiting; ${charge.id} was ${charge.status}.`, {
    hint: `Wait again: pixctl charge wait ${charge.id}`,
  });
