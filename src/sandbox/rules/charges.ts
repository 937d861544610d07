/** Charges (document: "POST /transparents/create", "GET /transparents/check", "GET /transparents/list"). */
import type { Cents } from '../../contract/brand.ts';
import { buildDynamicCode } from '../../contract/brcode/build.ts';
import { type Charge, type CreateChargeBody, chargeLimits } from '../../contract/charge.ts';
import {
  CachedCharge,
  type ChargeRow,
  findCharge,
  getCachedCharge,
  getCachedCharges,
} from './charge-records.ts';
import { findCustomer } from './customers.ts';
import type { Context, Handler } from './handler.ts';
import { type Merchant, readMerchant } from './merchants.ts';
import { findOwnRecord } from './own-record.ts';
import { readPage } from './pagination.ts';
import { Refusal, refusalOf } from './refusal.ts';

/** Where a code's URL points: a name that resolves nowhere, so that no bank can take it for a real one. */
const codeLocation = 'sandbox.invalid/pix/v2';

export const createCharge: Handler<'createCharge'> = (context, { body }) => {
  const { world, merchantId } = context;
  const { amount, description = null, customerId = null } = body;
  requireDescriptionFits(context, description);
  const merchant = readMerchant(world, merchantId);
  const customer = checkInAssumedOrder(
    context,
    () => requireChargeable(merchant, amount),
    () => (customerId === null ? null : findCustomer(world, customerId, merchantId)),
  );

  const id = world.ids.next('chg');
  const now = world.clock.now();
  const expiresAt = now + (body.expiresIn ?? chargeLimits.expiresIn.default) * 1_000;
  const txid = world.ids.characters(32);
  const { name, city } = merchant;
  const brCode = buildDynamicCode({ url: `${codeLocation}/${txid}`, name, city, amount: amount as Cents });
  // The only write and the last step, as `store.shareTransaction` requires.
  const { rowid } = world.store.append(
    `INSERT INTO charges (id, merchant_id, amount, status, txid, br_code, description, customer_id, expires_at,
       created_at) VALUES (?, ?, ?, 'PENDING', ?, ?, ?, ?, ?, ?)`,
    ...[id, merchantId, amount, txid, brCode, description, customerId, expiresAt, now],
  );
  const row: ChargeRow = {
    seq: rowid,
    id,
    merchantId,
    amount,
    stored: 'PENDING',
    txid,
    brCode,
    description,
    expiresAt,
    createdAt: now,
    customerId,
    customerName: customer?.name ?? '',
    customerTaxId: customer?.taxId ?? '',
    customerEmail: customer?.email ?? '',
    customerPhone: customer?.phone ?? null,
    customerRemoved: 0,
  };
  return { status: 201, data: new CachedCharge(world, row) };
};

export const getCharge: Handler<'getCharge'> = (context, { query }) => {
  const { world, merchantId } = context;
  const row = findOwnRecord(context, 'charge', query.id, () => findCharge(world, query.id, merchantId));
  const charge = markAssumptions(context, getCachedCharge(world, row));
  return { status: 200, data: world.assume('check-shape') === 'without-code' ? withoutCode(charge) : charge };
};

export const listCharges: Handler<'listCharges'> = (context, { query }) => {
  const { rows, pagination } = chargePage(context, query);
  const charges = getCachedCharges(
    context.world,
    rows.map(({ seq }) => seq),
  );
  const data = charges.map((charge) => markAssumptions(context, charge));
  const isShort = context.world.assume('list-shape') === 'without-code';
  return { status: 200, data: isShort ? data.map(withoutCode) : data, pagination };
};

const withoutCode = (charge: Charge): Charge => {
  const { brCode: _code, imageBase64: _image, ...rest } = charge;
  return rest;
};

/**
 * Marks our guesses: how a charge gets into these two states, and what it says about a removed customer, is not
 * documented.
 */
function markAssumptions<T extends Charge>({ assume }: Context, charge: T): T {
  if (charge.status === 'EXPIRED') assume('expired-transition');
  if (charge.status === 'DISPUTED') assume('disputed-transition');
  if (CachedCharge.hasRemovedCustomer(charge)) assume('removed-customer');
  return charge;
}

const chargePage = (context: Context, query: Parameters<Handler<'listCharges'>>[1]['query']) =>
  readPage<{ seq: number }>(
    context,
    {
      name: `charges/${context.merchantId}`,
      select: 'SELECT c.seq FROM charges c WHERE c.merchant_id = ?',
      exists: 'SELECT 1 FROM charges c WHERE c.merchant_id = ?',
      seq: 'c.seq',
      createdAt: 'c.created_at',
      parameters: [context.merchantId],
    },
    query,
  );

/**
 * Refuses a description that is too long in UTF-16 units, if that is the assumption. The schema has counted code
 * points.
 */
function requireDescriptionFits({ assume }: Context, description: string | null): void {
  const { max } = chargeLimits.description;
  if (description === null || description.length <= max) return;
  if (assume('description-length') === 'utf-16') {
    throw new Refusal('VALIDATION_ERROR', `description: must be at most ${max} characters`);
  }
}

/**
 * Returns what `second` gives if neither refuses. If both do, which one is reported is an open point
 * (`charge-check-order`).
 */
function checkInAssumedOrder<T>({ assume }: Context, first: () => void, second: () => T): T {
  const refusal = refusalOf(first);
  if (refusal === null) return second();
  const other = refusalOf(second);
  throw other !== null && assume('charge-check-order') === 'customer-first' ? other : refusal;
}

/** Applies rules 1 and 2 of "POST /transparents/create": all of them are 400 BAD_REQUEST. */
function requireChargeable(merchant: Merchant, amount: CreateChargeBody['amount']): void {
  const refuse = (message: string) => new Refusal('BAD_REQUEST', message);
  if (!merchant.chargesEnabled) throw refuse('charges are disabled for this merchant');
  if (merchant.pixKey === null) throw refuse('this merchant has no active PIX key');
  const { min, max } = chargeLimits.amount;
  if (amount < min || amount > max) throw refuse(`amount: must be from ${min} to ${max} cents`);
  const { minTicket, maxTicket } = merchant;
  if (amount < minTicket || amount > maxTicket) {
    throw refuse(`amount: must be from ${minTicket} to ${maxTicket} cents for this merchant`);
  }
}
