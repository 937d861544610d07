/** The QR picture of a charge: a PNG in a data URI (document: "Charge", `imageBase64`). */
import { imagePrefix } from '../../contract/charge.ts';

export type PngText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** Pixels a side beyond which a picture is not looked at: its pixels would have to fit in memory. */
const maxSide = 4096;
/** Bound on the decoder's search, milliseconds; its default is one video frame. */
const decodeMs = 2_000;

/** The bytes of the picture, or null when it is not a PNG in a data URI. */
export function pngBytes(imageBase64: string): Uint8Array | null {
  if (!imageBase64.startsWith(imagePrefix)) return null;
  const bytes = Buffer.from(imageBase64.slice(imagePrefix.length), 'base64');
  return bytes.subarray(0, 8).equals(signature) && bytes.length > 24 ? bytes : null;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** What the picture says when it is scanned. */
export async function readPng(imageBase64: string): Promise<PngText> {
  const bytes = pngBytes(imageBase64);
  if (bytes === null) return { ok: false, reason: 'it is not a PNG' };
  const header = new DataView(bytes.buffer, bytes.byteOffset);
  if (header.getUint32(16) > maxSide || header.getUint32(20) > maxSide) {
    return { ok: false, reason: 'it is larger than any QR code needs to be' };
  }
  const [{ decode, convertIndexedToRgb }, { default: decodeQr }] = await Promise.all([
    import('fast-png'),
    import('qr/decode.js'),
  ]);
  try {
    const png = decode(bytes, { checkCrc: true });
    const channels = png.palette ? 3 : png.channels;
    const samples = png.palette ? convertIndexedToRgb(png) : png.data;
    const image = { width: png.width, height: png.height, data: toRgba(samples, channels, png.palette ? 8 : png.depth) };
    return { ok: true, text: decodeQr(image, { timeLimit: decodeMs }) };
  } catch {
    return { ok: false, reason: 'no QR code is found in it' };
  }
}

/** Any PNG's samples as eight-bit RGBA. */
function toRgba(samples: ArrayLike<number>, channels: number, depth: number): Uint8ClampedArray {
  const pixels = samples.length / channels;
  const out = new Uint8ClampedArray(pixels * 4);
  const scale = 255 / (2 ** depth - 1);
  const colours = channels >= 3 ? 3 : 1;
  for (let at = 0; at < pixels; at++) {
    for (let part = 0; part < 3; part++) {
      out[at * 4 + part] = (samples[at * channels + (colours === 3 ? part : 0)] ?? 0) * scale;
    }
    out[at * 4 + 3] = channels % 2 === 0 ? (samples[at * channels + colours] ?? 0) * scale : 255;
  }
  return out;
}
