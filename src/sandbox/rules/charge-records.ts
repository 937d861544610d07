/** Rows of charges, and how they look to the API (document: "Charge", "CustomerSummary"). */
import { type CreatedCharge, imagePrefix } from '../../contract/charge.ts';
import type { ChargeStatus } from '../../contract/statuses.ts';
import { drawQr } from '../../qr/picture.ts';
import { createCachePerStore } from '../store/store-cache.ts';
import { dateTime } from '../world/date-time.ts';
import type { World } from '../world/world.ts';
import { CachedRecord } from './cached-record.ts';
import { Refusal } from './refusal.ts';

export interface ChargeRow {
  readonly seq: number;
  readonly id: string;
  readonly merchantId: string;
  readonly amount: number;
  /** The status as last written. `statusOf` returns the current one. */
  readonly stored: ChargeStatus;
  readonly txid: string;
  readonly brCode: string;
  readonly description: string | null;
  readonly expiresAt: number;
  readonly createdAt: number;
  readonly customerId: string | null;
  readonly customerName: string;
  readonly customerTaxId: string;
  readonly customerEmail: string;
  readonly customerPhone: string | null;
  /** 1 if the customer was removed since, else 0. */
  readonly customerRemoved: number;
}

export const selectCharges = `SELECT c.seq, c.id, c.merchant_id AS merchantId, c.amount, c.status AS stored, c.txid,
  c.br_code AS brCode, c.description, c.expires_at AS expiresAt, c.created_at AS createdAt,
  c.customer_id AS customerId, k.name AS customerName, k.tax_id AS customerTaxId, k.email AS customerEmail,
  k.phone AS customerPhone, k.deleted_at IS NOT NULL AS customerRemoved
  FROM charges c LEFT JOIN customers k ON k.id = c.customer_id`;

/** Returns a charge of this merchant, or of any if null. Throws `Refusal` NOT_FOUND. */
export function findCharge(world: World, id: string, merchantId: string | null): ChargeRow {
  const row = world.store.get<ChargeRow>(
    `${selectCharges} WHERE c.id = ? AND c.merchant_id = coalesce(?, c.merchant_id)`,
    id,
    merchantId,
  );
  if (row === undefined) throw new Refusal('NOT_FOUND', `charge ${id} does not exist`);
  return row;
}

/** Kind of the job that completes a refund (`refund-completion`). Its payload is the charge's id. */
export const refundCompletionJob = 'refund.complete';

/** Whether a refund was accepted and is not completed yet. */
export const isUnderRefund = (world: World, id: string): boolean =>
  world.store.get(
    'SELECT 1 FROM jobs WHERE kind = ? AND payload = json_quote(?)',
    refundCompletionJob,
    id,
  ) !== undefined;

/**
 * Returns the current status. Expiry needs no job: a charge that is still PENDING after its time is EXPIRED, to the
 * millisecond, however the clock got there.
 */
export const statusOf = (world: World, row: Pick<ChargeRow, 'stored' | 'expiresAt'>): ChargeStatus =>
  row.stored === 'PENDING' && world.clock.now() >= expiryOf(world, row) ? 'EXPIRED' : row.stored;

const expiryOf = (world: World, row: Pick<ChargeRow, 'expiresAt'>): number =>
  world.assume('expired-transition') === 'never' ? Number.POSITIVE_INFINITY : row.expiresAt;

/** Returns a charge as the API shows it: a plain object, which its reader may change. */
export const toCharge = (world: World, row: ChargeRow): CreatedCharge => ({
  ...new CachedCharge(world, row),
});

/** A charge whose JSON is written once and cached until its expiry changes it (document: "Charge"). */
export class CachedCharge extends CachedRecord implements CreatedCharge {
  readonly [field: string]: unknown;
  readonly id: string;
  readonly amount: number;
  readonly status: ChargeStatus;
  readonly txid: string;
  readonly brCode: string;
  readonly imageBase64: string;
  readonly expiresAt: string;
  readonly customer: CreatedCharge['customer'];
  readonly createdAt: string;
  readonly #image: string;
  readonly #customerRemoved: boolean;

