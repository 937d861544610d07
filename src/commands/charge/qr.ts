/** `pixctl charge qr <id>`: draws the code to scan. Piped, it writes the text alone. */
import { PixctlError } from '../../errors.ts';
import { commandLine } from '../../flags/command-line.ts';
import type { Runtime } from '../../runtime.ts';
import { chargeView } from '../../views/charge.ts';
import { reserveFile, writePng } from './png-file.ts';
import { readCharge } from './read.ts';
import { showCode, warnOfCode } from './show-code.ts';

export async function qr(runtime: Runtime, id: string, { png }: { png?: string }): Promise<void> {
  const output = await runtime.output(chargeView);
  if (png !== undefined) await reserveFile(runtime, png);
  const charge = await readCharge(runtime, id);
  await warnOfCode(runtime, charge);
  const { format, fields } = output.options;
  const isRecord = format !== 'table' || fields !== null;
  if (isRecord) await output.show(chargeView, charge);
  else if (runtime.io.stdoutIsTerminal) await showCode(runtime, charge, { draw: true });
  else if (charge.brCode) await output.text(charge.brCode);
  if (png !== undefined && !(await writePng(runtime, png, charge))) throw missingCodeError(id, 'picture');
  if (png === undefined && !isRecord && !charge.brCode) throw missingCodeError(id, 'copy-and-paste code');
}

/** The error for a charge without a code (assumption `check-shape`): a pipe must not take nothing for the code. */
const missingCodeError = (id: string, what: string) =>
  new PixctlError('unexpected', 'NO_CODE', `The service shows no ${what} of ${id}.`, {
    hint: `What it shows: ${commandLine(['pixctl', 'charge', 'get', id, '-o', 'json'])}`,
  });
