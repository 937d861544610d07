/** The outcome of a run that could not read what it must read before it may send. */
import { type ExitName, PixctlError, rewordError } from '../../errors.ts';
import type { Intent } from '../../ledger/intent.ts';
import * as outcomes from './create-outcome.ts';
import type { Outcome } from './outcome.ts';

/** Failures of a read that keep their own exit code, lasting or not. */
const asItIs: ReadonlySet<ExitName> = new Set([
  'auth',
  'config',
  'storage',
  'usage',
  'interrupted',
  'terminated',
]);

/**
 * The outcome when the list could not be read, or its result not recorded. A bad key or a full disk keeps its own exit
 * code. Any other failure is 75, unless it lasts, because running again later would not help: it is then `unexpected`
 * (1), or `auth` (77) if somebody on the way forbids the read.
 */
export const unreadableOutcome = (intent: Intent | null, error: PixctlError): Outcome => ({
  ...outcomes.failed(intent, error),
  exit: exitOf(error),
});

/** The same before a send. If waiting changes nothing, it adds what can be done. */
export function unreadableBeforeSend(intent: Intent | null, error: PixctlError): Outcome {
  const outcome = unreadableOutcome(intent, error);
  if (!error.isPermanent) return outcome;
  return { ...outcome, hint: error.hint === undefined ? whatLasts : `${error.hint} ${whatLasts}` };
}

const whatLasts =
  'Nothing is sent while the list cannot be read, and waiting will not change that: ask whoever runs the service. If you withdraw in its dashboard instead, never run this idempotency key again: it would pay a second time.';

/** Rethrows a failure to read the list with the exit code that such an outcome has. */
export function rethrowUnreadable(cause: unknown): never {
  throw cause instanceof PixctlError ? rewordError(cause, { kind: exitOf(cause) }) : cause;
}

function exitOf({ kind, isPermanent, httpStatus }: PixctlError): ExitName {
  if (asItIs.has(kind)) return kind;
  if (!isPermanent) return 'later';
  return httpStatus === 403 ? 'auth' : 'unexpected';
}
