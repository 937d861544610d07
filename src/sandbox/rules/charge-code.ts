/** Makes the codes of a charge: txid and BR Code. */
import type { Cents } from '../../contract/brand.ts';
import { buildDynamicCode } from '../../contract/brcode/build.ts';
import type { World } from '../world/world.ts';
import type { Merchant } from './merchants.ts';

/** Where the code's URL points: a name that resolves nowhere, so that no bank can take it for a real one. */
const location = 'sandbox.invalid/pix/v2';

export interface Code {
  /** 32 letters and digits. */
  readonly txid: string;
  readonly brCode: string;
}

export function issueCode(world: World, merchant: Pick<Merchant, 'name' | 'city'>, amount: number): Code {
  const txid = world.ids.characters(32);
  const { name, city } = merchant;
  const brCode = buildDynamicCode({ url: `${location}/${txid}`, name, city, amount: amount as Cents });
  return { txid, brCode };
}