  constructor(world: World, row: ChargeRow) {
    const status = statusOf(world, row);
    const image = drawQr(row.brCode);
    super(status === 'PENDING' ? expiryOf(world, row) : Number.POSITIVE_INFINITY);
    this.id = row.id;
    this.amount = row.amount;
    this.status = status;
    this.txid = row.txid;
    this.brCode = row.brCode;
    this.imageBase64 = imagePrefix + image;
    this.expiresAt = formatExpiry(world, row.expiresAt);
    this.customer = toCustomerSummary(world, row);
    this.#customerRemoved = row.customerRemoved === 1;
    this.createdAt = formatCreation(world, row.createdAt);
    this.#image = image;
  }

  /** Whether it is a charge whose customer was removed since. */
  static hasRemovedCustomer(it: Pick<CreatedCharge, 'customer'>): boolean {
    return #customerRemoved in it && it.#customerRemoved;
  }

  protected override toJsonParts(): readonly string[] {
    const { id, amount, status, txid, brCode, expiresAt, customer, createdAt } = this;
    return [
      // Only the code may need escaping: it holds what others wrote, such as a name with quotes in it.
      `{"id":"${id}","amount":${amount},"status":"${status}","txid":"${txid}","brCode":${JSON.stringify(brCode)},"imageBase64":"${imagePrefix}`,
      this.#image,
      `","expiresAt":"${expiresAt}",${customer === undefined ? '' : `"customer":${JSON.stringify(customer)},`}"createdAt":"${createdAt}"}`,
    ];
  }
}

/** Returns a function that writes times as `dateTime` does. Charges that come together share theirs. */
function createTimeFormatter(): typeof dateTime {
  let last = Number.NaN;
  let form = '';
  let written = '';
  return (world, ms) => {
    const asked = world.assume('date-time-form');
    if (ms !== last || asked !== form) written = dateTime(world, ms);
    last = ms;
    form = asked;
    return written;
  };
}
const formatExpiry = createTimeFormatter();
const formatCreation = createTimeFormatter();

function toCustomerSummary(world: World, row: ChargeRow): CreatedCharge['customer'] {
  const { customerId: id, customerName: name, customerTaxId: taxId, customerEmail: email } = row;
  // What JSON leaves out is undefined.
  const none = world.assume('charge-optional-field') === 'null' ? null : undefined;
  if (id === null) return none;
  if (row.customerRemoved === 1 && world.assume('removed-customer') === 'null') return null;
  return { id, name, taxId, email, phone: row.customerPhone ?? none };
}

/** The charges shown most recently, by their `seq`. */
const chargeCache = createCachePerStore<number, CachedCharge>(128);

/**
 * Like `toCharge`, but for an answer: returns the same object as last time unless something has changed, so do not
 * change it.
 */
export function getCachedCharge(world: World, row: ChargeRow): CreatedCharge {
  const known = findCachedCharge(world, row.seq);
  if (known !== undefined) return known;
  const cached = new CachedCharge(world, row);
  chargeCache(world.store).set(row.seq, cached);
  return cached;
}

function findCachedCharge({ store, clock }: World, seq: number): CreatedCharge | undefined {
  const known = chargeCache(store).get(seq);
  return known !== undefined && clock.now() < CachedRecord.validUntil(known) ? known : undefined;
}

/** Like `getCachedCharge`, for the charges with these `seq`, in their order. All of them must exist. */
export function getCachedCharges(world: World, seqs: readonly number[]): CreatedCharge[] {
  const charges = new Map<number, CreatedCharge>();
  const missing: number[] = [];
  for (const seq of seqs) {
    const charge = findCachedCharge(world, seq);
    if (charge === undefined) missing.push(seq);
    else charges.set(seq, charge);
  }
  if (missing.length > 0) {
    const sql = `${selectCharges} WHERE c.seq IN (SELECT value FROM json_each(?))`;
    const rows = world.store.all<ChargeRow>(sql, JSON.stringify(missing));
    for (const row of rows) charges.set(row.seq, getCachedCharge(world, row));
  }
  return seqs.flatMap((seq) => charges.get(seq) ?? []);
}

/** Returns the charge in an event, as the contract's `toEventData` leaves it. */
export function toChargeEventData(world: World, row: ChargeRow): Record<string, unknown> {
  const { id, amount, txid } = row;
  const [expiresAt, createdAt] = [dateTime(world, row.expiresAt), dateTime(world, row.createdAt)];
  const rest = {
    id,
    amount,
    status: statusOf(world, row),
    txid,
    expiresAt,
    customer: toCustomerSummary(world, row),
    createdAt,
  };
  return world.assume('event-data-shape') === 'nested' ? { charge: rest } : rest;
}
