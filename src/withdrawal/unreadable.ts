/** The outcome of a run that could not read what it had to read before it may send. */
import type { ExitName, PixctlError } from '../errors.ts';
import type { Intent } from '../ledger/intent.ts';
import type { Outcome } from './outcome.ts';
import * as say from './say.ts';

/** Failures of a read that keep their own exit code; any other becomes `later` (75). */
const asItIs: ReadonlySet<ExitName> = new Set([
  'auth',
  'config',
  'storage',
  'usage',
  'interrupted',
  'terminated',
]);

/**
 * The list could not be read, or its result not recorded. A bad key or a full disk keeps its own exit code, and so does
 * what lasts: to run again later, as 75 says, would help nobody.
 */
export const unreadable = (intent: Intent | null, error: PixctlError): Outcome => ({
  ...say.failed(intent, error),
  exit: asItIs.has(error.kind) || error.lasting ? error.kind : 'later',
});
