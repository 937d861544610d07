/**
 * Finds the secret of a registration wherever it stands in the answer. The document names the field and says that it
 * comes once, but does not show its place, and an answer of another shape must not lose the secret for good.
 */
import { contradictsItself, envelopeOf } from '../../../api/describe-reply.ts';
import type { Exchange } from '../../../api/exchange.ts';
import { isObject } from '../../../contract/json-object.ts';
import type { WebhookEndpoint } from '../../../contract/webhook.ts';
import { isMasked, isUsableSecret } from '../secrets/masked.ts';

/** Returns the secret and the endpoint's id from a success. Null if the answer proves no registration. */
export function findSecretInAnswer(exchange: Exchange): Pick<WebhookEndpoint, 'id' | 'secret'> | null {
  const envelope = successOf(exchange);
  if (envelope === null) return null;
  const found = firstOf(envelope, isUsableSecret) ?? onlyOne(envelope) ?? firstOf(envelope, isMasked);
  // Without a secret, only an answer that says it is the documented success proves that anything was registered.
  if (found === null && !(envelope.success === true && isObject(envelope.data))) return null;
  // One that also names an error proves nothing. Only a secret is worth more than the error that it amounts to.
  if (contradictsItself(envelope) && !isUsableSecret(found?.text)) return null;
  // The data is the endpoint (assumption `webhook-shape`). The object that holds the secret may have an id of its own.
  const id = idOf(envelope.data) ?? idOf(found?.holder) ?? null;
  return { ...(id === null ? {} : { id }), ...(found === null ? {} : { secret: found.text }) };
}

function successOf(exchange: Exchange): Record<string, unknown> | null {
  if (exchange.kind !== 'reply' || exchange.reply.status < 200 || exchange.reply.status > 299) return null;
  const envelope = envelopeOf(exchange.reply);
  return envelope === null || envelope.success === false ? null : envelope;
}

/** Whether it is an answer that says that it succeeded, and names an error all the same. */
export const namesError = (exchange: Exchange): boolean => contradictsItself(successOf(exchange));

interface Placed {
  readonly holder: Record<string, unknown>;
  readonly text: string;
}

const isSecret = (name: string): boolean => name === 'secret';
/** Matches `signingSecret`, `webhook_secret`, `signingKey`: none of them is documented. */
const isLikeSecret = (name: string): boolean =>
  /(secret|signing[_-]?key|secret[_-]?key)$/i.test(name) && !signsOtherwise.test(name);
/** Excludes secrets that do not sign deliveries. Whatever the wrong one refuses is lost: a 400 is not sent again. */
const signsOtherwise =
  /^(client|api|access|public|old|previous|former|masked|hashed|encrypted)[_-]?(secret|signing|webhook)/i;
/** Whether a field holds earlier secrets: `previous: { secret }`. */
const isFormer = (name: string): boolean => /^(old|previous|former)/i.test(name);

/** Returns the secret if there is only one: of several different ones, none can be known to be the one that signs. */
function onlyOne(envelope: Record<string, unknown>): Placed | null {
  const found = [...eachPlaced(envelope, isLikeSecret)].filter(({ text }) => isUsableSecret(text));
  return new Set(found.map(({ text }) => text)).size === 1 ? (found[0] ?? null) : null;
}

const firstOf = (envelope: unknown, fits: (text: string) => boolean): Placed | null =>
  [...eachPlaced(envelope, isSecret)].find(({ text }) => fits(text)) ?? null;

/** No deeper than the parser allows. */
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

/** Finds an id under the names that it may have beside or around the rest of the endpoint. */
function idOf(value: unknown): string | null {
  if (!isObject(value)) return null;
  const { id, endpointId, webhookId, endpoint, webhook } = value;
  const registeredId = id ?? endpointId ?? webhookId;
  if (typeof registeredId === 'string' || typeof registeredId === 'number') return String(registeredId);
  return idOf(endpoint) ?? idOf(webhook);
}
