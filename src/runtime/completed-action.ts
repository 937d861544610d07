/** What a run has changed, for the case that its result cannot be shown. */
import { PixctlError } from '../errors.ts';

export interface CompletedAction {
  /** A sentence. */
  readonly what: string;
  /** Where to see it, so that nobody does it again. */
  readonly hint: string;
}

/**
 * The error of a run that has changed something and could not show the result; null for any other run. Not 74, which
 * would say that nothing was sent.
 */
export function resultNotWrittenError(error: PixctlError, done: CompletedAction | null): PixctlError | null {
  if (done === null || !['STDOUT', 'UNEXPECTED', 'REPLACED', 'NOT_LOADED'].includes(error.code)) return null;
  return new PixctlError(
    'unexpected',
    'RESULT_NOT_WRITTEN',
    `${done.what} Its result could not be written. ${error.message}`,
    { hint: done.hint, cause: error },
  );
}
