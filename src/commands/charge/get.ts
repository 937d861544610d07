/** `pixctl charge get <id>`. */
import type { Runtime } from '../../runtime.ts';
import { readCharge } from './read.ts';
import { chargeView } from './view.ts';

export async function get(runtime: Runtime, id: string, { qr = false }: { qr?: boolean }): Promise<void> {
  const output = await runtime.output();
  output.check(chargeView);
  const charge = await readCharge(runtime, id);
  if (qr) {
    const { warnOfCode } = await import('./qr.ts');
    await warnOfCode(runtime, charge);
  }
  await output.show(chargeView, charge);
  if (qr) {
    const { showCode } = await import('./show-code.ts');
    await showCode(runtime, charge, { draw: true });
  }
}
