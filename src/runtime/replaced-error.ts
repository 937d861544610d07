/** A run whose program was replaced or removed before it had read all of it (`preload` in bin/compile-cache.js). */
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
  return new PixctlError(
    outcomeUnknown ? 'unknown' : 'later',
    'REPLACED',
    `pixctl was replaced by another version, or removed, during this run, and a part that it needs is gone. ${outcomeUnknown ? 'What is not known yet is still not known; this run sent nothing.' : 'Nothing was sent to the service.'}`,
    {
      hint: 'Run it again. If it fails the same way, the installation is incomplete: reinstall pixctl.',
      cause: thrown,
    },
  );
}
