/**
 * Finds a wrong ledger, a missing API key and what is refused in any case before a person types anything, and
 * reports what an earlier run has left open.
 */
import type { IdempotencyKey } from '../../contract/brand.ts';
import { PixctlError } from '../../errors.ts';
import { type Intent, scopeOf } from '../../ledger/intent.ts';
import { checkApiKey } from '../../runtime/check-api-key.ts';
import { openLedgerOf, pinnedLedgerId } from '../../runtime/open-ledger.ts';
import { rethrowUnsent } from '../../runtime/sending.ts';
import type { Runtime } from '../../runtime.ts';
import { longestExchangeMs } from '../../sending/still-sending.ts';
import { policyBreach } from '../../withdrawal/outcome/create-outcome.ts';
import { describeOutcome } from '../../withdrawal/outcome/money-moved.ts';
import type { Breach } from '../../withdrawal/policy/policy.ts';
import { findOpenWithdrawal, type OpenWithdrawal } from '../../withdrawal/settling/open-withdrawal.ts';
import type { Looking, Order } from './implied-label.ts';
import { refuseSentElsewhere } from './open-to-send.ts';

/** Returns what the ledger has for a key; null also if there is no ledger yet. */
export type FindIntent = (key: IdempotencyKey) => Promise<Intent | null>;

/** What a run is for, as far as it is known before the first question. */
interface Intended {
  readonly keys: readonly IdempotencyKey[];
  /** None if a person has yet to complete it. */
  readonly orders: readonly Order[];
}

/**
 * Throws what a run for these would end with: a ledger other than the expected one (74, 78), an order that another
 * address or label has sent (78), what `findRefusal` finds, or no API key that may go to this address (77, 78). Warns
 * of a withdrawal that stands in the way. Sends and records nothing. Closes what it opens, because an answer may take
 * long, and the run judges everything again before it sends.
 */
export async function runPreflightChecks(
  runtime: Runtime,
  { keys, orders }: Intended,
  findRefusal: (find: FindIntent) => Promise<PixctlError | null>,
): Promise<void> {
  try {
    const state = await withLedger(runtime, async (seen) => {
      if (seen !== null) await refuseSentElsewhere(runtime, seen, orders);
      const find: FindIntent = async (key) => (await seen?.dependencies.ledger.find(seen.scope, key)) ?? null;
      // A key's stored outcome is reported without asking the service. Keys are in the order of a file: if its last
      // line is known, there may be nothing left to send.
      const last = keys.at(-1);
      const isKnown = last !== undefined && (await find(last)) !== null;
      const refusal = isKnown ? null : await findRefusal(find);
      if (refusal !== null) throw refusal;
      return { isKnown, open: seen && (await findOpenWithdrawal(seen.dependencies, seen.scope)) };
    });
    await checkKeyAndWarn(runtime, state, keys);
  } catch (error) {
    rethrowUnsent(error);
  }
}

/** What the ledger has before a run for some keys. */
export interface LedgerState {
  /** Whether it has the last of the keys, whose stored outcome is reported without asking the service. */
  readonly isKnown: boolean;
  readonly open: OpenWithdrawal | null;
}

/** Throws (77, 78) without an API key that may go to this address, and warns of a withdrawal that stands in the way. */
export async function checkKeyAndWarn(
  runtime: Runtime,
  { isKnown, open }: LedgerState,
  keys: readonly IdempotencyKey[],
): Promise<void> {
  if (!isKnown) await checkApiKey(runtime);
  if (open !== null && (!isKnown || keys.includes(open.idempotencyKey)))
    (await runtime.output()).warn(open.words);
}

/**
 * Looks into the ledger. One that nobody expects yet is not created before somebody has said yes, and nothing is known
 * of it either: `look` is handed null.
 */
export async function withLedger<T>(
  runtime: Runtime,
  look: (seen: Looking | null) => Promise<T>,
): Promise<T> {
  const config = await runtime.config();
  const scope = scopeOf(config.profile());
  if (pinnedLedgerId(config) === null && runtime.environment.PIXCTL_LEDGER_ID === undefined)
    return look(null);
  const ledger = await openLedgerOf(runtime);
  try {
    const { createOwners } = await import('../../owner/create-owners.ts');
    const owners = await createOwners();
    const dependencies = { ledger, clock: runtime.clock, owners, requestTimeoutMs: longestExchangeMs };
    return await look({ scope, dependencies });
  } finally {
    await ledger.close();
  }
}

/** Returns the refusal (87) for an order that breaks the policy. `intent`: what the ledger has for it. */
export function refusalFor(breach: Breach, intent: Intent | null): PixctlError {
  const outcome = policyBreach(intent, breach);
  const { exit, code, hint, field } = outcome;
  return new PixctlError(exit, code, describeOutcome(outcome), { hint, field });
}
