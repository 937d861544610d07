/** How `webhook listen` ends: what is still owed, and what it waited for in vain. */
import { kindForSignal, PixctlError } from '../../../errors.ts';
import type { Runtime } from '../../../runtime.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import type { Output } from '../../../terminal/output.ts';
import type { ListenOptions } from './options.ts';
import type { Tally } from './tally.ts';
import { owedInWords, type WaitingEvents } from './waiting.ts';

/** The end of a run in steps: nothing more is begun, what is under way is reported, and it is over. */
export interface Ending {
  /** Aborts when the end begins. */
  readonly signal: AbortSignal;
  /** Resolves when the end is over. */
  readonly whenOver: Promise<void>;
  begin(): void;
  end(): void;
  /** Reports that the time of `--within` is over. */
  markTimedOut(): void;
  hasTimedOut(): boolean;
  fail(cause: unknown): void;
  /** Returns what it failed with first; null if it has not failed. */
  failure(): unknown;
}

/** Makes an ending. `lines` accepts no more once it is over. */
export function createEnding(lines: { end(): void }): Ending {
  const ending = new AbortController();
  const over = Promise.withResolvers<void>();
  let failure: unknown = null;
  let late = false;
  const end = () => {
    ending.abort();
    lines.end();
    over.resolve();
  };
  return {
    signal: ending.signal,
    whenOver: over.promise,
    begin: () => ending.abort(),
    end,
    markTimedOut() {
      late = true;
    },
    hasTimedOut: () => late,
    fail(cause) {
      failure ??= cause;
      end();
    },
    failure: () => failure,
  };
}

export interface Finished extends Pick<ListenOptions, 'exitAfter' | 'withinMs'> {
  readonly tally: Tally;
  /** Whether the time of `--within` was over. */
  readonly late: boolean;
  /** Whether it was the end of stdin that stopped it. */
  readonly withoutStdin: boolean;
}

export function reportEnd(
  runtime: Runtime,
  output: Output,
  waiting: WaitingEvents,
  { exitAfter, withinMs, tally: { received, attempted, notAccepted }, late, withoutStdin }: Finished,
): void {
  const owed = owedInWords(waiting);
  if (runtime.signal.aborted) {
    const kind = kindForSignal(runtime.signal.reason);
    throw new PixctlError(kind, kind.toUpperCase(), `Stopped: ${owed}.`);
  }
  if (withoutStdin) output.note('stdin has ended, so the listener stops.');
  const counts = `${received} of ${exitAfter} events`;
  const untried =
    received === attempted ? '' : `, of which your application had not yet answered ${received - attempted}`;
  if (late && exitAfter !== null && attempted < exitAfter) {
    const stopped = waiting.own === 0 ? '' : ` Stopped: ${owed}.`;
    throw notReceivedError(`${counts} came within ${(withinMs ?? 0) / 1_000} s${untried}.${stopped}`);
  }
  if (notAccepted > 0) {
    const message = `Your application has not accepted ${formatCount(notAccepted, 'event')} of those shown. Stopped: ${owed}.`;
    throw new PixctlError('endedBadly', 'NOT_TAKEN', message, { hint: 'pixctl webhook inbox lists them.' });
  }
  if (exitAfter !== null && attempted < exitAfter) {
    const end = withoutStdin ? 'stdin ended' : 'nobody was reading the output any more';
    throw notReceivedError(`${counts} had come when ${end}${untried}. Stopped: ${owed}.`);
  }
  if (waiting.own > 0) output.warn(`Stopped: ${owed}.`);
}

const notReceivedError = (message: string): PixctlError =>
  new PixctlError('pending', 'NOT_COME', message, { hint: 'pixctl webhook inbox lists what came.' });

/** How long the last look is waited for: an inbox may not answer, and `--within` is a promise. Milliseconds. */
const lastLookMs = 2_000;

/** Calls `late` if `--within` is over and the events of `--exit-after` have not come, which `look` asks a last time. */
export async function watchTime(
  { clock }: Pick<Runtime, 'clock'>,
  { withinMs }: Pick<ListenOptions, 'withinMs'>,
  signal: AbortSignal,
  look: () => Promise<void>,
  late: () => void,
): Promise<void> {
  if (withinMs === null) return;
  await clock.sleep(withinMs, signal);
  await Promise.race([look(), clock.sleep(lastLookMs, signal)]);
  if (!signal.aborted) late();
}
