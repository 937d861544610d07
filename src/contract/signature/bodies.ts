/** Variants of a body, as editors and frameworks change it, to find out which of them was signed. */
import { isShallow } from '../json-depth.ts';

export interface BodyVariant {
  /** How the signed body differs from the one at hand, in words; null for the body itself. */
  readonly said: string | null;
  readonly bytes: Uint8Array;
}

/** Bytes. Trying every variant of a larger body takes longer than the answer is worth. */
const rewriteLimit = 256 * 1024;
/** No event nests deeper, and indented a deep body is many times its size. */
const rewriteDepth = 16;

/** The body itself first, then the simplest mistakes. */
export function bodyVariants(body: Uint8Array): BodyVariant[] {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const variants: BodyVariant[] = [{ said: null, bytes: body }];
  const add = (said: string, changed: string | Uint8Array): void => {
    const bytes = typeof changed === 'string' ? new TextEncoder().encode(changed) : changed;
    if (!variants.some((variant) => Buffer.compare(variant.bytes, bytes) === 0))
      variants.push({ said, bytes });
  };
  add('this body has a byte order mark that was not signed', text.replace(/^\ufeff/, ''));
  add('this body has a newline at its end that was not signed', withoutLastLines(text));
  add('a newline was signed at the end of the body, and is missing here', `${text}\n`);
  add(
    'the line breaks of the body were LF when it was signed, and are CRLF here',
    text.replaceAll('\r\n', '\n'),
  );
  add(
    'the line breaks of the body were CRLF when it was signed, and are LF here',
    text.replace(/\r?\n/g, '\r\n'),
  );
  add('a byte order mark was signed before the body, and is missing here', `\ufeff${text}`);
  add('the body was read as Latin-1 and written as UTF-8 before it came here', latin1(text));
  add('the body is UTF-8 here, but its signer read it as Latin-1: sign the raw bytes', asLatin1(body));
  if (isLatin1(text))
    add('the body is UTF-8 here, but was signed as Latin-1: sign the raw bytes', Buffer.from(text, 'latin1'));
  const wide = fromUtf16(body);
  if (wide !== null) for (const signed of [wide, withoutLastLines(wide)]) add(inUtf16, signed);
  if (body.byteLength <= rewriteLimit) for (const rewritten of rewrites(text)) add(reserialised, rewritten);
  return variants;
}

const inUtf16 =
  'this body is UTF-16, as > of Windows PowerShell writes it, but was signed as UTF-8: save the bytes as they came';

/** The text of UTF-16, by its mark or as every second byte of JSON is 0; null where it is none. */
function fromUtf16(body: Uint8Array): string | null {
  const [first, second] = body;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0))
    return new TextDecoder('utf-16le').decode(body);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== undefined && second !== 0))
    return new TextDecoder('utf-16be').decode(body);
  return null;
}

/** From its end: an expression would begin anew at each line break of a body that is full of them. */
function withoutLastLines(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= text[end - 2] === '\r' ? 2 : 1;
  return text.slice(0, end);
}

const reserialised =
  'this body was parsed and serialised again after it was signed: verify the raw bytes, before any JSON parsing';

/** The same JSON as common serialisers write it; none where the text is no JSON, or nested very deeply. */
function rewrites(text: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return [];
  }
  if (!isShallow(value, rewriteDepth)) return [];
  const compact = JSON.stringify(value);
  const spaced = (json: unknown): string => spaceOut(JSON.stringify(json, null, 1));
  const forms = [
    compact,
    JSON.stringify(value, null, 2),
    JSON.stringify(value, null, 4),
    JSON.stringify(value, null, '\t'),
    spaced(value),
  ];
  const sorted = sortKeys(value);
  forms.push(JSON.stringify(sorted), spaced(sorted));
  return forms.flatMap((form) => [
    form,
    `${form}\n`,
    escapeUnicode(form),
    form.replaceAll('/', '\\/'),
    escapeUnicode(form).replaceAll('/', '\\/'),
  ]);
}

/** `{"a": 1, "b": 2}` on one line, as Python writes it, from the same indented by one. */
const spaceOut = (indented: string): string => indented.replace(/,\n\s*/g, ', ').replace(/\n\s*/g, '');

const escapeUnicode = (json: string): string =>
  json.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
}

/** Undoes UTF-8 bytes that were read as Latin-1 characters; the text itself if that did not happen. */
function latin1(text: string): string {
  if (!isLatin1(text)) return text;
  const undone = Buffer.from(text, 'latin1').toString('utf8');
  return undone.includes('\ufffd') ? text : undone;
}

const isLatin1 = (text: string): boolean => Array.from(text).every((character) => character <= '\u00ff');
const asLatin1 = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');

/** What is remarkable about a body, in words: its size, a byte order mark, line breaks. */
export function bodyRemarks(body: Uint8Array): { odd: boolean; text: string } {
  const odd: string[] = [];
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) odd.push('begins with a byte order mark');
  if (fromUtf16(body) !== null) odd.push('seems to be UTF-16');
  if (body[0] === 0x1f && body[1] === 0x8b) odd.push('is compressed (gzip)');
  if (body.at(-1) === 0x0a) odd.push('ends with a newline');
  if (Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('\r\n'))
    odd.push('has CRLF line breaks');
  if (body.byteLength === 0) odd.push('is empty');
  const size = `${body.byteLength} bytes`;
  return { odd: odd.length > 0, text: odd.length === 0 ? size : `${size}; it ${odd.join(', ')}` };
}
