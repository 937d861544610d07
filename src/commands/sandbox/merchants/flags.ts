/** Turns the flags of `merchant set` and `merchant add` into what the control plane takes. Pure. */
import { usageError } from '../../../errors.ts';
import { parseAmountFlag } from '../../../flags/amount.ts';

export interface MerchantFlags {
  readonly merchant?: string;
  readonly name?: string;
  readonly city?: string;
  readonly chargesEnabled?: 'true' | 'false';
  readonly pixKey?: string;
  readonly minTicket?: string;
  readonly maxTicket?: string;
  readonly withdrawalsEnabled?: 'true' | 'false';
  readonly limit?: string;
  readonly fee?: string;
  readonly available?: string;
}

const cents = (flag: string) => (text: string) => parseAmountFlag(flag, text);
const truth = (text: string) => text === 'true';
const plain = (text: string) => text;

const fields = {
  name: ['name', plain],
  city: ['city', plain],
  chargesEnabled: ['chargesEnabled', truth],
  pixKey: ['pixKey', (text: string) => (text === 'none' ? null : text)],
  minTicket: ['minTicket', cents('--min-ticket')],
  maxTicket: ['maxTicket', cents('--max-ticket')],
  withdrawalsEnabled: ['withdrawalsEnabled', truth],
  limit: ['withdrawalLimit', cents('--limit')],
  fee: ['withdrawalFee', cents('--fee')],
  available: ['available', cents('--available')],
} as const satisfies Partial<Record<keyof MerchantFlags, readonly [string, (text: string) => unknown]>>;

/** The body with the settings that were given; empty if none was. */
export function merchantChanges(flags: MerchantFlags): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const [flag, [field, read]] of Object.entries(fields)) {
    const text = flags[flag as keyof typeof fields];
    if (text !== undefined) changes[field] = read(text);
  }
  return changes;
}

/** Returns the changes. Throws a usage error (64) if there are none. */
export function someChanges(flags: MerchantFlags): Record<string, unknown> {
  const changes = merchantChanges(flags);
  if (Object.keys(changes).length > 0) return changes;
  throw usageError(
    'Name at least one setting to change. Nothing was sent.',
    'pixctl sandbox merchant set --help lists them.',
  );
}
