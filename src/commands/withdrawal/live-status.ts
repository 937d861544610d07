/** `--wait`: each change of status as it is read, on stderr. */
import type { Withdrawal } from '../../contract/withdrawal.ts';
import type { Runtime } from '../../runtime.ts';

export interface LiveStatus {
  readonly read: (withdrawal: Withdrawal) => void;
  stop(): void;
}

/** A line a change, and on a terminal a spinner in between; nothing with `--quiet`. */
export async function liveStatus(runtime: Runtime): Promise<LiveStatus> {
  const output = await runtime.output();
  const started = runtime.clock.monotonic();
  const progress = output.progress('Waiting for the withdrawal ...');
  let last = '';
  return {
    read: ({ id, status }) => {
      if (status === last) return;
      last = status;
      const seconds = Math.round((runtime.clock.monotonic() - started) / 1000);
      output.note(`${id ?? 'withdrawal'}: ${status} (${seconds} s)`);
      progress.update(`Waiting for ${id ?? 'the withdrawal'}, now ${status} ...`);
    },
    stop: progress.stop,
  };
}
