/** The QR picture of a charge: a PNG in a data URI (document: "Charge", `imageBase64`). */
import { imagePrefix } from '../../contract/charge.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns the bytes of the picture, from a data URI or bare base64; null if it is not a PNG. */
export function pngBytes(imageBase64: string): Uint8Array | null {
  const bytes = Buffer.from(imageBase64.replace(imagePrefix, ''), 'base64');
  return bytes.subarray(0, signature.length).equals(signature) ? bytes : null;
}
