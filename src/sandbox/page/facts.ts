/** What several of the sandbox's pages show in the same words. */
import type { Context } from 'hono';
import type { ChargeStatus, WithdrawalStatus } from '../../contract/statuses.ts';
import { PixctlError } from '../../errors.ts';
import type { Tone } from '../../page/detail.tsx';
import { pageSize } from '../../page/list.tsx';
import { Refusal } from '../rules/refusal.ts';

const tones: Readonly<Record<string, Tone>> = {
  PAID: 'good',
  COMPLETED: 'good',
  DELIVERED: 'good',
  EXPIRED: 'plain',
  REFUNDED: 'plain',
  PENDING: 'wait',
  PROCESSING: 'wait',
  FAILED: 'bad',
  DISPUTED: 'bad',
} satisfies Record<string, Tone> & Record<ChargeStatus | WithdrawalStatus, Tone>;

/** The colour of any state of the service. */
export const toneOf = (state: string): Tone => tones[state] ?? 'plain';

/** Reads which row a page of a list begins after; null for the newest. */
export function readBefore(context: Context): number | null {
  const text = context.req.query('before') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Returns the paths of the neighbouring pages of a list whose rows have their number under `key`. */
export const pageLinks = <K extends string>(
  path: string,
  before: number | null,
  rows: readonly Readonly<Record<K, number>>[],
  key: K,
) => ({
  newest: before === null ? null : path,
  older: rows.length < pageSize ? null : `${path}?before=${rows.at(-1)?.[key]}`,
});

/** Returns the words of a deliberate error; null for a bug. */
export function describeError(error: Error): { status: number; message: string } | null {
  if (error instanceof Refusal) return { status: error.status, message: error.message };
  if (error instanceof PixctlError) {
    return { status: 400, message: [error.message, error.hint].filter(Boolean).join(' ') };
  }
  return null;
}

/** Reads a field of a submitted form as text. */
export async function readField(context: Context, name: string): Promise<string> {
  const value = (await context.req.parseBody())[name];
  return typeof value === 'string' ? value.trim() : '';
}
