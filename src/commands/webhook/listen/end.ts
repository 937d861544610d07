/** How `webhook listen` ends: what is owed, and what was waited for in vain. */
import { endedBy, PixctlError } from '../../../errors.ts';
import type { Inbox } from '../../../inbox/inbox.ts';
import type { Listener } from '../../../listener/listen.ts';
import type { Runtime } from '../../../runtime.ts';
import { counted } from '../../../terminal/counted.ts';
import type { Output } from '../../../terminal/output.ts';
import type { ListenOptions } from './options.ts';
import type { Tally } from './tally.ts';

/** How a run comes to its end: nothing more is begun, then what is under way is told, then it is over. */
export interface Ending {
  /** Aborts when it begins. */
  readonly signal: AbortSignal;
  /** Resolves when it is over. */
  readonly over: Promise<void>;
  begin(): void;
  end(): void;
  fail(cause: unknown): void;
  /** What it failed with first; null when it has not. */
  failure(): unknown;
}

/** `lines` take no more once it is over. */
export function createEnding(lines: { end(): void }): Ending {
  const ending = new AbortController();
  const over = Promise.withResolvers<void>();
  let failure: unknown = null;
  const end = () => {
    ending.abort();
    lines.end();
    over.resolve();
  };
  return {
    signal: ending.signal,
    over: over.promise,
    begin: () => ending.abort(),
    end,
    fail(cause) {
      failure ??= cause;
      end();
    },
    failure: () => failure,
  };
}

/** Events owed to an application: `own` those of this listener's secrets. One look, because more may be arriving. */
export async function countWaiting(
  inbox: Pick<Inbox, 'countWaiting'>,
  listener: Pick<Listener, 'sources'>,
): Promise<{ own: number; others: number }> {
  const sources = new Set(listener.sources());
  const sums = { own: 0, others: 0 };
  for (const [source, waiting] of await inbox.countWaiting()) {
    sums[sources.has(source) ? 'own' : 'others'] += waiting;
  }
  return sums;
}

export function finish(
  runtime: Runtime,
  output: Output,
  waiting: number,
  { exitAfter, tally: { ended, notTaken } }: { readonly exitAfter: number | null; readonly tally: Tally },
): void {
  const owed =
    waiting === 0
      ? 'no event is waiting to be forwarded'
      : `${counted(waiting, 'event')} stored and not yet accepted by your application; the next webhook listen forwards ${waiting === 1 ? 'it' : 'them'}`;
  if (runtime.signal.aborted) {
    const kind = endedBy(runtime.signal.reason);
    throw new PixctlError(kind, kind.toUpperCase(), `Stopped: ${owed}.`);
  }
  if (notTaken > 0) {
    const message = `Your application has not accepted ${counted(notTaken, 'event')} of those shown. Stopped: ${owed}.`;
    throw new PixctlError('endedBadly', 'NOT_TAKEN', message, { hint: 'pixctl webhook inbox lists them.' });
  }
  if (exitAfter !== null && ended < exitAfter) {
    const message = `${ended} of ${exitAfter} events had come when nobody read the output any more. Stopped: ${owed}.`;
    throw new PixctlError('pending', 'NOT_COME', message, { hint: 'pixctl webhook inbox lists what came.' });
  }
  if (waiting > 0) output.warn(`Stopped: ${owed}.`);
}

/** Fails with `pending` (82) when `--within` is over before the events of `--exit-after` have come. */
export async function watchTime(
  { clock }: Pick<Runtime, 'clock'>,
  { exitAfter, withinMs }: Pick<ListenOptions, 'exitAfter' | 'withinMs'>,
  tally: Tally,
  signal: AbortSignal,
  fail: (cause: PixctlError) => void,
): Promise<void> {
  if (withinMs === null) return;
  await clock.sleep(withinMs, signal);
  if (signal.aborted) return;
  const came = `${tally.ended} of ${exitAfter} events came within ${withinMs / 1000} s.`;
  fail(new PixctlError('pending', 'NOT_COME', came, { hint: 'pixctl webhook inbox lists what came.' }));
}
