/** `webhook inbox prune`: forgets old events that are settled, or what an application that is gone never accepted. */
import { isoTime } from '../../../clock.ts';
import { usageError } from '../../../errors.ts';
import { parseDuration } from '../../../flags/duration.ts';
import { shownState } from '../../../forward/forward.ts';
import type { Runtime } from '../../../runtime.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import { stoppedError } from '../stopped-error.ts';
import { states } from './list.ts';
import { prunedView } from './pruned-view.ts';

export interface PruneFlags {
  readonly olderThan?: string;
  readonly status?: Exclude<keyof typeof states, 'waiting'>;
  readonly target?: string;
}

/** A repeat is recognised by the id that is kept. The service repeats within seconds, `--poll` within a day. */
const leastAgeMs = 86_400_000;

export async function prune(runtime: Runtime, flags: PruneFlags): Promise<void> {
  const { olderThan, target } = flags;
  const now = runtime.clock.now();
  if (target !== undefined) {
    if (flags.status !== undefined)
      throw usageError(
        '--target and --status contradict each other: --target takes whatever that application has not accepted. Nothing was removed.',
      );
    const before =
      olderThan === undefined ? null : Math.max(0, now - parseDuration(olderThan, '--older-than'));
    const { forgetTarget } = await import('./prune-target.ts');
    return forgetTarget(runtime, { target, before });
  }
  if (olderThan === undefined)
    throw usageError(
      'Which events? Give --older-than <duration>, or --target <target>. Nothing was removed.',
      'To count them first: pixctl webhook inbox prune --older-than 30d --dry-run',
    );
  const age = parseDuration(olderThan, '--older-than');
  if (age < leastAgeMs) {
    throw usageError(
      '--older-than takes at least 1d: a more recent event may be delivered again, and would be taken for a new one. Nothing was removed.',
    );
  }
  return removeSettled(runtime, flags.status ?? 'delivered', Math.max(0, now - age));
}

async function removeSettled(
  runtime: Runtime,
  status: NonNullable<PruneFlags['status']>,
  before: number,
): Promise<void> {
  const output = await runtime.output(prunedView);
  const choice = { state: states[status], before };
  const inbox = await runtime.inbox();
  const state = shownState(choice.state);
  const shown = { state, target: null, before: isoTime(before), inbox: inbox.location };
  if (runtime.globals.dryRun === true) {
    const count = await inbox.countPrunable(choice, runtime.signal);
    if (runtime.signal.aborted) throw stoppedError(runtime.signal, 'nothing was removed');
    output.note(
      `Would remove ${formatCount(count, 'event')} received before ${shown.before}. Nothing was removed.`,
    );
    return;
  }
  const removed = await inbox.prune(choice, runtime.signal);
  if (runtime.signal.aborted)
    throw stoppedError(
      runtime.signal,
      `${formatCount(removed, 'event')} received before ${shown.before} ${removed === 1 ? 'was' : 'were'} removed, and any others are still there`,
    );
  runtime.flight.completed = {
    what: `Removed ${formatCount(removed, 'event')} received before ${shown.before}.`,
    hint: 'There is no need to do it again.',
  };
  await output.show(prunedView, { removed, ...shown });
}
