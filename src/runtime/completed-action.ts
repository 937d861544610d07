/** What a run has changed, for the case that its result cannot be shown. */
import { messageOf, PixctlError } from '../errors.ts';
import type { Output } from '../terminal/output.ts';

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

/**
 * Waits until the result of a run is shown. If it cannot be written, a run that ends with `error` keeps that end, which
 * outweighs the loss, and a warning tells it; where `error` is null, the loss is how it ends.
 */
export async function untilShown(output: Output, showing: Promise<unknown>, error: unknown): Promise<void> {
  try {
    await showing;
  } catch (cause) {
    if (error === null) throw cause;
    output.warn(messageOf(cause));
  }
}
