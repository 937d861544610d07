/** A run whose program was replaced or removed while it was under way, before it could hold it (bin/kept-code.js). */
import { isReplaced, PixctlError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';

/**
 * The error of such a run: 75, or 81 where the outcome of an earlier send was being looked for. Null for anything else.
 * No request but a read has left, because each of them holds the program before it (`Runtime.holdCode`).
 */
export function asReplaced(
  thrown: unknown,
  { unknown }: Pick<Runtime['flight'], 'unknown'>,
): PixctlError | null {
  if (!isReplaced(thrown)) return null;
  return new PixctlError(
    unknown ? 'unknown' : 'later',
    'REPLACED',
    `pixctl was replaced by another version, or removed, while this run was under way, and a part that it needs is gone. ${unknown ? 'What is not known yet is still not known; this run sent nothing.' : 'Nothing was sent to the service.'}`,
    {
      hint: 'Run it again. If it says the same again, the installation is not whole: install pixctl anew.',
      cause: thrown,
    },
  );
}
