/** The policy in the settings, under `policy`. A cap that cannot be read is an error, never "no cap". */
import type { Config } from '../../config/profile.ts';
import type { Cents } from '../../contract/brand.ts';
import { isObject } from '../../contract/json-object.ts';
import { configError } from '../../errors.ts';
import { isTimeZone } from '../../flags/time-zone.ts';
import { defaultPolicy, formatMinutes, type Policy, parseMinutes, type QuietHours } from './policy.ts';

/** Returns the stored policy over the defaults. Throws `configError` (78) when any part of it makes no sense. */
export const readPolicy = (config: Pick<Config, 'get'>): Policy => parsePolicy(config.get('policy'));

/** Stores the given rules and leaves the others as they then are, because another run may be storing one of them. */
export async function writePolicy(config: Pick<Config, 'update'>, change: Partial<Policy>): Promise<Policy> {
  let written = defaultPolicy;
  await config.update('policy', (stored) => {
    written = { ...parsePolicy(stored), ...change };
    return toStoredPolicy(written);
  });
  return written;
}

/** The policy with quiet hours written as times of day. */
export type StoredPolicy = Omit<Policy, 'quietHours'> & {
  readonly quietHours: { readonly from: string; readonly to: string } | null;
};

export const toStoredPolicy = (policy: Policy): StoredPolicy => ({
  ...policy,
  quietHours:
    policy.quietHours === null
      ? null
      : { from: formatMinutes(policy.quietHours.from), to: formatMinutes(policy.quietHours.to) },
});

function parsePolicy(stored: unknown): Policy {
  const rules = stored ?? {};
  if (!isObject(rules)) throw damaged('policy');
  const parsed = Object.entries(rules).map(([name, value]) => [name, parse(name, value)]);
  return { ...defaultPolicy, ...(Object.fromEntries(parsed) as Partial<Policy>) };
}

/** Parses `22:00-06:00`. Null if it is no such range. */
export function parseQuietHours(text: string): QuietHours | null {
  const [first = '', last = '', ...rest] = text.split('-');
  const [from, to] = [parseMinutes(first.trim()), parseMinutes(last.trim())];
  return from === null || to === null || rest.length > 0 ? null : { from, to };
}

function parse(name: string, value: unknown): unknown {
  const reader = Object.hasOwn(readers, name) ? readers[name as keyof Policy] : undefined;
  const parsed = reader?.(value);
  if (parsed === undefined) throw damaged(`policy.${name}`);
  return parsed;
}

const cap = (value: unknown): Cents | null | undefined => {
  if (value === null) return null;
  return Number.isSafeInteger(value) && Number(value) >= 0 ? (value as Cents) : undefined;
};

/** Each returns undefined for a value that it cannot take. */
const readers: { readonly [K in keyof Policy]: (value: unknown) => Policy[K] | undefined } = {
  maxPerWithdrawal: cap,
  maxPerDay: cap,
  confirmAbove: cap,
  savedDestinationsOnly: (value) => (typeof value === 'boolean' ? value : undefined),
  timeZone: (value) => (typeof value === 'string' && isTimeZone(value) ? value : undefined),
  quietHours: (value) => {
    if (value === null) return null;
    const { from, to } = (typeof value === 'object' ? value : {}) as Record<string, unknown>;
    return parseQuietHours(`${from}-${to}`) ?? undefined;
  },
};

const damaged = (what: string) =>
  configError(
    'DAMAGED',
    `The setting ${what} is not valid, so no withdrawal is allowed. Nothing was sent.`,
    'pixctl config path shows where the file is; correct the entry or remove it.',
  );
