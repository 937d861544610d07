/** Withdrawals (document: "Withdrawal", "POST /withdrawals"). Amounts and fees in cents. */
import * as z from 'zod/mini';
import { isObject } from './json-object.ts';
import { type SchemaOutput, schema } from './schema.ts';

export const pixKeyTypes = ['CPF', 'CNPJ', 'EMAIL', 'TELEFONE', 'CHAVE_ALEATORIA'] as const;
export type PixKeyType = (typeof pixKeyTypes)[number];

/** Whether it is one of the document's types. Any other word says nothing about the key. */
export const isPixKeyType = (type: unknown): type is PixKeyType =>
  (pixKeyTypes as readonly unknown[]).includes(type);

export const withdrawalLimits = { amount: { min: 50, max: 100_000_000 } } as const;

/**
 * A withdrawal as the service returns it. The document shows no `id` field, yet `GET /withdrawals/{id}` takes one:
 * assumption `withdrawal-id`. It is optional here, so that its absence is for the caller to handle, not a parse failure
 * after money may have moved. It may be a number, which the client turns into text. `createdAt` is not shown either. A
 * field that decides nothing may hold anything: an odd fee must not turn an accepted withdrawal into an unknown one. A
 * list may leave the key out, which then counts as masked.
 */
export const withdrawal = schema(() =>
  z.looseObject({
    id: z.optional(z.string()),
    amount: z.int(),
    fee: z.optional(z.unknown()),
    pixKey: z.optional(z.nullable(z.string())),
    pixKeyType: z.optional(z.nullable(z.string())),
    status: z.string(),
    failedReason: z.optional(z.unknown()),
    createdAt: z.optional(z.unknown()),
  }),
);
export type Withdrawal = SchemaOutput<typeof withdrawal>;

/**
 * The answer to a read by id, whose shape is not shown (`withdrawal-get-shape`). The id says which withdrawal it is, so
 * the amount may be left out: a status alone must end a wait.
 */
export const withdrawalById = schema(() => z.extend(withdrawal(), { amount: z.optional(z.int()) }));
export type WithdrawalById = SchemaOutput<typeof withdrawalById>;

/** Request body; both sides of the contract leave the key's format to `pix-key.ts`. */
export const createWithdrawalBody = schema(() =>
  z.strictObject({
    amount: z.int().check(z.minimum(withdrawalLimits.amount.min), z.maximum(withdrawalLimits.amount.max)),
    pixKey: z.string().check(z.minLength(1)),
    pixKeyType: z.enum(pixKeyTypes),
  }),
);
export type CreateWithdrawalBody = SchemaOutput<typeof createWithdrawalBody>;

/**
 * Whether an id can be stored, compared and requested. A database rejects a zero character (PostgreSQL), or returns
 * half of a surrogate pair as different text (both), and the withdrawal would not be recognised again.
 */
export const isUsableId = (id: unknown): id is string =>
  typeof id === 'string' && id !== '' && !id.includes('\0') && id.isWellFormed();

/** Returns the same record with its id as text, if the service gives the id as a whole number, however long. */
export function withTextId(one: unknown): unknown {
  if (!isObject(one) || typeof one.id === 'string' || one.id === undefined) return one;
  const written = JSON.stringify(one.id);
  return /^\d+$/.test(written) ? { ...one, id: written } : one;
}
