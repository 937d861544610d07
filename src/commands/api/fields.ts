/** `-f` and `-F`: puts fields from the command line into a query or a JSON body. */
import { usageError } from '../../errors.ts';
import { decodeUtf8 } from '../../flags/utf8-text.ts';

/** Reads `@file`, where `-` is stdin. */
export type ReadFile = (path: string) => Promise<Uint8Array>;
export type Fields = readonly (readonly [key: string, value: unknown])[];

/** Returns the fields, text ones first, then typed ones. Throws a usage error (64) for anything but `key=value`. */
export async function readFields(
  raw: readonly string[],
  typed: readonly string[],
  read: ReadFile,
): Promise<Fields> {
  const fields: [string, unknown][] = raw.map(split);
  for (const [key, text] of typed.map(split)) fields.push([key, await typedValue(text, read)]);
  return fields;
}

function split(field: string): [string, string] {
  const at = field.indexOf('=');
  if (at < 1)
    throw usageError(`"${field}" is not key=value. Nothing was sent.`, 'For example: -F amount=1050');
  return [field.slice(0, at), field.slice(at + 1)];
}

async function typedValue(text: string, read: ReadFile): Promise<unknown> {
  if (text.startsWith('@')) return decodeUtf8(await read(text.slice(1)), `The text of ${text}`);
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return text;
  const number = Number(text);
  if (String(number) === text) return number;
  throw usageError(
    `${text} cannot be sent as a number without changing it. Nothing was sent.`,
    'Give it as text with -f.',
  );
}

/** Adds `a=1&b=2` to a path that may have a query already. */
export function withQuery(path: string, fields: Fields): string {
  if (fields.length === 0) return path;
  const query = fields.map(
    ([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`,
  );
  return `${path}${path.includes('?') ? '&' : '?'}${query.join('&')}`;
}

/**
 * Builds one object from all fields: `a[b]=1` nests, `a[]=1` appends. Every key is an ordinary key, even `__proto__`.
 */
export function bodyOf(fields: Fields): Record<string, unknown> {
  const body = emptyObject();
  for (const [key, value] of fields) {
    const steps = /^[^[\]]+(\[[^[\]]*\])*$/.test(key) ? key.replaceAll(']', '').split('[') : null;
    if (steps === null) throw usageError(`"${key}" is not a key like a, a[b] or a[]. Nothing was sent.`);
    put(body, steps, value, key);
  }
  return body;
}

type Holder = Record<string, unknown> | unknown[];

function put(holder: Holder, [step = '', ...rest]: readonly string[], value: unknown, key: string): void {
  if (Array.isArray(holder) !== (step === '')) throw mixed(key);
  const there = Array.isArray(holder) ? undefined : holder[step];
  if (rest.length > 0 && there !== undefined && (typeof there !== 'object' || there === null))
    throw mixed(key);
  const next = rest.length === 0 ? value : (there ?? (rest[0] === '' ? [] : emptyObject()));
  if (Array.isArray(holder)) holder.push(next);
  else holder[step] = next;
  if (rest.length > 0) put(next as Holder, rest, value, key);
}

const mixed = (key: string) =>
  usageError(
    `"${key}" conflicts with another field. Nothing was sent.`,
    'A field is a value, an object (a[b]=1) or a list (a[]=1), and only one of them.',
  );
const emptyObject = (): Record<string, unknown> => Object.create(null);
