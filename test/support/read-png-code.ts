/** The text of the QR code in a PNG, by readers that are not ours: fast-png and jsQR. */
import { decode } from 'fast-png';
import jsQRModule from 'jsqr';

/** Its types say that the function is `default`; Node gives the function itself. */
export const jsQR = jsQRModule as unknown as typeof jsQRModule.default;

export function readPngCode(png: Uint8Array): string | undefined {
  const { width, height, data, depth, channels } = decode(png);
  const rgba = new Uint8ClampedArray(width * height * 4);
  const stride = Math.ceil((width * depth * channels) / 8);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const light =
        depth === 1
          ? (Number(data[y * stride + (x >> 3)]) >> (7 - (x & 7))) & 1
          : Number(data[(y * width + x) * channels]) >> 7;
      rgba.fill(light * 255, (y * width + x) * 4, (y * width + x) * 4 + 3);
      rgba[(y * width + x) * 4 + 3] = 255;
    }
  }
  return jsQR(rgba, width, height)?.data;
}
