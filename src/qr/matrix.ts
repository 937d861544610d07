/** The modules of a QR code, error correction M, without quiet zone. */
import QRCode from 'qrcode-terminal/vendor/QRCode/index.js';

export interface Matrix {
  /** Modules per side. */
  readonly size: number;
  /** Row by row: 1 is dark, 0 is light. */
  readonly modules: Uint8Array;
}

/** The generator's number for level M, which survives 15 % of damage. */
const levelM = 0;
/** The capacity of version 40 at level M. */
export const maxQrBytes = 2331;

/** Throws RangeError if the text is empty or has more than `maxQrBytes` UTF-8 bytes. */
export function qrMatrix(text: string): Matrix {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length === 0 || bytes.length > maxQrBytes)
    throw new RangeError(`a QR code holds 1 to ${maxQrBytes} bytes, not ${bytes.length}`);
  const code = new QRCode(-1, levelM);
  code.addData(String.fromCharCode(...bytes));
  code.make();
  const size = code.getModuleCount();
  const modules = new Uint8Array(size * size);
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++)
      modules[row * size + column] = code.isDark(row, column) ? 1 : 0;
  return { size, modules };
}
