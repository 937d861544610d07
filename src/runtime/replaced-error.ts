/**
 * A run whose program was replaced or removed before it had read all of it, or cannot be read any more (`preload` in
 * bin/compile-cache.js).
 */
import { isReplaced, PixctlError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';

/**
 * The error of such a run: 75, or 81 if it was looking for the outcome of an earlier send. Null for any other error.
 * Nothing but reads can have left, because `Runtime.preloadCode` precedes every other request.
 */
export function toReplacedError(
  thrown: unknown,
  { outcomeUnknown }: Pick<Runtime['flight'], 'outcomeUnknown'>,
): PixctlError | null {
  if (!isReplaced(thrown)) return null;
  const { code, what, hint } = describe((thrown.cause as NodeJS.ErrnoException | null)?.code ?? 'ENOENT');
  const sent = outcomeUnknown
    ? 'What is not known yet is still not known; this run sent nothing.'
    : 'Nothing was sent to the service.';
  return new PixctlError(outcomeUnknown ? 'unknown' : 'later', code, `${what} ${sent}`, {
    hint,
    cause: thrown,
  });
}

/** `why`: what the system said when a part of the program was read. */
function describe(why: string): { readonly code: string; readonly what: string; readonly hint: string } {
  if (why === 'ENOENT')
    return {
      code: 'REPLACED',
      what: 'pixctl was replaced by another version, or removed, during this run, and a part that it needs is gone.',
      hint: 'Run it again. If it fails the same way, the installation is incomplete: reinstall pixctl.',
    };
  return {
    code: 'NOT_LOADED',
    what: `A part of pixctl itself cannot be read (${why}).`,
    hint: `${why === 'EMFILE' || why === 'ENFILE' ? 'Allow it to open more files (ulimit -n)' : 'Check the disk and the permissions of its installation'}, then run it again.`,
  };
}
