/** A wrong ledger, a missing API key and what the policy refuses anyhow are found before a person types anything. */
import type { IdempotencyKey } from '../../contract/brand.ts';
import { PixctlError } from '../../errors.ts';
import { scopeOf } from '../../ledger/intent.ts';
import { checkApiKey } from '../../runtime/check-api-key.ts';
import { openLedgerOf, pinnedIn } from '../../runtime/open-ledger.ts';
import { unsent } from '../../runtime/sending.ts';
import type { Runtime } from '../../runtime.ts';
import { inWords } from '../../withdrawal/outcome/moved.ts';
import { policyBreach } from '../../withdrawal/outcome/say.ts';
import type { Breach } from '../../withdrawal/policy/policy.ts';

/**
 * Throws what a run for this key would end with: another ledger than the expected one (74, 78), `breach` of the policy
 * by what is known of the order (87), or no API key that may go to this address (77, 78). Sends nothing. What it opens
 * it closes: an answer may take long, and the run judges all of it anew before it sends.
 */
export async function refuseBeforeAsking(
  runtime: Runtime,
  key: IdempotencyKey | undefined,
  breach: Breach | null = null,
): Promise<void> {
  try {
    // The stored outcome of a key is told without asking the service.
    if (await isKnown(runtime, key)) return;
    if (breach !== null) throw refusalFor(breach);
    await checkApiKey(runtime);
  } catch (error) {
    throw unsent(error);
  }
}

/** A ledger that nobody expects yet is not made before somebody has said yes: nothing is known of it either. */
async function isKnown(runtime: Runtime, key: IdempotencyKey | undefined): Promise<boolean> {
  const config = await runtime.config();
  if (pinnedIn(config) === null && runtime.environment.PIXCTL_LEDGER_ID === undefined) return false;
  const ledger = await openLedgerOf(runtime);
  try {
    return key !== undefined && (await ledger.find(scopeOf(config.profile()), key)) !== null;
  } finally {
    await ledger.close();
  }
}

function refusalFor(breach: Breach): PixctlError {
  const outcome = policyBreach(null, breach);
  return new PixctlError(outcome.exit, outcome.code, inWords(outcome), { hint: outcome.hint });
}
