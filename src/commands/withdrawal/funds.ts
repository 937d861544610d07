/**
 * Helps with a new sandbox, which has nothing to pay out: most people's first withdrawal, or file of them, is refused
 * for that.
 */
import { decimalOf } from '../../contract/money.ts';
import { usesSandboxKey } from '../../runtime/uses-sandbox-key.ts';
import type { Runtime } from '../../runtime.ts';
import type { Outcome } from '../../withdrawal/outcome/outcome.ts';

/** Returns a sentence on how to give a sandbox's merchant money; `''` if that is not what the outcome lacks. */
export async function fundsHint(runtime: Runtime, { code, message, intent }: Outcome): Promise<string> {
  const lacks = code === 'REFUSED' && message.includes('insufficient balance');
  // A keychain that no longer answers must not hide what became of the order.
  if (!lacks || !(await usesSandboxKey(runtime).catch(() => false))) return '';
  const enough = decimalOf(enoughFor(intent?.amount ?? 0), ',');
  return `In a sandbox, give the merchant money to pay out: pixctl sandbox merchant set --available ${enough}.`;
}

/** Returns a round amount that leaves something over for the fee and later withdrawals. Cents. */
function enoughFor(amount: number): number {
  let enough = 100_000;
  while (enough < 2 * amount) enough *= 10;
  return enough;
}
