/**
 * Writes later what cannot be written now (a full disk). Without its outcome in the store, an event would stay claimed
 * and wait for another run.
 */
import type { Clock } from '../../clock.ts';
import type { Lane } from './lanes.ts';
import type { Pump } from './pump.ts';

export interface UntilKeptOptions extends Pick<Pump, 'inPlace'> {
  readonly clock: Clock;
  readonly stopping: AbortSignal;
  readonly onTrouble: (cause: unknown) => void;
}

/**
 * Resolves once `write` has. Rejects only if it fails while the forwarder stops. From the second try on, it takes up a
 * place in the lane, so that nothing else is forwarded there.
 */
export type UntilKept = (lane: Lane, write: () => Promise<void>) => Promise<void>;

const writeAgainMs = 1_000;

export function createUntilKept({ clock, stopping, inPlace, onTrouble }: UntilKeptOptions): UntilKept {
  async function writeAgain(write: () => Promise<void>): Promise<void> {
    for (;;) {
      await clock.sleep(writeAgainMs, stopping);
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
    await inPlace(lane, () => writeAgain(write));
  };
}
