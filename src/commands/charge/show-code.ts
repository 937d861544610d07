/** The payable part of a charge for people: the QR code where it fits, the copy-and-paste code always. */
import type { Charge } from '../../contract/charge.ts';
import type { Runtime } from '../../runtime.ts';

/** Draws on a terminal only; writes nothing in json, ndjson and csv. */
export async function showCode(
  { io, ...runtime }: Pick<Runtime, 'io' | 'output'>,
  charge: Charge,
  { draw }: { readonly draw: boolean },
): Promise<void> {
  const output = await runtime.output();
  if (output.options.format !== 'table') return;
  if (draw && io.stdoutIsTerminal) {
    const drawn = await drawnOf(charge.brCode, io.size());
    if (drawn === null) output.note('The copy-and-paste code is too long for a QR code.');
    else if (drawn.fits) await output.text(drawn.text, { trusted: true });
    else {
      output.note(
        `The QR code needs ${drawn.columns} columns and ${drawn.rows} rows: widen the terminal, or write it with --png <file>.`,
      );
    }
  }
  if (io.stdoutIsTerminal) await output.text(`PIX copy and paste:\n${charge.brCode}`);
}

async function drawnOf(brCode: string, size: { columns: number; rows: number }) {
  const [{ maxQrBytes, qrMatrix }, { renderQr }] = await Promise.all([
    import('../../qr/matrix.ts'),
    import('../../terminal/qr.ts'),
  ]);
  const fits = brCode !== '' && Buffer.byteLength(brCode) <= maxQrBytes;
  return fits ? renderQr(qrMatrix(brCode), size) : null;
}
