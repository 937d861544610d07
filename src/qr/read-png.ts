/** Reads the text of a QR code from PNG bytes that came from elsewhere: bounded in size, and never throws. */
import { inflateSync } from 'node:zlib';
import { convertIndexedToRgb, type DecodedPng, decode } from 'fast-png';
import { decodeQR } from 'qr/decode.js';

type ReadQr = { ok: true; text: string } | { ok: false; reason: string };

/** Limits for a stranger's image: bytes of the file, pixels of the picture. */
const maxBytes = 4_000_000;
const maxPixels = 16_000_000;

/** Reads the first QR code in a PNG. For garbage, bombs and pictures without a code, returns a reason in words. */
export function readQrPng(bytes: Uint8Array): ReadQr {
  if (bytes.length > maxBytes) return no(`the image has ${bytes.length} bytes; ${maxBytes} are the most`);
  const chunks = criticalChunks(bytes);
  if (chunks === null) return no('this is not a PNG image');
  const { width, height, data, plain } = chunks;
  if (width < 1 || height < 1 || width * height > maxPixels)
    return no(`the image is ${width} x ${height} pixels, too large`);
  try {
    // At most 16 bits in each of four channels, and one filter byte per line (in seven passes if interlaced).
    inflateSync(data, { maxOutputLength: width * height * 8 + height * 8 + 64 });
  } catch {
    return no('the image data is damaged');
  }
  let picture: DecodedPng;
  try {
    picture = decode(plain);
  } catch {
    return no('the image is damaged');
  }
  try {
    return { ok: true, text: decodeQR({ width, height, data: toRgba(picture) }, { timeLimit: 1000 }) };
  } catch {
    return no('no QR code could be read in the image');
  }
}

const no = (reason: string): ReadQr => ({ ok: false, reason });

/** Rebuilds a PNG from its critical chunks only, so that no compressed comment or profile is ever unpacked. */
function criticalChunks(
  bytes: Uint8Array,
): { width: number; height: number; data: Uint8Array; plain: Uint8Array } | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (
    !view.subarray(0, 8).equals(signature) ||
    view.toString('latin1', 12, 16) !== 'IHDR' ||
    view.length < 33
  )
    return null;
  const kept: Buffer[] = [view.subarray(0, 8)];
  const data: Buffer[] = [];
  for (let at = 8; at + 12 <= view.length; ) {
    const length = view.readUInt32BE(at);
    const name = view.toString('latin1', at + 4, at + 8);
    const end = at + 12 + length;
    if (end > view.length) return null;
    // The picture would be made in the size of the last one, whose pixels were not counted.
    if (name === 'IHDR' && at > 8) return null;
    if (['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'].includes(name)) kept.push(view.subarray(at, end));
    if (name === 'IDAT') data.push(view.subarray(at + 8, end - 4));
    at = name === 'IEND' ? view.length : end;
  }
  return {
    width: view.readUInt32BE(16),
    height: view.readUInt32BE(20),
    data: Buffer.concat(data),
    plain: Buffer.concat(kept),
  };
}

const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Returns four bytes per pixel on white, whatever depth and channels the picture has. */
function toRgba(picture: DecodedPng): Uint8Array {
  const { width, height, depth } = picture;
  const source = picture.palette ? convertIndexedToRgb(picture) : unpack(picture);
  const channels = picture.palette ? source.length / (width * height) : picture.channels;
  const top = picture.palette ? 255 : 2 ** depth - 1;
  const rgba = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = pixel * channels;
    const sample = (channel: number): number => (source[at + channel] ?? 0) / top;
    const alpha = channels % 2 === 0 ? sample(channels - 1) : 1;
    for (let channel = 0; channel < 3; channel++)
      rgba[pixel * 4 + channel] = 255 * (sample(channels < 3 ? 0 : channel) * alpha + 1 - alpha);
    rgba[pixel * 4 + 3] = 255;
  }
  return rgba;
}

/** Expands samples smaller than a byte, one per element; each line starts at a new byte. */
function unpack({ width, height, depth, channels, data }: DecodedPng): ArrayLike<number> {
  if (depth >= 8) return data;
  const samples = new Uint8Array(width * height * channels);
  const perLine = width * channels;
  const stride = Math.ceil((perLine * depth) / 8);
  for (let index = 0; index < samples.length; index++) {
    const bit = (index % perLine) * depth;
    const byte = data[Math.floor(index / perLine) * stride + (bit >> 3)] ?? 0;
    samples[index] = (byte >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
  }
  return samples;
}
