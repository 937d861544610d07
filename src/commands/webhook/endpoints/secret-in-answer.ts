/**
 * The secret of a registration, wherever in the answer it stands. The document names the field and says that it comes
 * once; its place it does not show, so an answer of another shape must not be a secret that is lost for good.
 */
import { envelopeOf } from '../../../api/describe.ts';
import type { Exchange } from '../../../api/exchange.ts';
import { isObject } from '../../../contract/json-object.ts';
import type { WebhookEndpoint } from '../../../contract/webhook.ts';
import { isMasked, isWhole } from '../secrets/masked.ts';

/** What a success holds of the secret and of the endpoint's id. Null where the answer proves no registration. */
export function inAnswer(exchange: Exchange): Pick<WebhookEndpoint, 'id' | 'secret'> | null {
  const envelope = successOf(exchange);
  if (envelope === null) return null;
  const found = firstOf(envelope, isWhole) ?? onlyOne(envelope) ?? firstOf(envelope, isMasked);
  // Without one, only what says that it is the documented success proves that anything was registered.
  if (found === null && !(envelope.success === true && isObject(envelope.data))) return null;
  // The data is the endpoint (assumption `webhook-shape`). What holds the secret may have another id, its own.
  const id = idOf(envelope.data) ?? idOf(found?.holder) ?? null;
  return { ...(id === null ? {} : { id }), ...(found === null ? {} : { secret: found.text }) };
}

function successOf(exchange: Exchange): Record<string, unknown> | null {
  if (exchange.kind !== 'reply' || exchange.reply.status < 200 || exchange.reply.status > 299) return null;
  const envelope = envelopeOf(exchange.reply);
  return envelope === null || envelope.success === false ? null : envelope;
}

interface Placed {
  readonly holder: Record<string, unknown>;
  readonly text: string;
}

const isSecret = (name: string): boolean => name === 'secret';
/** `signingSecret`, `webhook_secret`, `signingKey`: none of them is documented. */
const isLikeSecret = (name: string): boolean =>
  /(secret|signing[_-]?key|secret[_-]?key)$/i.test(name) && !signsOtherwise.test(name);
/** What it would refuse is lost: a delivery answered with 400 is not sent again. */
const signsOtherwise =
  /^(client|api|access|public|old|previous|former|masked|hashed|encrypted)[_-]?(secret|signing|webhook)/i;
/** What holds earlier ones: `previous: { secret }`. */
const isFormer = (name: string): boolean => /^(old|previous|former)/i.test(name);

/** Of several that differ none can be told to be the one that signs. */
function onlyOne(envelope: Record<string, unknown>): Placed | null {
  const found = [...eachPlaced(envelope, isLikeSecret)].filter(({ text }) => isWhole(text));
  return new Set(found.map(({ text }) => text)).size === 1 ? (found[0] ?? null) : null;
}

const firstOf = (envelope: unknown, fits: (text: string) => boolean): Placed | null =>
  [...eachPlaced(envelope, isSecret)].find(({ text }) => fits(text)) ?? null;

/** Depth is that of the parser. */
function* eachPlaced(
  value: unknown,
  fits: (name: string) => boolean,
): Generator<Placed, undefined, undefined> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, text] of Object.entries(value)) {
    if (fits(name) && typeof text === 'string' && text !== '' && isObject(value))
      yield { holder: value, text };
  }
  for (const [name, inner] of Object.entries(value)) if (!isFormer(name)) yield* eachPlaced(inner, fits);
}

/** Under the names that it may have beside or around the rest of the endpoint. */
function idOf(value: unknown): string | null {
  if (!isObject(value)) return null;
  const { id, endpointId, webhookId, endpoint, webhook } = value;
  const told = id ?? endpointId ?? webhookId;
  if (typeof told === 'string' || typeof told === 'number') return String(told);
  return idOf(endpoint) ?? idOf(webhook);
}
