/**
 * Every call of the API that the document shows (document: "Endpoints"). The client's calls and the
 * sandbox's handlers are both derived from this one table, so that they cannot drift apart: a missing
 * handler or a misspelt status is a type error.
 *
 * Requests are strict (an unknown property is refused), answers lenient (unknown fields pass through). `body`, `query`
 * and `data` are functions, so that a schema is built only when it is first needed (`schema.ts`).
 */
import type { AssumptionId } from './assumptions.ts';
import { charge, chargeQuery, createChargeBody, createdCharge, refund } from './charge.ts';
import { customer } from './customer.ts';
import { listQuery } from './pagination.ts';
import { encodeText } from './percent.ts';
import type { Schema, SchemaOutput } from './schema.ts';
import { createWebhookBody, deliveryRecord, webhookEndpoint } from './webhook.ts';
import { createWithdrawalBody, withdrawal, withdrawalById } from './withdrawal.ts';

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below the base URL; `{id}` stands for a path parameter. */
  readonly path: string;
  /** The one status that means success. */
  readonly success: 200 | 201;
  /** `item`: `data` is one object; `list`: `data` is an array, with `pagination` beside it. */
  readonly shape: 'item' | 'list';
  /**
   * Marks a list that may come without `pagination`: its shape is not shown. Nobody can say whether such a list is
   * whole.
   */
  readonly isMaybeUnpaged?: true;
  readonly query: (() => Schema) | null;
  readonly body: (() => Schema) | null;
  /** One item of `data`. */
  readonly data: () => Schema;
  /** What the document does not show of this operation. */
  readonly assumed: readonly AssumptionId[];
  readonly summary: string;
}

export const operations = {
  createCharge: {
    method: 'POST',
    path: '/transparents/create',
    success: 201,
    shape: 'item',
    query: null,
    body: createChargeBody,
    data: createdCharge,
    assumed: [],
    summary: 'Create a PIX charge',
  },
  getCharge: {
    method: 'GET',
    path: '/transparents/check',
    success: 200,
    shape: 'item',
    query: chargeQuery,
    body: null,
    data: charge,
    assumed: ['check-shape'],
    summary: 'Read one charge',
  },
  refundCharge: {
    method: 'POST',
    path: '/transparents/refund',
    success: 200,
    shape: 'item',
    query: chargeQuery,
    body: null,
    data: refund,
    assumed: ['refund-shape', 'refund-completion'],
    summary: 'Refund a paid charge in full',
  },
  listCharges: {
    method: 'GET',
    path: '/transparents/list',
    success: 200,
    shape: 'list',
    query: listQuery,
    body: null,
    data: charge,
    assumed: ['list-shape', 'list-order', 'list-lag'],
    summary: 'List charges',
  },
  getCustomer: {
    method: 'GET',
    path: '/customers/{id}',
    success: 200,
    shape: 'item',
    query: null,
    body: null,
    data: customer,
    assumed: [],
    summary: 'Read one customer',
  },
  createWithdrawal: {
    method: 'POST',
    path: '/withdrawals',
    success: 201,
    shape: 'item',
    query: null,
    body: createWithdrawalBody,
    data: withdrawal,
    assumed: [
      'withdrawal-id',
      'withdrawal-create-shape',
      'withdrawal-created-at',
      'withdrawal-without-reason',
    ],
    summary: 'Withdraw available balance to a PIX key',
  },
  listWithdrawals: {
    method: 'GET',
    path: '/withdrawals',
    success: 200,
    shape: 'list',
    isMaybeUnpaged: true,
    query: listQuery,
    body: null,
    data: withdrawal,
    assumed: [
      'withdrawal-id',
      'withdrawal-list-shape',
      'withdrawal-list-scope',
      'withdrawal-listed-key',
      'withdrawal-created-at',
      'withdrawal-without-reason',
      'list-order',
      'list-lag',
    ],
    summary: 'List withdrawals',
  },
  getWithdrawal: {
    method: 'GET',
    path: '/withdrawals/{id}',
    success: 200,
    shape: 'item',
    query: null,
    body: null,
    data: withdrawalById,
    assumed: ['withdrawal-id', 'withdrawal-get-shape', 'withdrawal-created-at', 'withdrawal-without-reason'],
    summary: 'Read one withdrawal',
  },
  createWebhook: {
    method: 'POST',
    path: '/webhooks',
    success: 201,
    shape: 'item',
    query: null,
    body: createWebhookBody,
    data: webhookEndpoint,
    assumed: ['webhook-url-field', 'webhook-shape'],
    summary: 'Register a webhook endpoint',
  },
  listDeliveries: {
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    success: 200,
    shape: 'list',
    isMaybeUnpaged: true,
    query: listQuery,
    body: null,
    data: deliveryRecord,
    assumed: ['delivery-record', 'delivery-states', 'delivery-list-shape', 'list-order'],
    summary: "Read an endpoint's delivery history",
  },
} as const satisfies Readonly<Record<string, Operation>>;

export type Operations = typeof operations;
export type OperationName = keyof Operations;
/** The operations whose answer is a page of items. */
export type ListOperationName = {
  [K in OperationName]: Operations[K]['shape'] extends 'list' ? K : never;
}[OperationName];

type Infer<S> = S extends () => Schema ? SchemaOutput<S> : undefined;
type PathOf<K extends OperationName> = Operations[K]['path'] extends `${string}{id}${string}`
  ? { id: string }
  : undefined;

/** What a caller of `K` passes and a handler of `K` receives: already validated. */
export interface Input<K extends OperationName> {
  path: PathOf<K>;
  query: Infer<Operations[K]['query']>;
  body: Infer<Operations[K]['body']>;
}
/** One item of the answer of `K`. */
export type Item<K extends OperationName> = SchemaOutput<Operations[K]['data']>;
/** `data` of the answer of `K`: an item, or an array of them. */
export type Data<K extends OperationName> = Operations[K]['shape'] extends 'list' ? Item<K>[] : Item<K>;

/** The path of an operation with its parameter filled in, encoded so that it cannot leave its segment. */
export const operationPath = (operation: Operation, id?: string): string =>
  operation.path.replace('{id}', () => encodeText(id ?? ''));
