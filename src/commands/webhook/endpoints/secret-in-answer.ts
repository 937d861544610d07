/**
 * The secret of a registration, wherever in the answer it stands. The document names the field and says that it comes
 * once; its place it does not show, so an answer of another shape must not be a secret that is lost for good.
 */
import { envelopeOf } from '../../../api/classify.ts';
import type { Exchange } from '../../../api/exchange.ts';
import { isObject } from '../../../contract/json-object.ts';
import type { WebhookEndpoint } from '../../../contract/webhook.ts';

/** The secret, and the endpoint's id where it is told. Null where the answer is no success, or holds none. */
export function withSecret(exchange: Exchange): WebhookEndpoint | null {
  if (exchange.kind !== 'reply' || exchange.reply.status < 200 || exchange.reply.status > 299) return null;
  const envelope = envelopeOf(exchange.reply);
  if (envelope === null || envelope.success === false) return null;
  const holder = holderIn(envelope);
  if (holder === null) return null;
  // The data is the endpoint (assumption `webhook-shape`); what holds the secret may be a key or an answer with its own.
  const id = (isObject(envelope.data) ? envelope.data.id : undefined) ?? holder.id;
  const secret = String(holder.secret);
  return typeof id === 'string' || typeof id === 'number' ? { id: String(id), secret } : { secret };
}

/** Depth is that of the parser. */
function holderIn(value: unknown): Record<string, unknown> | null {
  if (isObject(value) && typeof value.secret === 'string' && value.secret !== '') return value;
  if (typeof value !== 'object' || value === null) return null;
  for (const inner of Object.values(value)) {
    const found = holderIn(inner);
    if (found !== null) return found;
  }
  return null;
}
