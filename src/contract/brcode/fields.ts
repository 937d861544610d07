/** The tag-length-value text of a BR Code, and the names of its fields. */

export interface Field {
  /** Two digits. */
  readonly id: string;
  readonly value: string;
  /** Where the field's id begins in the text that was split, in characters. */
  readonly offset: number;
}

export type Fields =
  | { ok: true; fields: readonly Field[] }
  /** What was read before the fault, and what is wrong there. */
  | { ok: false; fields: readonly Field[]; problem: string };

/**
 * Splits a text into fields. Lengths count characters, or the bytes of UTF-8 if only that fits: some programs count
 * those, which differs only in a text that is not ASCII. What does not fit may still split, at two digits that happen
 * to stand elsewhere, but hardly into fields in order.
 */
export function splitFields(text: string): Fields {
  const split = splitByCharacters(text);
  if (isInOrder(split) || /^[ -~]*$/.test(text) || !text.isWellFormed()) return split;
  const byBytes = splitByBytes(text);
  return byBytes !== null && isInOrder(byBytes) ? byBytes : split;
}

const isInOrder = ({ ok, fields }: Fields): boolean =>
  ok && fields.every(({ id }, at) => at === 0 || id > (fields[at - 1]?.id ?? ''));

/** Null if lengths in bytes do not fit, or part a character. */
function splitByBytes(text: string): Fields | null {
  // One character for each byte.
  const split = splitByCharacters(Buffer.from(text).toString('latin1'));
  if (!split.ok) return null;
  const fields: Field[] = [];
  let offset = 0;
  for (const { id, value: bytes } of split.fields) {
    const value = Buffer.from(bytes, 'latin1').toString();
    if (!text.startsWith(value, offset + 4)) return null;
    fields.push({ id, value, offset });
    offset += 4 + value.length;
  }
  return { ok: true, fields };
}

function splitByCharacters(text: string): Fields {
  const fields: Field[] = [];
  let at = 0;
  while (at < text.length) {
    const [, id = '', length = ''] = /^(\d{2})(\d{2})/.exec(text.slice(at, at + 4)) ?? [];
    const where = `at character ${at + 1}`;
    if (id === '')
      return {
        ok: false,
        fields,
        problem: `${where} no field begins: two digits of id and two of length are missing`,
      };
    const value = text.slice(at + 4, at + 4 + Number(length));
    if (value.length < Number(length))
      return {
        ok: false,
        fields,
        problem: `field ${id} ${where} says ${Number(length)} characters, but ${value.length} are left`,
      };
    fields.push({ id, value, offset: at });
    at += 4 + value.length;
  }
  return { ok: true, fields };
}

/** Writes one field. Throws RangeError if the value is empty, or too long for a length of two digits. */
export function writeField(id: string, value: string): string {
  if (value.length < 1 || value.length > 99)
    throw new RangeError(`BR Code field ${id} must have 1 to 99 characters, not ${value.length}`);
  return `${id}${value.length.toString().padStart(2, '0')}${value}`;
}

/** Whether the field of this id holds fields of its own. */
export const isTemplate = (id: string): boolean => /^(?:2[6-9]|[34]\d|5[01]|62|64|[89]\d)$/.test(id);

/** The name of a field, in words; `parent` is the template that holds it. */
export function fieldName(id: string, parent?: string): string {
  if (parent === undefined)
    return topNames[id] ?? (/^(?:2[6-9]|[34]\d|5[01])$/.test(id) ? 'merchant account' : 'unknown field');
  if (parent === '62') return additionalNames[id] ?? 'additional data';
  if (/^[2345]\d$/.test(parent)) return accountNames[id] ?? 'account data';
  return id === '00' ? 'domain' : 'template data';
}

const topNames: Record<string, string> = {
  '00': 'payload format',
  '01': 'point of initiation',
  '26': 'merchant account (PIX)',
  '52': 'merchant category',
  '53': 'currency',
  '54': 'amount',
  '55': 'tip indicator',
  '56': 'fixed tip',
  '57': 'percentage tip',
  '58': 'country',
  '59': 'merchant name',
  '60': 'merchant city',
  '61': 'postal code',
  '62': 'additional data',
  '63': 'CRC',
  '64': 'other language',
  '80': 'unreserved template',
};

const accountNames: Record<string, string> = {
  '00': 'domain',
  '01': 'PIX key',
  '02': 'description',
  '03': 'withdrawal facilitator (ISPB)',
  '25': 'payment location (URL)',
};

const additionalNames: Record<string, string> = { '05': 'txid', '50': 'payment system template' };
