/** `pixctl charge get <id>`. */
import type { Runtime } from '../../runtime.ts';
import { chargeView } from '../../views/charge.ts';
import { readCharge } from './read.ts';

export async function get(runtime: Runtime, id: string, { qr = false }: { qr?: boolean }): Promise<void> {
  const output = await runtime.output(chargeView);
  const charge = await readCharge(runtime, id);
  if (!qr) return output.show(chargeView, charge);
  const { showWithCode, warnOfCode } = await import('./show-code.ts');
  await warnOfCode(runtime, charge);
  await showWithCode(runtime, charge, { draw: true });
}
