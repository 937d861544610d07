/** The errors of a run that its command did not end itself: a signal, a bug, a library that never called back. */
import { endedBy, messageOf, PixctlError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';

/** After a second signal: the run does not wait for the outcome of what it has sent. */
export function stoppedAtOnce(name: NodeJS.Signals, { done, findOut }: Runtime['flight']): PixctlError {
  const stopped = `Stopped at once by a second ${name}`;
  if (done !== null)
    return new PixctlError('unknown', 'STOPPED', `${done.what} ${stopped}.`, { hint: done.hint });
  return new PixctlError(
    'unknown',
    'OUTCOME_UNKNOWN',
    `${stopped}, before the outcome was known: what was sent may have taken effect.`,
    {
      hint:
        findOut ?? 'Check what happened before you run it again; with the same idempotency key it is safe.',
    },
  );
}

/** Node has nothing left to wait for, and the command has not ended. */
export const endedTooSoon = (mayHaveSent: boolean): PixctlError =>
  new PixctlError(
    mayHaveSent ? 'unknown' : 'unexpected',
    'ENDED_TOO_SOON',
    'pixctl ended before it had finished: what it was asked to do may or may not have happened.',
    {
      hint: 'This is a bug in pixctl, or a case it does not know. Check what happened before you run it again; with the same idempotency key it is safe.',
    },
  );

/** The error (130, 143) of a run that a signal ended; null without a signal, or if its own error says more. */
export function interrupted(signal: AbortSignal, thrown: PixctlError): PixctlError | null {
  if (!signal.aborted || thrown.code !== 'UNEXPECTED') return null;
  const kind = endedBy(signal.reason);
  return new PixctlError(
    kind,
    kind.toUpperCase(),
    `Stopped by ${String(signal.reason)}; nothing was in flight.`,
    {
      cause: thrown,
    },
  );
}

/** Any thrown value as one of the family. */
export function translate(thrown: unknown): PixctlError {
  if (thrown instanceof PixctlError) return thrown;
  if ((thrown as NodeJS.ErrnoException | null)?.syscall === 'uv_cwd') return noDirectory(thrown);
  return new PixctlError('unexpected', 'UNEXPECTED', `Unexpected: ${messageOf(thrown)}`, {
    cause: thrown,
    hint: 'This is a bug in pixctl, or a case it does not know; run it again with --debug to see where.',
  });
}

/** A path is made absolute before anything is done with it, and a relative one begins in the working directory. */
const noDirectory = (cause: unknown): PixctlError =>
  new PixctlError(
    'config',
    'NO_DIRECTORY',
    'A given path is relative to a working directory that no longer exists.',
    { cause, hint: 'Give it as an absolute path, or change to another directory.' },
  );
