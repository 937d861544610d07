/** What to report for a run that a signal stopped: how far it had got. */
import { endedBy, PixctlError } from '../../errors.ts';

/** Returns the error (130, 143) of a run that a signal ended: what was done so far is not a result. */
export const stopped = (signal: AbortSignal, said: string): PixctlError => {
  const kind = endedBy(signal.reason);
  return new PixctlError(kind, kind.toUpperCase(), `Stopped by ${String(signal.reason)}: ${said}.`);
};
