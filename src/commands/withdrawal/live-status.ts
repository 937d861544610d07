/** `--wait`: shows each change of status on stderr as it is read. */
import type { WithdrawalById } from '../../contract/withdrawal.ts';
import type { Runtime } from '../../runtime.ts';

interface LiveStatus {
  readonly read: (withdrawal: WithdrawalById) => void;
  stop(): void;
}

/** Writes one line per change and, on a terminal, a spinner in between. Nothing with `--quiet`. */
export async function startLiveStatus(runtime: Runtime): Promise<LiveStatus> {
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
