/** Writes dynamic BR Codes, around the URL of a payment location. */
import type { Cents } from '../brand.ts';
import { decimalOf } from '../money.ts';
import { crc16 } from './crc.ts';
import { writeField } from './fields.ts';

interface DynamicCode {
  /** Location without its scheme: `host/path`. The amount and the txid live behind it. */
  url: string;
  /** The receiver's; folded to ASCII and cut to 25 characters. */
  name: string;
  /** Folded to ASCII and cut to 15 characters. */
  city: string;
  /** Written into the code too, if given; payers' banks take the amount behind the URL. */
  amount?: Cents;
}

export const brCodeLimits = { name: 25, city: 15, url: 77 } as const;
export const pixDomain = 'br.gov.bcb.pix';

/**
 * Writes a code. Throws RangeError if the amount is zero, or the URL has a scheme, is not ASCII, or exceeds 77
 * characters.
 */
export function buildDynamicCode({ url, name, city, amount }: DynamicCode): string {
  if (!isLocation(url)) throw new RangeError('the URL of a BR Code is host/path in ASCII, without https://');
  if (url.length > brCodeLimits.url) throw new RangeError('the URL of a BR Code has at most 77 characters');
  if (amount !== undefined && amount <= 0) throw new RangeError('the amount of a BR Code is above zero');
  const unsigned =
    writeField('00', '01') +
    writeField('01', '12') +
    writeField('26', writeField('00', pixDomain) + writeField('25', url)) +
    writeField('52', '0000') +
    writeField('53', '986') +
    (amount === undefined ? '' : writeField('54', decimalOf(amount))) +
    writeField('58', 'BR') +
    writeField('59', fold(name, brCodeLimits.name) || 'NAO INFORMADO') +
    writeField('60', fold(city, brCodeLimits.city) || 'BRASIL') +
    writeField('62', writeField('05', '***')) +
    '6304';
  return unsigned + crc16(unsigned);
}

/** Whether a text is `host/path`, without scheme, spaces or anything that a payer's bank would refuse. */
export const isLocation = (url: string): boolean =>
  /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+(?:\/[\w.~!$&'()*+,;=:@%-]*)*$/i.test(
    url,
  );

/** Drops accents, removes other characters outside printable ASCII, and cuts to length. */
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
