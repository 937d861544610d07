/**
 * Foresees what a batch would end with whatever is answered, as far as policy and ledger show before anything is asked.
 */
import { type PixctlError, rewordError } from '../../../errors.ts';
import { sendableStates } from '../../../ledger/intent.ts';
import type { Runtime } from '../../../runtime.ts';
import type { BatchLine } from '../../../withdrawal/batch/line.ts';
import { bodyText } from '../../../withdrawal/matching/body.ts';
import { isSaved, readDestinations } from '../../../withdrawal/policy/destinations.ts';
import { breachOf } from '../../../withdrawal/policy/policy.ts';
import { readPolicy } from '../../../withdrawal/policy/settings.ts';
import { isSameOrder } from '../../../withdrawal/settling/check-ledger.ts';
import { type FindIntent, refusalFor } from '../preflight-checks.ts';

/**
 * Returns the breach of the policy (87) at which the run would stop before doing anything: that of the first line that
 * is not completed. With --continue-on-failed, every such line must have one. Null if the run would send, follow or
 * settle a line, or has something else to say about it. Only the run knows what is spent of a day's limit.
 */
export async function predictBreach(
  runtime: Runtime,
  lines: readonly BatchLine[],
  find: FindIntent,
  continueOnFailed: boolean,
): Promise<PixctlError | null> {
  const config = await runtime.config();
  const policy = readPolicy(config);
  const saved = readDestinations(config);
  const now = runtime.clock.now();
  let first: PixctlError | null = null;
  for (const line of lines) {
    const known = await find(line.idempotencyKey);
    if (known !== null && !isSameOrder(known, bodyText(line))) return null;
    if (known?.state === 'COMPLETED') continue;
    if (known !== null && !sendableStates.includes(known.state)) return null;
    const { amount } = line;
    const question = { amount, spentToday: null, destinationSaved: isSaved(saved, line), now };
    const breach = breachOf(policy, question);
    if (breach === null) return null;
    first ??= withLineNumber(line, refusalFor(breach, known));
    if (!continueOnFailed) return first;
  }
  return first;
}

/** Names the line in a refusal. Lines before it may have been paid by an earlier run. */
const withLineNumber = ({ line, idempotencyKey }: BatchLine, refusal: PixctlError): PixctlError =>
  rewordError(refusal, {
    message: `Line ${line} (${idempotencyKey}): ${refusal.message.replace(/nothing was sent/i, '$& in this run')}`,
  });
