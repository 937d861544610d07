/** `pixctl charge qr <id>`: the code to scan; piped, the text alone. */
import type { Runtime } from '../../runtime.ts';
import { chargeView } from '../../views/charge.ts';
import { reserveFile, writePng } from './png-file.ts';
import { readCharge } from './read.ts';
import { showCode, warnOfCode } from './show-code.ts';

export async function qr(runtime: Runtime, id: string, { png }: { png?: string }): Promise<void> {
  const output = await runtime.output();
  output.check(chargeView);
  if (png !== undefined) await reserveFile(runtime, png);
  const charge = await readCharge(runtime, id);
  await warnOfCode(runtime, charge);
  const { format, fields } = output.options;
  if (format !== 'table' || fields !== null) await output.show(chargeView, charge);
  else if (runtime.io.stdoutIsTerminal) await showCode(runtime, charge, { draw: true });
  else if (charge.brCode) await output.text(charge.brCode);
  if (png !== undefined) await writePng(runtime, png, charge);
}
