/** The outcome of a run that could not read what it had to read before it may send. */
import type { ExitName, PixctlError } from '../../errors.ts';
import type { Intent } from '../../ledger/intent.ts';
import type { Outcome } from './outcome.ts';
import * as say from './say.ts';

/** Failures of a read that keep their own exit code, whether they last or not. */
const asItIs: ReadonlySet<ExitName> = new Set([
  'auth',
  'config',
  'storage',
  'usage',
  'interrupted',
  'terminated',
]);

/**
 * The list could not be read, or its result not recorded. A bad key or a full disk keeps its own exit code. What lasts
 * is `unexpected` (1), or `auth` (77) where somebody on the way forbids it: to run again later, as 75 says of the rest,
 * would help nobody.
 */
export const unreadable = (intent: Intent | null, error: PixctlError): Outcome => ({
  ...say.failed(intent, error),
  exit: exitOf(error),
});

/** The same before a send: with what can be done where waiting changes nothing. */
export function unsent(intent: Intent | null, error: PixctlError): Outcome {
  const outcome = unreadable(intent, error);
  if (!error.lasting) return outcome;
  return { ...outcome, hint: error.hint === undefined ? whatLasts : `${error.hint} ${whatLasts}` };
}

const whatLasts =
  'Nothing is sent while the list cannot be read, and waiting will not change that: ask whoever runs the service. If you withdraw in its dashboard instead, never run this idempotency key again: it would pay a second time.';

function exitOf({ kind, lasting, httpStatus }: PixctlError): ExitName {
  if (asItIs.has(kind)) return kind;
  if (!lasting) return 'later';
  return httpStatus === 403 ? 'auth' : 'unexpected';
}
