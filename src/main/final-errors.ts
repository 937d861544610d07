/** The errors of a run that its command did not end itself: a signal, a bug, a library that never called back. */
import { kindForSignal, messageOf, PixctlError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';

const checkFirst = 'Check what happened before you run it again; with the same idempotency key it is safe.';

/** The error after a second signal: the run no longer waits for the outcome of what it has sent. */
export function secondSignalError(
  name: NodeJS.Signals,
  { completed, outcomeHint }: Runtime['flight'],
): PixctlError {
  const stopped = `Stopped at once by a second ${name}`;
  if (completed !== null)
    return new PixctlError('unknown', 'STOPPED', `${completed.what} ${stopped}.`, { hint: completed.hint });
  return new PixctlError(
    'unknown',
    'OUTCOME_UNKNOWN',
    `${stopped}, before the outcome was known: what was sent may have taken effect.`,
    {
      hint: outcomeHint ?? checkFirst,
    },
  );
}

/** The error when Node has nothing left to wait for, although the command has not ended. */
export const endedTooSoonError = (mayHaveSent: boolean): PixctlError =>
  new PixctlError(
    mayHaveSent ? 'unknown' : 'unexpected',
    'ENDED_TOO_SOON',
    'pixctl ended before it had finished: what it was asked to do may or may not have happened.',
    {
      hint: 'This is a bug in pixctl, or a case it does not know. Check what happened before you run it again; with the same idempotency key it is safe.',
    },
  );

/**
 * The error of a run that a signal ended: 130 or 143, or 81 if something may have been sent, because "nothing was in
 * flight" is then more than anybody knows. Null without a signal, or if its own error says more.
 */
export function interruptedError(
  signal: AbortSignal,
  thrown: PixctlError,
  {
    hasSent,
    outcomeUnknown,
    outcomeHint,
  }: Pick<Runtime['flight'], 'hasSent' | 'outcomeUnknown' | 'outcomeHint'>,
): PixctlError | null {
  if (!signal.aborted || thrown.code !== 'UNEXPECTED') return null;
  if (hasSent || outcomeUnknown)
    return new PixctlError(
      'unknown',
      'OUTCOME_UNKNOWN',
      `Stopped by ${String(signal.reason)}, before the outcome was known: what was sent may have taken effect. ${thrown.message}`,
      { cause: thrown, hint: outcomeHint ?? checkFirst },
    );
  const kind = kindForSignal(signal.reason);
  return new PixctlError(
    kind,
    kind.toUpperCase(),
    `Stopped by ${String(signal.reason)}; nothing was in flight.`,
    {
      cause: thrown,
    },
  );
}

/** Turns any thrown value into one of the family. */
export function toPixctlError(thrown: unknown): PixctlError {
  if (thrown instanceof PixctlError) return thrown;
  if ((thrown as NodeJS.ErrnoException | null)?.syscall === 'uv_cwd') return missingDirectoryError(thrown);
  return new PixctlError('unexpected', 'UNEXPECTED', `Unexpected: ${messageOf(thrown)}`, {
    cause: thrown,
    hint: 'This is a bug in pixctl, or a case it does not know; run it again with --debug to see where.',
  });
}

/** A path is made absolute before it is used, and a relative one begins in the working directory, which is gone. */
const missingDirectoryError = (cause: unknown): PixctlError =>
  new PixctlError(
    'config',
    'NO_DIRECTORY',
    'A given path is relative to a working directory that no longer exists.',
    { cause, hint: 'Give it as an absolute path, or change to another directory.' },
  );
