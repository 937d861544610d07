/** A wrong ledger, a missing API key and what the policy refuses anyhow are found before a person types anything. */
import type { IdempotencyKey } from '../../contract/brand.ts';
import { PixctlError } from '../../errors.ts';
import { type Intent, scopeOf } from '../../ledger/intent.ts';
import { checkApiKey } from '../../runtime/check-api-key.ts';
import { openLedgerOf, pinnedIn } from '../../runtime/open-ledger.ts';
import { unsent } from '../../runtime/sending.ts';
import type { Runtime } from '../../runtime.ts';
import { inWords } from '../../withdrawal/outcome/moved.ts';
import { policyBreach } from '../../withdrawal/outcome/say.ts';
import type { Breach } from '../../withdrawal/policy/policy.ts';

/** What the ledger has of a key; null too where there is no ledger yet. */
export type Find = (key: IdempotencyKey) => Promise<Intent | null>;

/**
 * Throws what a run for this key would end with: another ledger than the expected one (74, 78), what `foresee` finds,
 * or no API key that may go to this address (77, 78). Sends and records nothing. What it opens it closes: an answer may
 * take long, and the run judges all of it anew before it sends.
 */
export async function refuseBeforeAsking(
  runtime: Runtime,
  key: IdempotencyKey | undefined,
  foresee: (find: Find) => Promise<PixctlError | null>,
): Promise<void> {
  try {
    const isSettled = await inLedger(runtime, async (find) => {
      // The stored outcome of a key is told without asking the service.
      if (key !== undefined && (await find(key)) !== null) return true;
      const refusal = await foresee(find);
      if (refusal !== null) throw refusal;
      return false;
    });
    if (!isSettled) await checkApiKey(runtime);
  } catch (error) {
    throw unsent(error);
  }
}

/** A ledger that nobody expects yet is not made before somebody has said yes: nothing is known of it either. */
async function inLedger<T>(runtime: Runtime, look: (find: Find) => Promise<T>): Promise<T> {
  const config = await runtime.config();
  if (pinnedIn(config) === null && runtime.environment.PIXCTL_LEDGER_ID === undefined)
    return look(async () => null);
  const ledger = await openLedgerOf(runtime);
  try {
    const scope = scopeOf(config.profile());
    return await look((key) => ledger.find(scope, key));
  } finally {
    await ledger.close();
  }
}

/** A breach of the policy (87) by an order of which the ledger has `intent`. */
export function refusalFor(breach: Breach, intent: Intent | null): PixctlError {
  const outcome = policyBreach(intent, breach);
  return new PixctlError(outcome.exit, outcome.code, inWords(outcome), { hint: outcome.hint });
}
