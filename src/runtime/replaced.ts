/** A run whose program was replaced or removed before the run had read all of it (`hold` in bin/kept-code.js). */
import { isReplaced, PixctlError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';

/**
 * The error of such a run: 75, or 81 if it was looking for the outcome of an earlier send. Null for any other error.
 * Nothing but reads can have left, because every other request is preceded by `Runtime.holdCode`.
 */
export function asReplaced(
  thrown: unknown,
  { unknown }: Pick<Runtime['flight'], 'unknown'>,
): PixctlError | null {
  if (!isReplaced(thrown)) return null;
  return new PixctlError(
    unknown ? 'unknown' : 'later',
    'REPLACED',
    `pixctl was replaced by another version, or removed, during this run, and a part that it needs is gone. ${unknown ? 'What is not known yet is still not known; this run sent nothing.' : 'Nothing was sent to the service.'}`,
    {
      hint: 'Run it again. If it fails the same way, the installation is incomplete: reinstall pixctl.',
      cause: thrown,
    },
  );
}
