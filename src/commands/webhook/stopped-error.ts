/** What to report for a run that a signal stopped: how far it had got. */
import { kindForSignal, PixctlError } from '../../errors.ts';

/** Returns the error (130, 143) of a run that a signal ended: what was done so far is not a result. */
export const stoppedError = (signal: AbortSignal, said: string): PixctlError => {
  const kind = kindForSignal(signal.reason);
  return new PixctlError(kind, kind.toUpperCase(), `Stopped by ${String(signal.reason)}: ${said}.`);
};
