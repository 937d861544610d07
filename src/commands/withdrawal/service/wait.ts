/** `pixctl withdrawal wait <id>`: exit 0 means COMPLETED. */
import { lookOptions, readRepeatedly } from '../../../api/pause.ts';
import { hasEnded, isWithdrawalStatus } from '../../../contract/statuses.ts';
import type { WithdrawalById } from '../../../contract/withdrawal.ts';
import { PixctlError } from '../../../errors.ts';
import { commandLine } from '../../../flags/command-line.ts';
import { timeoutOf } from '../../../flags/duration.ts';
import { untilShown } from '../../../runtime/completed-action.ts';
import type { Runtime } from '../../../runtime.ts';
import { withdrawalView } from '../../../views/withdrawal.ts';
import { startLiveStatus } from '../live-status.ts';
import { defaultWaitMs } from '../protocol.ts';
import { readWithdrawal } from '../read.ts';

/** Pauses between two looks. Short at first, for a withdrawal that ends at once. */
const pauses = { firstPauseMs: 500, longestPauseMs: 5_000 };

/** Shows the last record that was read, however the wait ends: 0, 83 (FAILED), 82 (still pending). */
export async function wait(runtime: Runtime, id: string): Promise<void> {
  const output = await runtime.output(withdrawalView);
  const api = await runtime.api();
  let last = await readWithdrawal(runtime, id, lookOptions(api, longestWaitMs(runtime)));
  const look = async (leftMs: number) => {
    last = await readWithdrawal(runtime, id, lookOptions(api, leftMs));
    return last;
  };
  const error = await waitUntilEnded(runtime, id, last, look).then(
    () => (last.status === 'COMPLETED' ? null : failedError(id, last)),
    (cause: unknown) => cause,
  );
  await untilShown(output, output.show(withdrawalView, last), error);
  if (error !== null) throw error;
}

const failedError = (id: string, last: WithdrawalById): PixctlError =>
  new PixctlError(
    'endedBadly',
    'WITHDRAWAL_FAILED',
    `No money moved in the end: ${id} is ${last.status}${reasonIn(last)}.`,
    { hint: 'The service gives the reserved amount back. A new attempt needs a new idempotency key.' },
  );

const longestWaitMs = ({ globals }: Pick<Runtime, 'globals'>): number => timeoutOf(globals) ?? defaultWaitMs;

/** The document says that it is text; what else may be there is shown as it is. */
function reasonIn({ failedReason: reason }: WithdrawalById): string {
  if (reason === undefined || reason === null || reason === '') return '';
  return ` (${typeof reason === 'string' ? reason : JSON.stringify(reason)})`;
}

async function waitUntilEnded(
  runtime: Runtime,
  id: string,
  begun: WithdrawalById,
  look: (leftMs: number) => Promise<WithdrawalById>,
): Promise<void> {
  const waitMs = longestWaitMs(runtime);
  const live = await startLiveStatus(runtime);
  let current = begun;
  try {
    live.read({ ...current, id });
    if (hasEnded(current.status)) return;
    for await (const read of readRepeatedly(runtime, { waitMs, ...pauses }, look)) {
      if (read instanceof PixctlError) {
        if (read.kind !== 'later') throw read;
        continue;
      }
      current = read;
      live.read({ ...current, id });
      if (hasEnded(current.status)) return;
    }
    const since = runtime.signal.aborted
      ? 'and the wait was interrupted'
      : `after ${Math.round(waitMs / 1000)} s`;
    throw stillPending(id, current, since);
  } finally {
    live.stop();
  }
}

/** Named by the id that was asked for, which the record need not hold. */
const stillPending = (id: string, { status }: WithdrawalById, since: string): PixctlError =>
  new PixctlError(
    'pending',
    'STILL_PENDING',
    isWithdrawalStatus(status)
      ? `Money is on its way: ${id} is still ${status} ${since}.`
      : `Money may have moved: ${id} is ${status} ${since}, a status that the document does not show.`,
    { hint: `Wait again: ${commandLine(['pixctl', 'withdrawal', 'wait', id])}` },
  );
