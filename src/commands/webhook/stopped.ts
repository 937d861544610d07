/** What is told of a run that a signal stopped: how far it had come. */
import { PixctlError } from '../../errors.ts';

/** The error (130, 143) of a run that a signal ended: what was done so far is not a result. */
export const stopped = (signal: AbortSignal, said: string): PixctlError => {
  const kind = signal.reason === 'SIGTERM' ? 'terminated' : 'interrupted';
  return new PixctlError(kind, kind.toUpperCase(), `Stopped by ${String(signal.reason)}: ${said}.`);
};
