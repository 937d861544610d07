/**
 * Describes an answer that is not the documented one: its status, and what it says about itself. A gateway's own words
 * are often the only clue to what to mend, and those about a POST cannot be asked for again.
 */
import { isObject } from '../contract/json-object.ts';
import { hideSecrets } from '../errors.ts';
import type { Reply } from './exchange.ts';
import { isTooDeep, parseJson } from './json.ts';
import { hidden } from './mask-key.ts';
import { isHtml } from './retry.ts';

/** The members of an answer that is a JSON object. */
export type Envelope = Readonly<Record<string, unknown>>;

/** Parses the body; undefined if it is not JSON. */
export function jsonOf({ body }: Reply): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

/** The body as an envelope; null if it is none (not JSON, or not an object). */
export function envelopeOf(reply: Reply): Envelope | null {
  const json = jsonOf(reply);
  return isObject(json) ? json : null;
}

/** Whether it says that it succeeded or failed, as every answer of the service does. */
export const isEnvelope = (body: Envelope | null): body is Envelope => typeof body?.success === 'boolean';

/** Whether it says that it succeeded, and names an error all the same (document: "Conventions", 4: it is null then). */
export const contradictsItself = (body: Envelope | null): boolean =>
  body?.success === true && namesSomething(body.error);

/** An empty value, or one like `false` or `0`, stands for null at many services. */
function namesSomething(error: unknown): boolean {
  if (typeof error === 'string' || Array.isArray(error)) return error.length > 0;
  return isObject(error) && Object.keys(error).length > 0;
}

/** The id of a record, as text, to name it in a message; null if it has none. */
export function idOf(record: unknown): string | null {
  const id = isObject(record) ? record.id : undefined;
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id).slice(0, 100) : null;
}

/** The status, like `400`, with what is odd about it. `expected`: the status that the document shows for a success. */
export function describeReply(reply: Reply, expected?: number): string {
  const { status } = reply;
  const envelope = envelopeOf(reply);
  const { 'content-encoding': coding = 'identity' } = reply.headers;
  if (coding !== 'identity') return `${status} in the encoding ${coding}, which was not requested`;
  if (status >= 300 && status < 400) return `${status}, a redirect${targetOf(reply)}`;
  if (isHtml(reply) && envelope === null) return `${status} with a web page`;
  if (contradictsItself(envelope)) return `${status} with success and an error (${errorIn(envelope)}) in one`;
  if (isEnvelope(envelope))
    return status < 300 && expected !== undefined && status !== expected
      ? `${status} instead of ${expected}`
      : `${status}`;
  return `${status} ${withoutEnvelope(reply)}`;
}

const errorIn = (envelope: Envelope | null): string => inOneLine(textOf(envelope?.error));

function withoutEnvelope(reply: Reply): string {
  if (reply.body.length === 0) return 'with an empty body';
  if (isTooDeep(reply.body)) return 'with JSON nested too deeply to read';
  return jsonOf(reply) === undefined ? 'with a body that is not JSON, or is cut off' : 'without its envelope';
}

/** How many characters of an answer a message repeats. */
const longest = 300;
/** How many bytes or characters are searched for them. */
const searched = 16 * 1024;

/**
 * What a failure says about itself: JSON without data and secrets, the title of a web page, or the text. Null if it
 * says nothing, and for a success, whose data are the merchant's.
 */
export function failureTextOf(reply: Reply): string | null {
  const { status, headers, body } = reply;
  const envelope = envelopeOf(reply);
  if (status < 400 && !(envelope?.success === false)) return null;
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return null;
  const json = jsonOf(reply);
  const line = inOneLine(
    json === undefined
      ? plainWords(new TextDecoder().decode(body.subarray(0, searched)))
      : JSON.stringify(json, withoutSecrets),
  );
  return line === '' ? null : line;
}

/** Hides secrets before it shortens: half of a secret would not be recognised. */
function inOneLine(text: string): string {
  const line = hideSecrets(text.slice(0, searched).replace(/\s+/g, ' ').trim());
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}...` : line;
}

/** Members in which a refusal says more than its message, as validators do: which field, and why. */
const explaining = /^(details?|errors|issues|violations|fields|reasons?)$/i;

/** The message of a refusal, with what else its envelope says. */
export function addDetails(message: string, envelope: Envelope): string {
  const beside = Object.entries(envelope).filter(
    ([name, value]) => explaining.test(name) && value !== null && !['', '[]', '{}'].includes(textOf(value)),
  );
  if (beside.length === 0) return message;
  const words = beside.map(([name, value]) => `${name}: ${inOneLine(textOf(value))}`).join('; ');
  return `${message.replace(/\.$/, '')} (${words})`;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, withoutSecrets) ?? '');

/** Leaves out the data and what may be a secret: a failed answer may still hold them. */
function withoutSecrets(name: string, value: unknown): unknown {
  if (name === 'data') return undefined;
  return /secret|token|password|authorization|cookie|api.?key/i.test(name) ? hidden : value;
}

/** Shows nothing of broken JSON, in which neither data nor secrets could be recognised. */
function plainWords(text: string): string {
  if (/^[\s[]*[{"]/.test(text)) return '';
  return /^\s*</.test(text) ? titleOf(text) : text;
}

const titleOf = (page: string): string => /<title[^>]*>([^<]*)/i.exec(page)?.[1] ?? '';

/** Leaves out the query and a password, which are nobody's business. */
function targetOf({ headers: { location } }: Reply): string {
  if (typeof location !== 'string' || location === '') return '';
  return ` to ${inOneLine(location.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//'))}`;
}
