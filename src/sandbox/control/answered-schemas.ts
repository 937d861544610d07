/**
 * Schemas of what this sandbox answers, for `openapi.json`. The contract's are the client's: lenient, because a client
 * must survive a beta. Here each field is what the document says, and each open point what was chosen.
 */
import { type Charge, imagePrefix } from '../../contract/charge.ts';
import type { Customer } from '../../contract/customer.ts';
import type { OperationName } from '../../contract/operations.ts';
import type { Pagination } from '../../contract/pagination.ts';
import { chargeStatuses, withdrawalStatuses } from '../../contract/statuses.ts';
import { type WebhookEndpoint, webhookLimits } from '../../contract/webhook.ts';
import { pixKeyTypes, type Withdrawal } from '../../contract/withdrawal.ts';
import { toCreatedWithdrawal, toListedWithdrawal, toReadWithdrawal } from '../rules/withdrawal-records.ts';
import type { World } from '../world/world.ts';

export type Json = Record<string, unknown>;

/** One field for each that the contract names: one more or less is a type error. */
type Fields<T> = Readonly<Record<keyof { [K in keyof T as string extends K ? never : K]: T[K] }, Json>>;

const text: Json = { type: 'string' };
const textOrNull: Json = { type: ['string', 'null'] };
const cents: Json = { type: 'integer' };
const moment: Json = { type: 'string', format: 'date-time' };
const idOf = (form: string): Json => ({ type: 'string', pattern: `^${form}_` });

const summaryFields: Fields<NonNullable<Charge['customer']>> = {
  id: idOf('cust'),
  name: text,
  taxId: { type: 'string', pattern: '^(\\d{11}|\\d{14})$' },
  email: text,
  phone: textOrNull,
};
const customerSummary = {
  type: 'object',
  properties: summaryFields,
  required: ['id', 'name', 'taxId', 'email'],
};

const chargeFields: Fields<Charge> = {
  id: idOf('chg'),
  amount: cents,
  status: { type: 'string', enum: chargeStatuses },
  txid: text,
  brCode: text,
  imageBase64: { type: 'string', pattern: `^${imagePrefix}` },
  expiresAt: moment,
  customer: { anyOf: [customerSummary, { type: 'null' }] },
  createdAt: moment,
};
const codes = ['brCode', 'imageBase64'];
const chargeSchema = (isWithCode: boolean): Json => ({
  type: 'object',
  properties: chargeFields,
  required: ['id', 'amount', 'status', 'txid', ...(isWithCode ? codes : []), 'createdAt'],
});

const customerFields: Fields<Customer> = {
  ...summaryFields,
  createdAt: moment,
  updatedAt: moment,
};
const customerSchema = {
  type: 'object',
  properties: customerFields,
  required: ['id', 'name', 'email', 'taxId', 'createdAt', 'updatedAt'],
};

const withdrawalFields: Fields<Withdrawal> = {
  id: text,
  amount: cents,
  fee: cents,
  pixKey: text,
  pixKeyType: { type: 'string', enum: pixKeyTypes },
  status: { type: 'string', enum: withdrawalStatuses },
  failedReason: textOrNull,
  createdAt: moment,
};

/** Requires what `show` gives of any withdrawal, by the choices in force. */
function withdrawalSchema(world: World, show: typeof toReadWithdrawal): Json {
  const shown = Object.keys(show(world, anyWithdrawal));
  const { id, ...rest } = withdrawalFields;
  const name = shown.includes('id') ? 'id' : 'withdrawalId';
  const written = world.assume('withdrawal-id') === 'number' ? { type: 'integer' } : id;
  return { type: 'object', properties: { [name]: written, ...rest }, required: shown };
}

const anyWithdrawal = {
  seq: 1,
  id: '1',
  merchantId: '',
  amount: 50,
  fee: 0,
  pixKey: '',
  pixKeyType: 'CPF',
  status: 'PENDING',
  failedReason: null,
  createdAt: 0,
} as const;

const endpointFields: Fields<WebhookEndpoint> = {
  id: idOf('wh'),
  url: text,
  events: {
    type: 'array',
    items: text,
    minItems: webhookLimits.events.min,
    maxItems: webhookLimits.events.max,
  },
  secret: text,
};
const endpointSchema = {
  type: 'object',
  properties: { ...endpointFields, createdAt: moment },
  required: ['id', 'url', 'events', 'secret', 'createdAt'],
};

const paginationFields: Fields<Pagination> = {
  hasMore: { type: 'boolean' },
  next: textOrNull,
  before: textOrNull,
};
export const paginationSchema: Json = {
  type: 'object',
  properties: paginationFields,
  required: ['hasMore', 'next', 'before'],
};

/** Returns the schema of one item of `data`; null if all that is known of it is the contract's. */
export function answeredSchema(name: OperationName, world: World): Json | null {
  switch (name) {
    case 'createCharge':
      return chargeSchema(true);
    case 'getCharge':
      return chargeSchema(world.assume('check-shape') === 'charge');
    case 'listCharges':
      return chargeSchema(world.assume('list-shape') === 'charge');
    case 'refundCharge':
      return world.assume('refund-shape') === 'charge' ? chargeSchema(true) : null;
    case 'getCustomer':
      return customerSchema;
    case 'createWithdrawal':
      return withdrawalSchema(world, toCreatedWithdrawal);
    case 'getWithdrawal':
      return withdrawalSchema(world, toReadWithdrawal);
    case 'listWithdrawals':
      return withdrawalSchema(world, toListedWithdrawal);
    case 'createWebhook':
      return world.assume('webhook-shape') === 'flat' ? endpointSchema : null;
    case 'listDeliveries':
      return null;
  }
}
