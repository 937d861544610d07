/** Giving up to open a ledger whose server accepts and never answers, once the run is asked to stop. */
import type { Clock } from '../clock.ts';
import { endedBy, PixctlError } from '../errors.ts';

/**
 * How long the opening may still go on then, milliseconds: a server that answers lets the run tell what earlier ones
 * did, which is worth a moment.
 */
const graceMs = 2_000;

export interface Opening {
  /** Aborts once the opening is given up, with the reason of the run's own signal. */
  readonly signal: AbortSignal;
  /** The opening has ended: nothing is given up any more. */
  end(): void;
}

/** `stop`: aborts when the run is asked to stop; its reason is the signal's name. */
export function beginOpening(stop: AbortSignal | undefined, clock: Clock): Opening {
  const [givenUp, ended] = [new AbortController(), new AbortController()];
  const onStop = async () => {
    await clock.sleep(graceMs, ended.signal);
    if (!ended.signal.aborted) givenUp.abort(stop?.reason);
  };
  if (stop?.aborted) void onStop();
  else stop?.addEventListener('abort', onStop, { once: true });
  return {
    signal: givenUp.signal,
    end() {
      stop?.removeEventListener('abort', onStop);
      ended.abort();
    },
  };
}

/** What is told of an opening that was given up: 130 or 143. No outcome of a send is recorded before it has ended. */
export const gaveUp = ({ reason }: AbortSignal, cause: unknown): PixctlError =>
  new PixctlError(
    endedBy(reason),
    'INTERRUPTED',
    `Stopped by ${String(reason)} while the database of the ledger did not answer, so what earlier runs did was not looked up; nothing was sent in this run.`,
    { cause },
  );
