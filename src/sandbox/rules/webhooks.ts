/** Webhook endpoints (document: "POST /webhooks", "GET /webhooks/{id}/deliveries"). */
import { randomBytes } from 'node:crypto';
import { isLoopback } from '../../contract/loopback.ts';
import type { DeliveryRecord, WebhookEndpoint } from '../../contract/webhook.ts';
import {
  hasCredentials,
  isPlainHost,
  judgeEvents,
  judgeUrl,
  unknownEvents,
} from '../deliveries/endpoint-rules.ts';
import {
  type HistoryRow,
  historyQuery,
  toDeliveryRecord,
  withOtherFieldNames,
} from '../deliveries/history.ts';
import { dateTime } from '../world/date-time.ts';
import type { World } from '../world/world.ts';
import type { Context, Handlers } from './handler.ts';
import { findOwnRecord } from './own-record.ts';
import { readMaybeUnpaged } from './pagination.ts';
import { assumedRefusal, Refusal } from './refusal.ts';

export const webhookHandlers: Pick<Handlers, 'createWebhook' | 'listDeliveries'> = {
  createWebhook(context, { body }) {
    const { world, merchantId } = context;
    const events = [...new Set(body.events)];
    requireUsable(context, body.url, events);
    if (events.length < body.events.length && context.assume('webhook-repeated-event') === 'refuse') {
      throw new Refusal('VALIDATION_ERROR', 'events: must not have a name more than once');
    }
    requireUnusedUrl(context, body.url);
    const id = world.ids.next('wh');
    const secret = `whsec_${randomBytes(24).toString('hex')}`;
    const now = world.clock.now();
    world.store.run(
      'INSERT INTO endpoints (id, merchant_id, url, events, secret, created_at) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      merchantId,
      body.url,
      JSON.stringify(events),
      secret,
      now,
    );
    const endpoint = { id, url: body.url, events, secret, createdAt: dateTime(world, now) };
    return { status: 201, data: toAssumedShape(context.world.assume('webhook-shape'), endpoint) };
  },

  listDeliveries(context, { path, query }) {
    findOwnRecord(context, 'webhook endpoint', path.id, () => requireEndpoint(context, path.id));
    const list = { name: `deliveries/${path.id}`, ...historyQuery, parameters: [path.id] };
    const shape = context.world.assume('delivery-list-shape');
    const { rows, ...page } = readMaybeUnpaged<HistoryRow>(context, shape, list, query);
    const records = rows.map((row) => withAssumedStatus(context.world, toDeliveryRecord(context.world, row)));
    const isRenamed = context.world.assume('delivery-record') === 'other-names';
    return { status: 200, data: isRenamed ? records.map(withOtherFieldNames) : records, ...page };
  },
};

/** Throws `Refusal` NOT_FOUND for an endpoint that is not this merchant's. */
function requireEndpoint({ world, merchantId }: Context, id: string): void {
  const sql = 'SELECT 1 FROM endpoints WHERE id = ? AND merchant_id = ?';
  if (world.store.get(sql, id, merchantId) === undefined)
    throw new Refusal('NOT_FOUND', `webhook endpoint ${id} does not exist`);
}

/** Applies assumption `delivery-states`. FAILED is the one state that the document shows. */
function withAssumedStatus(world: World, record: DeliveryRecord): DeliveryRecord {
  if (record.status === 'FAILED') return record;
  const [pending, delivered] = world.assume('delivery-states').split(',');
  return { ...record, status: record.status === 'DELIVERED' ? delivered : pending };
}

/** Applies assumption `webhook-shape`. */
function toAssumedShape(choice: string, { secret, ...endpoint }: WebhookEndpoint): WebhookEndpoint {
  if (choice === 'secret-nested') return { ...endpoint, signing: { secret } };
  if (choice === 'other-names') {
    const { id, ...rest } = endpoint;
    return { endpointId: id, ...rest, signingSecret: secret };
  }
  return choice === 'wrapped' ? { webhook: { ...endpoint, secret } } : { ...endpoint, secret };
}

/** Length limit of assumption `webhook-url-length`: the document gives none. */
const urlLimit = 2_048;

/** Throws a `Refusal` that names the field and the problem. */
function requireUsable(context: Context, url: string, events: readonly string[]): void {
  const isTooLong = url.length > urlLimit && context.assume('webhook-url-length') !== 'any';
  const wrongUrl = isTooLong
    ? `must be at most ${urlLimit} characters`
    : judgeUrl(url, (hostname) => takesPlainHttp(context, hostname));
  if (wrongUrl !== null) {
    throw new Refusal('VALIDATION_ERROR', `${context.assume('webhook-url-field')}: ${wrongUrl}`);
  }
  if (hasCredentials(url) && context.assume('webhook-credentials') === 'refuse') {
    const field = context.assume('webhook-url-field');
    throw new Refusal('VALIDATION_ERROR', `${field}: must be without user and password`);
  }
  const unknown = unknownEvents(events);
  const eighth = unknown.length > 0 && context.assume('eighth-event') === 'accept';
  const wrongEvent = judgeEvents(events, eighth);
  if (wrongEvent !== null) throw new Refusal('VALIDATION_ERROR', `events: ${wrongEvent}`);
}

/**
 * Applies assumption `webhook-plain-http`. To refuse another machine's address, the document is enough: such an answer
 * does not rest on the assumption.
 */
function takesPlainHttp({ world, assume }: Context, hostname: string): boolean {
  const isLiberty = isLoopback(hostname) || isPlainHost(hostname, world.assume('webhook-plain-http'));
  return isLiberty && isPlainHost(hostname, assume('webhook-plain-http'));
}

function requireUnusedUrl({ world, merchantId, assume }: Context, url: string): void {
  const twin = world.store.get<{ id: string }>(
    'SELECT id FROM endpoints WHERE merchant_id = ? AND url = ?',
    merchantId,
    url,
  );
  if (twin === undefined) return;
  const choice = assume('webhook-repeated-url');
  if (choice !== 'accept') throw assumedRefusal(choice, `webhook endpoint ${twin.id} has this address`);
}
