/** The codes of a charge: txid, BR Code, and the same text as a QR code in a PNG. */
import encodeQR from 'qr';
import type { Cents } from '../contract/brand.ts';
import { buildDynamicCode } from '../contract/brcode.ts';
import { encodePng } from '../qr/png.ts';
import type { Merchant } from './merchants.ts';
import type { World } from './world.ts';

/** Where the code's URL points: a name that resolves nowhere, so that no bank can take it for a real one. */
const location = 'sandbox.invalid/pix/v2';

export interface Code {
  /** 32 letters and digits. */
  readonly txid: string;
  readonly brCode: string;
  /** A PNG in base64 that decodes to exactly `brCode`. */
  readonly image: string;
}

export function issueCode(world: World, merchant: Pick<Merchant, 'name' | 'city'>, amount: number): Code {
  const txid = world.ids.characters(32);
  const { name, city } = merchant;
  const brCode = buildDynamicCode({ url: `${location}/${txid}`, name, city, amount: amount as Cents });
  return { txid, brCode, image: drawCode(brCode) };
}

/** The generator that draws codes for terminals takes forty times as long, and this is every create's price. */
function drawCode(text: string): string {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border });
  const size = rows.length - 2 * border;
  const modules = new Uint8Array(size * size);
  for (let row = 0; row < size; row++) {
    const line = rows[row + border] ?? [];
    for (let column = 0; column < size; column++)
      modules[row * size + column] = line[column + border] ? 1 : 0;
  }
  return Buffer.from(encodePng({ size, modules }, pixelsPerModule)).toString('base64');
}

const border = 1;
const pixelsPerModule = 4;
