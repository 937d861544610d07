/** `webhook inbox prune`: forgets old events that are settled. */
import { isoTime } from '../../../clock.ts';
import { usageError } from '../../../errors.ts';
import { parseDuration } from '../../../flags/duration.ts';
import type { Runtime } from '../../../runtime.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import type { View } from '../../../terminal/view.ts';
import { states } from './list.ts';

export interface PruneFlags {
  readonly olderThan: string;
  readonly status: Exclude<keyof typeof states, 'waiting'>;
}

/** A repeat is recognised by the id that is kept. The service repeats within seconds, `--poll` within a day. */
const leastAgeMs = 86_400_000;

export async function prune(runtime: Runtime, flags: PruneFlags): Promise<void> {
  const output = await runtime.output(prunedView);
  const age = parseDuration(flags.olderThan, '--older-than');
  if (age < leastAgeMs) {
    throw usageError(
      '--older-than takes at least 1d: a more recent event may be delivered again, and would be taken for a new one. Nothing was removed.',
    );
  }
  const before = Math.max(0, runtime.clock.now() - age);
  const choice = { state: states[flags.status], before };
  const inbox = await runtime.inbox();
  const shown = { status: flags.status, before: isoTime(before), inbox: inbox.location };
  if (runtime.globals.dryRun === true) {
    const count = await inbox.countPrunable(choice);
    output.note(
      `Would remove ${formatCount(count, 'event')} received before ${shown.before}. Nothing was removed.`,
    );
    return;
  }
  const removed = await inbox.prune(choice);
  runtime.flight.completed = {
    what: `Removed ${formatCount(removed, 'event')} received before ${shown.before}.`,
    hint: 'There is no need to do it again.',
  };
  await output.show(prunedView, { removed, ...shown });
}

interface Pruned {
  readonly removed: number;
  readonly status: string;
  readonly before: string;
  readonly inbox: string;
}

export const prunedView: View<Pruned> = {
  name: 'pruned',
  columns: [
    { key: 'removed', header: 'Removed', value: ({ removed }) => removed },
    { key: 'status', header: 'Forwarding', value: ({ status }) => status },
    { key: 'before', header: 'Received before', value: ({ before }) => before, kind: 'time' },
    { key: 'inbox', header: 'Inbox', value: ({ inbox }) => inbox },
  ],
};
