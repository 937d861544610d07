/** Writes BR Codes: static ones around a PIX key, dynamic ones around the URL of a payment location. */
import type { Cents } from '../brand.ts';
import { decimalOf } from '../money.ts';
import { crc16 } from './crc.ts';
import { writeField } from './fields.ts';

export interface Receiver {
  /** Folded to ASCII and cut to 25 characters. */
  name: string;
  /** Folded to ASCII and cut to 15 characters. */
  city: string;
}

export interface StaticCode extends Receiver {
  /** A PIX key in the service's spelling. */
  key: string;
  /** Absent: the payer types it. */
  amount?: Cents;
  /** 1 to 25 letters and digits; `***` when absent. */
  txid?: string;
  /** Folded to ASCII and cut to what the template holds. */
  description?: string;
}

export interface DynamicCode extends Receiver {
  /** Location without its scheme: `host/path`. The amount and the txid live behind it. */
  url: string;
  /** Written too where given; payers' banks take the amount behind the URL. */
  amount?: Cents;
}

export const brCodeLimits = { name: 25, city: 15, template: 99, url: 77, txid: 25, key: 77 } as const;
export const pixDomain = 'br.gov.bcb.pix';

/** Throws RangeError on a key, txid or amount that a BR Code cannot hold. */
export function buildStaticCode({ key, amount, txid, description, ...receiver }: StaticCode): string {
  if (key.length > brCodeLimits.key) throw new RangeError('the PIX key is too long for a BR Code');
  if (txid !== undefined && !/^[A-Za-z0-9]{1,25}$/.test(txid))
    throw new RangeError('the txid of a static BR Code has 1 to 25 letters and digits');
  const account = writeField('00', pixDomain) + writeField('01', key);
  const room = brCodeLimits.template - account.length - 4;
  const text = fold(description ?? '', Math.max(room, 0));
  return assemble('', account + (text === '' ? '' : writeField('02', text)), receiver, amount, txid ?? '***');
}

/** Throws RangeError on a URL that has a scheme, other than plain ASCII, or more than 77 characters. */
export function buildDynamicCode({ url, amount, ...receiver }: DynamicCode): string {
  if (!isLocation(url)) throw new RangeError('the URL of a BR Code is host/path in ASCII, without https://');
  if (url.length > brCodeLimits.url) throw new RangeError('the URL of a BR Code has at most 77 characters');
  const account = writeField('00', pixDomain) + writeField('25', url);
  return assemble(writeField('01', '12'), account, receiver, amount, '***');
}

/** Whether a text is `host/path`, without scheme, spaces or anything that a payer's bank would refuse. */
export const isLocation = (url: string): boolean =>
  /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+(?:\/[\w.~!$&'()*+,;=:@%-]*)*$/i.test(
    url,
  );

function assemble(
  initiation: string,
  account: string,
  { name, city }: Receiver,
  amount: Cents | undefined,
  txid: string,
): string {
  if (amount !== undefined && amount <= 0) throw new RangeError('the amount of a BR Code is above zero');
  const unsigned =
    writeField('00', '01') +
    initiation +
    writeField('26', account) +
    writeField('52', '0000') +
    writeField('53', '986') +
    (amount === undefined ? '' : writeField('54', decimalOf(amount))) +
    writeField('58', 'BR') +
    writeField('59', fold(name, brCodeLimits.name) || 'NAO INFORMADO') +
    writeField('60', fold(city, brCodeLimits.city) || 'BRASIL') +
    writeField('62', writeField('05', txid)) +
    '6304';
  return unsigned + crc16(unsigned);
}

/** Accents dropped, other characters outside printable ASCII removed, cut to length. */
const fold = (text: string, length: number): string =>
  (isFolded.test(text)
    ? text
    : text
        .normalize('NFD')
        .replace(/\s+/g, ' ')
        .replace(/[^\x20-\x7e]/g, '')
        .trim()
  )
    .slice(0, length)
    .trim();

/** Words of printable ASCII with one space between them. */
const isFolded = /^[!-~]+(?: [!-~]+)*$/;
