/** Rows of charges, and how they look to the API (document: "Charge", "CustomerSummary"). */
import { isoTime } from '../clock.ts';
import type { Charge, ChargeStatus } from '../contract/charge.ts';
import { imagePrefix } from '../contract/charge.ts';
import { Refusal } from './refusal.ts';
import type { World } from './world.ts';

export interface ChargeRow {
  readonly seq: number;
  readonly id: string;
  readonly merchantId: string;
  readonly amount: number;
  /** As last written; `statusOf` tells it as of now. */
  readonly stored: ChargeStatus;
  readonly txid: string;
  readonly brCode: string;
  /** The PNG in base64, without prefix. */
  readonly image: string;
  readonly description: string | null;
  readonly expiresAt: number;
  readonly createdAt: number;
  readonly customerId: string | null;
  readonly customerName: string;
  readonly customerTaxId: string;
  readonly customerEmail: string;
  readonly customerPhone: string | null;
}

export const selectCharges = `SELECT c.seq, c.id, c.merchant_id AS merchantId, c.amount, c.status AS stored, c.txid,
  c.br_code AS brCode, c.image, c.description, c.expires_at AS expiresAt, c.created_at AS createdAt,
  c.customer_id AS customerId, k.name AS customerName, k.tax_id AS customerTaxId, k.email AS customerEmail,
  k.phone AS customerPhone
  FROM charges c LEFT JOIN customers k ON k.id = c.customer_id`;

/** A charge of this merchant, or of any when null. Throws `Refusal` NOT_FOUND. */
export function findCharge(world: World, id: string, merchantId: string | null): ChargeRow {
  const row = world.store.get<ChargeRow>(
    `${selectCharges} WHERE c.id = ? AND c.merchant_id = coalesce(?, c.merchant_id)`,
    id,
    merchantId,
  );
  if (row === undefined) throw new Refusal('NOT_FOUND', `charge ${id} does not exist`);
  return row;
}

/**
 * The status now. Expiry needs no job: a charge that is still PENDING when its time has passed is EXPIRED,
 * to the millisecond, however the clock got there.
 */
export const statusOf = (world: World, row: Pick<ChargeRow, 'stored' | 'expiresAt'>): ChargeStatus =>
  row.stored === 'PENDING' &&
  world.clock.now() >= row.expiresAt &&
  world.assume('expired-transition') === 'at-expires-at'
    ? 'EXPIRED'
    : row.stored;

export function showCharge(world: World, row: ChargeRow): Charge {
  return {
    id: row.id,
    amount: row.amount,
    status: statusOf(world, row),
    txid: row.txid,
    brCode: row.brCode,
    imageBase64: imagePrefix + row.image,
    expiresAt: isoTime(row.expiresAt),
    customer:
      row.customerId === null
        ? null
        : {
            id: row.customerId,
            name: row.customerName,
            taxId: row.customerTaxId,
            email: row.customerEmail,
            phone: row.customerPhone,
          },
    createdAt: isoTime(row.createdAt),
  };
}

/** The charge in an event: without its codes, which nobody needs once it is paid. */
export function showChargeInEvent(world: World, row: ChargeRow): Record<string, unknown> {
  const { brCode: _code, imageBase64: _image, ...rest } = showCharge(world, row);
  return world.assume('event-data-shape') === 'nested' ? { charge: rest } : rest;
}
