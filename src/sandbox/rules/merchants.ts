/**
 * Merchants, and those of their attributes that affect behaviour (document: "Merchant attributes that affect
 * behaviour").
 */
import { isoTime } from '../../clock.ts';
import { chargeLimits } from '../../contract/charge.ts';
import { withdrawalLimits } from '../../contract/withdrawal.ts';
import {
  findProblem,
  flag,
  orNull,
  type Rule,
  textOf,
  wholeNumber,
  withoutUndefined,
} from '../input/property-rules.ts';
import { createCachePerStore } from '../store/store-cache.ts';
import { randomUuid } from '../world/randomness.ts';
import type { World } from '../world/world.ts';
import { adjustAvailable, type Balance, openBalance, readBalance } from './balance.ts';
import { addKey } from './keys.ts';
import { Refusal } from './refusal.ts';

interface MerchantSettings {
  /** Shown in the BR Code, folded to ASCII there. */
  name: string;
  city: string;
  chargesEnabled: boolean;
  /** The active PIX key; null if there is none. */
  pixKey: string | null;
  /** Bounds of a charge amount, cents. */
  minTicket: number;
  maxTicket: number;
  withdrawalsEnabled: boolean;
  /** Largest withdrawal, cents. */
  withdrawalLimit: number;
  /** Added to each withdrawal, cents. */
  withdrawalFee: number;
}
export interface Merchant extends Readonly<MerchantSettings> {
  readonly id: string;
  readonly createdAt: number;
}
/** What can be set: the attributes, and the available balance (booked against the outside). */
export type MerchantChanges = Partial<MerchantSettings & { available: number }>;

const columns = `id, name, city, charges_enabled AS chargesEnabled, pix_key AS pixKey, min_ticket AS minTicket,
  max_ticket AS maxTicket, withdrawals_enabled AS withdrawalsEnabled, withdrawal_limit AS withdrawalLimit,
  withdrawal_fee AS withdrawalFee, created_at AS createdAt`;

type Row = Omit<Merchant, 'chargesEnabled' | 'withdrawalsEnabled'> & {
  chargesEnabled: number;
  withdrawalsEnabled: number;
};

const fromRow = (row: Row): Merchant => ({
  ...row,
  chargesEnabled: row.chargesEnabled === 1,
  withdrawalsEnabled: row.withdrawalsEnabled === 1,
});

const merchantCache = createCachePerStore<string, Merchant>(100);

/** Returns a merchant. Throws `Refusal` NOT_FOUND. */
export function readMerchant({ store }: World, id: string): Merchant {
  const known = merchantCache(store);
  const merchant = known.get(id);
  if (merchant !== undefined) return merchant;
  const row = store.get<Row>(`SELECT ${columns} FROM merchants WHERE id = ?`, id);
  if (row === undefined) throw new Refusal('NOT_FOUND', `there is no merchant ${id}`);
  const read = fromRow(row);
  known.set(id, read);
  return read;
}

/** Returns all merchants, in order of creation. */
export const listMerchants = (world: World): Merchant[] =>
  world.store.all<Row>(`SELECT ${columns} FROM merchants ORDER BY created_at, rowid`).map(fromRow);

/** Returns the first merchant, which the control plane means when no other is named. */
export function defaultMerchant(world: World): Merchant {
  const [first] = listMerchants(world);
  if (first === undefined) throw new Refusal('NOT_FOUND', 'there is no merchant');
  return first;
}

/** A merchant as it is shown: with its balance, and ISO times. */
export interface MerchantView extends MerchantSettings {
  readonly id: string;
  readonly createdAt: string;
  readonly balance: Balance;
}

export const toMerchantView = (world: World, merchant: Merchant): MerchantView => ({
  ...merchant,
  createdAt: isoTime(merchant.createdAt),
  balance: { ...readBalance(world, merchant.id) },
});

