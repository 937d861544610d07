/** Follows a charge until its status shows how it ends. Polls, because a shell has no webhook. */
import { lookOptions, readRepeatedly } from '../../api/pause.ts';
import type { Charge } from '../../contract/charge.ts';
import { formatCents } from '../../contract/money.ts';
import { isChargeStatus } from '../../contract/statuses.ts';
import { kindForSignal, PixctlError, rewordError } from '../../errors.ts';
import { commandLine } from '../../flags/command-line.ts';
import { timeoutOf } from '../../flags/duration.ts';
import { untilShown } from '../../runtime/completed-action.ts';
import type { Runtime } from '../../runtime.ts';
import { chargeView } from '../../views/charge.ts';
import { getChargeLine, readCharge } from './read.ts';
import { isPayable, undocumentedStatusText } from './show-code.ts';

const defaultWaitMs = 15 * 60_000;
/** Pauses between two looks. Short at first, longer when nobody pays at once. */
const pauses = { firstPauseMs: 1_000, longestPauseMs: 10_000 };

interface FollowOptions {
  /** The status that means exit 0. */
  readonly goal?: 'PAID' | 'REFUNDED';
  /** The charge is on stdout already, so only its end is shown. */
  readonly alreadyShown?: boolean;
  /** This run created or refunded it. If it can no longer be read, that is still so. */
  readonly changedByThisRun?: boolean;
}

/** How long a wait lasts at most, in milliseconds. Throws a usage error (64) for a bad `--timeout`. */
export const longestWaitMs = ({ globals }: Pick<Runtime, 'globals'>): number =>
  timeoutOf(globals) ?? defaultWaitMs;

/**
 * Polls until `goal` (resolves), another final status (83), or the end of `--timeout` (82). Shows the last charge that
 * was read, however it ends. A failed read is repeated until the time is up. A refused read ends the wait, with 82 if
 * this run has made something: any other code would say that it had no effect.
 */
export async function followTo(runtime: Runtime, begun: Charge, options: FollowOptions = {}): Promise<void> {
  const output = await runtime.output();
  const { goal = 'PAID' } = options;
  let charge = begun;
  const error = await waitUntilDecided(runtime, begun, { ...options, goal }, (next) => {
    charge = next;
  }).then(
    () => (charge.status === goal ? null : endedBadly(charge, goal)),
    (cause: unknown) => cause,
  );
  if (options.alreadyShown === true) output.note(`${charge.id} is ${charge.status}.`);
  else await untilShown(output, output.show(chargeView, charge), error);
  if (error !== null) throw error;
}

const endedBadly = ({ id, status }: Charge, goal: string): PixctlError =>
  new PixctlError(
    'endedBadly',
    `CHARGE_${status}`,
    `${id} is ${status}, not ${goal}.`,
    status === 'EXPIRED' ? { hint: 'To be paid after all, create another charge: pixctl charge create' } : {},
  );

/** Hands each charge that it reads to `seen`. */
async function waitUntilDecided(
  runtime: Runtime,
  begun: Charge,
  { goal, changedByThisRun = false }: FollowOptions & { readonly goal: string },
  seen: (charge: Charge) => void,
): Promise<void> {
  if (isDecided(begun, goal)) return;
  const { signal } = runtime;
  const waitMs = longestWaitMs(runtime);
  const reporter = await createReporter(runtime, begun, goal);
  const api = await runtime.api();
  const look = (leftMs: number) => readCharge(runtime, begun.id, lookOptions(api, leftMs));
  let charge = begun;
  let trouble: PixctlError | null = null;
  try {
    for await (const next of readRepeatedly(runtime, { waitMs, ...pauses }, look)) {
      if (next instanceof PixctlError) {
        if (next.kind !== 'later') throw changedByThisRun ? unreadable(charge, goal, next) : next;
        reporter.failed(next);
        trouble = next;
        continue;
      }
      reporter.read(next, charge);
      charge = next;
      trouble = null;
      seen(charge);
      if (isDecided(charge, goal)) return;
    }
    if (signal.aborted) throw stopped(charge, goal, signal.reason);
    throw trouble === null
      ? stillPending(charge, goal, `after ${Math.round(waitMs / 1000)} s`)
      : unreadable(charge, goal, trouble);
  } finally {
    reporter.stop();
  }
}

/** Shows on stderr that this waits, and how the charge changes meanwhile. */
async function createReporter(runtime: Runtime, begun: Charge, goal: string) {
  const output = await runtime.output();
  const text = (now: string) => `Waiting for ${begun.id} (${formatCents(begun.amount)}), now ${now} ...`;
  const warnOfUnknownStatus = (charge: Charge) => {
    if (!isChargeStatus(charge.status))
      output.warn(`${undocumentedStatusText(charge)}; this waits until it is ${goal}.`);
  };
  if (!runtime.io.stderrIsTerminal) output.note(text(begun.status));
  warnOfUnknownStatus(begun);
  const progress = output.progress(text(begun.status));
  let hasFailed = false;
  return {
    read(charge: Charge, before: Charge) {
      hasFailed = false;
      if (charge.status !== before.status) {
        output.note(`${before.status} -> ${charge.status}`);
        warnOfUnknownStatus(charge);
      }
      progress.update(text(charge.status));
    },
    /** Told once until the charge can be read again. */
    failed({ message }: PixctlError) {
      if (!hasFailed) output.note(`${message} Trying again ...`);
      hasFailed = true;
    },
    stop: () => progress.stop(),
  };
}

/** Whether a status can no longer become the goal. An undocumented status still may. */
const isDecided = (charge: Charge, goal: string): boolean =>
  charge.status === goal || (goal === 'PAID' && isChargeStatus(charge.status) && !isPayable(charge));

const stillPending = (charge: Charge, goal: string, since: string): PixctlError =>
  new PixctlError(
    'pending',
    'STILL_PENDING',
    `${begunWith(goal)}${charge.id} is still ${charge.status} ${since}.`,
    {
      hint: isChargeStatus(charge.status)
        ? lookAgain(charge, goal)
        : `${undocumentedStatusText(charge)}: waiting may never end. Look in the dashboard.`,
    },
  );

/** The error for a look that failed. That a look changed nothing says nothing about what was done before it. */
const unreadable = (charge: Charge, goal: string, cause: PixctlError): PixctlError =>
  rewordError(cause, {
    kind: 'pending',
    code: 'STILL_PENDING',
    message: `${begunWith(goal)}${charge.id} was ${charge.status} when it was last read, and could not be read after that: ${cause.message}`,
    hint: lookAgain(charge, goal),
  });

/** What was done before the wait. A refund is waited for only by the run that made it. */
const begunWith = (goal: string): string => (goal === 'REFUNDED' ? 'The refund was accepted. ' : '');

/** Says how to look again. Only a payment can be waited for; a refund that is waited for again is sent again. */
const lookAgain = ({ id }: Charge, goal: string): string =>
  goal === 'PAID'
    ? `Wait again: ${commandLine(['pixctl', 'charge', 'wait', id])}`
    : `Until it reads REFUNDED, the same command sends a second refund: give the first one time to show. Check again: ${getChargeLine(id)}`;

const stopped = (charge: Charge, goal: string, reason: unknown): PixctlError =>
  new PixctlError(
    kindForSignal(reason),
    'INTERRUPTED',
    `${begunWith(goal)}Stopped waiting; ${charge.id} was ${charge.status}.`,
    {
      hint: lookAgain(charge, goal),
    },
  );
