/**
 * Writes later what cannot be written now (a full disk). Without its outcome in the store, an event would stay claimed
 * and wait for another run.
 */
import type { Clock } from '../../clock.ts';
import type { Lane } from './lanes.ts';
import type { Pump } from './pump.ts';

interface WriteWithRetryOptions extends Pick<Pump, 'runInSlot'> {
  readonly clock: Clock;
  readonly stopping: AbortSignal;
  readonly onTrouble: (cause: unknown) => void;
}

/**
 * Resolves once `write` has. Rejects only if it fails while the forwarder stops. From the second try on, it takes up a
 * place in the lane, so that nothing else is forwarded there.
 */
export type WriteWithRetry = (lane: Lane, write: () => Promise<void>) => Promise<void>;

const retryWriteMs = 1_000;

export function createWriteWithRetry({
  clock,
  stopping,
  runInSlot,
  onTrouble,
}: WriteWithRetryOptions): WriteWithRetry {
  async function retryWrite(write: () => Promise<void>): Promise<void> {
    for (;;) {
      await clock.sleep(retryWriteMs, stopping);
      try {
        return await write();
      } catch (cause) {
        if (stopping.aborted) throw cause;
        onTrouble(cause);
      }
    }
  }

  return async (lane, write) => {
    try {
      return await write();
    } catch (cause) {
      if (stopping.aborted) throw cause;
      onTrouble(cause);
    }
    await runInSlot(lane, () => retryWrite(write));
  };
}
