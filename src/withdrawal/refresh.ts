/** A rerun of what was accepted earlier: one look at what has become of it since. Sends nothing. */
import { PixctlError } from '../errors.ts';
import { commandLine } from '../flags/command-line.ts';
import type { Intent } from '../ledger/intent.ts';
import type { Dependencies } from './dependencies.ts';
import { readOnce } from './follow.ts';
import type { Outcome } from './outcome.ts';
import { advance } from './record.ts';
import * as say from './say.ts';

/**
 * The outcome of a rerun, as the service has the withdrawal now: still accepted and COMPLETED are `ok`, FAILED
 * is 83. Any other outcome stays as it is. Where it cannot be read the stored outcome stands, and says that it
 * was not looked at: a rerun does not need the service. 74 when what was read cannot be written.
 */
export async function refresh(dependencies: Dependencies, outcome: Outcome): Promise<Outcome> {
  const { intent } = outcome;
  if (!outcome.replayed || intent?.state !== 'ACCEPTED') return outcome;
  const read = await readOnce(dependencies, intent);
  if (read instanceof PixctlError) return notLookedAt(outcome, intent, read);
  try {
    const { scope, idempotencyKey } = intent;
    const current =
      (await advance(dependencies, intent, read)) ?? (await dependencies.ledger.find(scope, idempotencyKey));
    return { ...say.settledOutcome(current ?? intent, true), withdrawal: read };
  } catch (cause) {
    if (cause instanceof PixctlError) return say.failed(intent, cause);
    throw cause;
  }
}

const notLookedAt = (outcome: Outcome, { idempotencyKey }: Intent, { message }: PixctlError): Outcome => ({
  ...outcome,
  message: `${outcome.message} What became of it since could not be read (${message.replace(/\.$/, '')}).`,
  hint: `Look again: ${commandLine(['pixctl', 'withdrawal', 'status', idempotencyKey])}`,
});
