/** A new sandbox has nothing to pay out: most people's first withdrawal, or first file of them, is refused for that. */
import type { Runtime } from '../../runtime.ts';
import type { Outcome } from '../../withdrawal/outcome/outcome.ts';
import { usesSandboxKey } from './protocol.ts';

/** A sentence that says how to give a sandbox's merchant something; `''` where that is not what the outcome lacks. */
export async function fundsHint(runtime: Runtime, { code, message }: Outcome): Promise<string> {
  const lacks = code === 'REFUSED' && message.includes('insufficient balance');
  // A keychain that no longer answers must not hide what became of the order.
  if (!lacks || !(await usesSandboxKey(runtime).catch(() => false))) return '';
  return 'In a sandbox, pixctl sandbox merchant set --available 1000,00 gives the merchant something to pay out.';
}
