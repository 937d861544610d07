/**
 * Finds a wrong ledger, a missing API key and what the policy refuses in any case before a person types anything, and
 * reports what an earlier run has left open.
 */
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
import { stillOpen } from '../../withdrawal/settling/still-open.ts';
import type { Looking } from './implied-label.ts';
import { longestExchangeMs } from './protocol.ts';

/** Returns what the ledger has for a key; null also if there is no ledger yet. */
export type Find = (key: IdempotencyKey) => Promise<Intent | null>;

/**
 * Throws what a run for these keys would end with: a ledger other than the expected one (74, 78), what `foresee` finds,
 * or no API key that may go to this address (77, 78). Warns of a withdrawal that stands in the way. Sends and records
 * nothing. Closes what it opens, because an answer may take long, and the run judges everything again before it sends.
 */
export async function refuseBeforeAsking(
  runtime: Runtime,
  keys: readonly IdempotencyKey[],
  foresee: (find: Find) => Promise<PixctlError | null>,
): Promise<void> {
  try {
    const { isKnown, open } = await inLedger(runtime, async (seen) => {
      const find: Find = async (key) => (await seen?.dependencies.ledger.find(seen.scope, key)) ?? null;
      // A key's stored outcome is reported without asking the service. Keys are in the order of a file: if its last
      // line is known, there may be nothing left to send.
      const last = keys.at(-1);
      const isKnown = last !== undefined && (await find(last)) !== null;
      const refusal = isKnown ? null : await foresee(find);
      if (refusal !== null) throw refusal;
      return { isKnown, open: seen && (await stillOpen(seen.dependencies, seen.scope)) };
    });
    if (!isKnown) await checkApiKey(runtime);
    if (open !== null && (!isKnown || keys.includes(open.idempotencyKey)))
      (await runtime.output()).warn(open.words);
  } catch (error) {
    throw unsent(error);
  }
}

/**
 * Looks into the ledger. One that nobody expects yet is not created before somebody has said yes, and nothing is known
 * of it either: `look` is handed null.
 */
export async function inLedger<T>(runtime: Runtime, look: (seen: Looking | null) => Promise<T>): Promise<T> {
  const config = await runtime.config();
  const scope = scopeOf(config.profile());
  if (pinnedIn(config) === null && runtime.environment.PIXCTL_LEDGER_ID === undefined) return look(null);
  const ledger = await openLedgerOf(runtime);
  try {
    const { systemOwners } = await import('../../owner/this-process.ts');
    const owners = await systemOwners();
    const dependencies = { ledger, clock: runtime.clock, owners, requestTimeoutMs: longestExchangeMs };
    return await look({ scope, dependencies });
  } finally {
    await ledger.close();
  }
}

/** Returns the refusal (87) for an order that breaks the policy. `intent`: what the ledger has for it. */
export function refusalFor(breach: Breach, intent: Intent | null): PixctlError {
  const outcome = policyBreach(intent, breach);
  return new PixctlError(outcome.exit, outcome.code, inWords(outcome), { hint: outcome.hint });
}
