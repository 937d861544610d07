/** Withdrawals (document: "Withdrawal", "POST /withdrawals"). Amounts and fees in cents. */
import * as z from 'zod/mini';
import { type Read, schema } from './schema.ts';

export const withdrawalStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];
export const isWithdrawalStatus = (status: string): boolean =>
  (withdrawalStatuses as readonly string[]).includes(status);
export const withdrawalInFlight: readonly string[] = ['PENDING', 'PROCESSING'];

export const pixKeyTypes = ['CPF', 'CNPJ', 'EMAIL', 'TELEFONE', 'CHAVE_ALEATORIA'] as const;
export type PixKeyType = (typeof pixKeyTypes)[number];

export const withdrawalLimits = { amount: { min: 50, max: 100_000_000 } } as const;

/**
 * A withdrawal as the service returns it. The document shows no `id` field, yet `GET /withdrawals/{id}`
 * takes one: assumption `withdrawal-id`. It is optional here, so that the caller handles its absence, instead
 * of a parse failure after money may have moved. `createdAt` is not shown either.
 */
export const withdrawal = schema(() =>
  z.looseObject({
    id: z.optional(z.string()),
    amount: z.int(),
    fee: z.optional(z.int()),
    pixKey: z.string(),
    pixKeyType: z.string(),
    status: z.string(),
    failedReason: z.optional(z.nullable(z.string())),
    createdAt: z.optional(z.nullable(z.string())),
  }),
);
export type Withdrawal = Read<typeof withdrawal>;

/** Request body; both sides of the contract leave the key's format to `pix-key.ts`. */
export const createWithdrawalBody = schema(() =>
  z.strictObject({
    amount: z.int().check(z.minimum(withdrawalLimits.amount.min), z.maximum(withdrawalLimits.amount.max)),
    pixKey: z.string().check(z.minLength(1)),
    pixKeyType: z.enum(pixKeyTypes),
  }),
);
export type CreateWithdrawalBody = Read<typeof createWithdrawalBody>;
