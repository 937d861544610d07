/** Shows people the payable part of a charge: the QR code if it fits, the copy-and-paste code always. */
import type { Charge, CreatedCharge } from '../../contract/charge.ts';
import { isChargeStatus, mayBePaid } from '../../contract/statuses.ts';
import { commandLine } from '../../flags/command-line.ts';
import { findForeignLocale } from '../../flags/environment.ts';
import type { Runtime } from '../../runtime.ts';
import { makeVisible } from '../../terminal/escape.ts';
import { chargeView } from '../../views/charge.ts';
import { checkCharge } from './check.ts';

/** Without a full stop: what follows differs. */
export const undocumentedStatusText = ({ id, status }: Charge): string =>
  `${id} is ${makeVisible(status)}, a status that the service's document does not show`;

/** Whether somebody may still pay it. False for a status that the document does not show, of which nobody knows. */
export const isPayable = ({ status }: Charge): boolean => mayBePaid(status);

/** Tells stderr what a payer should know before scanning. `expected`: the requested amount, in cents. */
export async function warnOfCode(runtime: Runtime, charge: Charge, expected?: number): Promise<void> {
  const output = await runtime.output();
  for (const problem of await checkCharge(charge, expected))
    output.warn(`DO NOT LET ANYBODY PAY THIS YET: ${problem}.`);
  if (!isChargeStatus(charge.status))
    output.warn(`${undocumentedStatusText(charge)}: whether it may be paid is not known.`);
  else if (!isPayable(charge)) output.warn(`This charge is ${charge.status}: nobody should pay it.`);
}

/** Shows the charge, then its code. On a terminal the code is on a line of its own below, to be copied whole. */
export async function showWithCode(runtime: Runtime, charge: Charge, options: { readonly draw: boolean }) {
  await showWithoutCode(runtime, charge);
  await showCode(runtime, charge, options);
}

/** Shows the charge without anything on the terminal that pays it. Machines get all of it. */
export async function showWithoutCode(runtime: Runtime, charge: Charge) {
  const output = await runtime.output();
  const { format, fields } = output.options;
  const isBelow = format === 'table' && fields === null && runtime.io.stdoutIsTerminal;
  const columns = chargeView.columns.filter(({ key }) => !(isBelow && key === 'brCode'));
  await output.show({ ...chargeView, columns }, charge);
}

/** Shows the code: drawn on a terminal only. Writes nothing in json, ndjson and csv. */
export async function showCode(runtime: Runtime, charge: Charge, { draw }: { readonly draw: boolean }) {
  const { io } = runtime;
  const output = await runtime.output();
  if (output.options.format !== 'table' || !io.stdoutIsTerminal) return;
  const { id, brCode } = charge;
  if (!brCode) return;
  if (draw) await drawCode(runtime, { id, brCode });
  await output.text(`PIX copy and paste:\n${brCode}`);
}

/**
 * Draws the code if its lines fit, because one that wraps spoils the picture. Rows that scroll away can be scrolled
 * back.
 */
async function drawCode(
  runtime: Runtime,
  { id, brCode }: Pick<CreatedCharge, 'id' | 'brCode'>,
): Promise<void> {
  const output = await runtime.output();
  // Names the existing charge: the same command with --png would create another one.
  const picture = `${commandLine(['pixctl', 'charge', 'qr', id])} --png <file>`;
  if (runtime.environment.TERM === 'dumb')
    return output.note(`A terminal without colours (TERM=dumb) shows no QR code: ${picture}`);
  const { columns, rows } = runtime.io.size();
  const [{ maxQrBytes, qrMatrix }, { renderQr }] = await Promise.all([
    import('../../qr/matrix.ts'),
    import('../../terminal/qr.ts'),
  ]);
  if (Buffer.byteLength(brCode) > maxQrBytes) {
    return output.note('The copy-and-paste code does not fit into a QR code.');
  }
  const locale = findForeignLocale(runtime.environment);
  const drawn = renderQr(qrMatrix(brCode), { columns, ascii: locale !== null });
  if (!drawn.fits) {
    const where = locale === null ? '' : ` where the locale is not UTF-8 (${locale})`;
    return output.note(
      `The QR code needs ${drawn.columns} columns${where}: make the terminal wider, or ${picture}`,
    );
  }
  await output.text(drawn.text, { trusted: true });
  if (drawn.text.split('\n').length > rows) {
    output.note(`The QR code is taller than the terminal: make the terminal taller, or ${picture}`);
  }
}
