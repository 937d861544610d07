/** Customers (document: "Customer", "GET /customers/{id}"). The API only reads them; the control plane creates them. */
import type { Customer } from '../../contract/customer.ts';
import { findProblem, orNull, text, textOf } from '../input/property-rules.ts';
import { dateTime } from '../world/date-time.ts';
import type { World } from '../world/world.ts';
import type { Handler } from './handler.ts';
import { findOwnRecord } from './own-record.ts';
import { Refusal } from './refusal.ts';

export interface NewCustomer {
  readonly name: string;
  readonly email: string;
  /** CPF or CNPJ, digits only. */
  readonly taxId: string;
  /** `+<country><number>`. */
  readonly phone?: string | null | undefined;
}

interface Row extends Omit<Required<NewCustomer>, 'phone'> {
  id: string;
  phone: string | null;
  createdAt: number;
  updatedAt: number;
}

const columns = 'id, name, email, tax_id AS taxId, phone, created_at AS createdAt, updated_at AS updatedAt';

export const getCustomer: Handler<'getCustomer'> = (context, { path }) => {
  const { world, merchantId, assume } = context;
  const data = toCustomer(
    world,
    findOwnRecord(context, 'customer', path.id, () => findCustomer(world, path.id, merchantId)),
  );
  if (data.phone === null && assume('customer-without-phone') === 'left-out') delete data.phone;
  return { status: 200, data };
};

/** Returns a customer of this merchant, or of any if null, that is not removed. Throws `Refusal` NOT_FOUND. */
export function findCustomer(world: World, id: string, merchantId: string | null): Row {
  const row = world.store.get<Row>(
    `SELECT ${columns} FROM customers WHERE id = ? AND deleted_at IS NULL AND merchant_id = coalesce(?, merchant_id)`,
    id,
    merchantId,
  );
  if (row === undefined) throw new Refusal('NOT_FOUND', `customer ${id} does not exist`);
  return row;
}

/** Adds a customer. Throws `Refusal`: VALIDATION_ERROR, or CONFLICT if the merchant has one with this document. */
export function addCustomer(world: World, merchantId: string, customer: NewCustomer): Customer {
  validateCustomer(customer);
  const { name, email, taxId, phone = null } = customer;
  return world.store.transaction(() => {
    const twin = world.store.get<{ id: string }>(
      'SELECT id FROM customers WHERE merchant_id = ? AND tax_id = ? AND deleted_at IS NULL',
      merchantId,
      taxId,
    );
    if (twin !== undefined) {
      throw new Refusal('CONFLICT', `taxId: customer ${twin.id} already has this document`);
    }
    const id = world.ids.next('cust');
    const now = world.clock.now();
    world.store.run(
      'INSERT INTO customers VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)',
      ...[id, merchantId, name, email, taxId, phone, now, now],
    );
    return toCustomer(world, { id, name, email, taxId, phone, createdAt: now, updatedAt: now });
  });
}

/** Removes a customer. Charges keep its summary unless `removed-customer` is null. Throws `Refusal` NOT_FOUND. */
export function removeCustomer(world: World, id: string): Customer {
  return world.store.transaction(() => {
    const row = findCustomer(world, id, null);
    world.store.run('UPDATE customers SET deleted_at = ? WHERE id = ?', world.clock.now(), id);
    return toCustomer(world, row);
  });
}

export const listCustomers = (world: World, merchantId: string): Customer[] =>
  world.store
    .all<Row>(
      `SELECT ${columns} FROM customers WHERE merchant_id = ? AND deleted_at IS NULL ORDER BY created_at, rowid`,
      merchantId,
    )
    .map((row) => toCustomer(world, row));

const toCustomer = (world: World, row: Row): Customer => ({
  id: row.id,
  name: row.name,
  email: row.email,
  taxId: row.taxId,
  phone: row.phone,
  createdAt: dateTime(world, row.createdAt),
  updatedAt: dateTime(world, row.updatedAt),
});

/** Checks the formats that the document gives. Check digits are not its business. */
const shortText = textOf(0, 200);

function validateCustomer(customer: NewCustomer): void {
  const refuse = (message: string) => new Refusal('VALIDATION_ERROR', message);
  const wrong = findProblem(
    customer,
    { name: shortText, email: shortText, taxId: text, phone: orNull(text) },
    'a customer',
  );
  if (wrong !== null) throw refuse(wrong);
  const { name = '', email, taxId, phone } = customer;
  if (name.trim() === '') throw refuse('name: must not be empty');
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw refuse('email: must be an e-mail address');
  if (!/^(\d{11}|\d{14})$/.test(taxId)) throw refuse('taxId: must be a CPF or CNPJ, digits only');
  if (phone != null && !/^\+[1-9]\d{6,14}$/.test(phone)) throw refuse('phone: must be +<country><number>');
}