export function addMerchant(
  world: World,
  changes: MerchantChanges = {},
  id: string = world.ids.next('merch'),
): Merchant {
  return world.store.transaction(() => {
    const { available = Number(world.assume('initial-balance')), ...given } = validateChanges(changes);
    const merchant = { ...startingSettings(world), ...given };
    validateSettings(merchant);
    world.store.run(
      'INSERT INTO merchants VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      id,
      ...parameters(merchant),
      world.clock.now(),
    );
    openBalance(world, id);
    adjustAvailable(world, id, available);
    return readMerchant(world, id);
  });
}

/** Adds a merchant with a key of its own, and returns both as they are shown. */
export const addMerchantWithKey = (
  world: World,
  changes?: MerchantChanges,
): MerchantView & { readonly apiKey: string } =>
  world.store.transaction(() => {
    const merchant = addMerchant(world, changes);
    return { ...toMerchantView(world, merchant), apiKey: addKey(world, merchant.id).key };
  });

/** Changes settings. Throws `Refusal` NOT_FOUND, or VALIDATION_ERROR for settings that are unknown or impossible. */
export function setMerchant(world: World, id: string, changes: MerchantChanges): Merchant {
  return world.store.transaction(() => {
    const { available, ...given } = validateChanges(changes);
    const merchant = { ...readMerchant(world, id), ...given };
    validateSettings(merchant);
    world.store.run(
      `UPDATE merchants SET (name, city, charges_enabled, pix_key, min_ticket, max_ticket, withdrawals_enabled,
        withdrawal_limit, withdrawal_fee) = (?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`,
      ...parameters(merchant),
      id,
    );
    if (available !== undefined) adjustAvailable(world, id, available);
    return readMerchant(world, id);
  });
}

const startingSettings = (world: World): MerchantSettings => ({
  name: 'Loja Sandbox',
  city: 'Sao Paulo',
  chargesEnabled: true,
  pixKey: world.settings.seed === null ? randomUuid() : '123e4567-e12b-12d1-a456-426655440000',
  minTicket: chargeLimits.amount.min,
  maxTicket: chargeLimits.amount.max,
  withdrawalsEnabled: true,
  withdrawalLimit: Number(world.assume('withdrawal-limit')),
  withdrawalFee: Number(world.assume('withdrawal-fee')),
});

const parameters = (merchant: MerchantSettings) => [
  merchant.name,
  merchant.city,
  Number(merchant.chargesEnabled),
  merchant.pixKey,
  merchant.minTicket,
  merchant.maxTicket,
  Number(merchant.withdrawalsEnabled),
  merchant.withdrawalLimit,
  merchant.withdrawalFee,
];

const shortText = textOf(1, 200);

const settingRules: Readonly<Record<keyof MerchantChanges, Rule>> = {
  name: shortText,
  city: shortText,
  chargesEnabled: flag,
  pixKey: orNull(shortText),
  minTicket: wholeNumber(0),
  maxTicket: wholeNumber(0),
  withdrawalsEnabled: flag,
  withdrawalLimit: wholeNumber(0),
  withdrawalFee: wholeNumber(0),
  // May be below zero: after a refund that the balance did not cover (`refund-balance`).
  available: { holds: Number.isSafeInteger, words: 'a whole number of cents' },
};

function validateChanges(changes: MerchantChanges): MerchantChanges {
  const wrong = findProblem(changes, settingRules, 'the settings of a merchant');
  if (wrong !== null) throw new Refusal('VALIDATION_ERROR', wrong);
  return withoutUndefined(changes);
}

function validateSettings(merchant: MerchantSettings): void {
  const { minTicket, maxTicket } = merchant;
  if (minTicket > maxTicket) {
    throw new Refusal('VALIDATION_ERROR', `minTicket: ${minTicket} is above maxTicket ${maxTicket}`);
  }
  if (merchant.withdrawalLimit > withdrawalLimits.amount.max) {
    throw new Refusal('VALIDATION_ERROR', `withdrawalLimit: is above ${withdrawalLimits.amount.max}`);
  }
}
