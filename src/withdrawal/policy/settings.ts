/** The policy in the settings, under `policy`. A cap that cannot be read is an error, never no cap. */
import type { Config } from '../../config/profile.ts';
import type { Cents } from '../../contract/brand.ts';
import { configError } from '../../errors.ts';
import { isTimeZone } from '../../flags/time-zone.ts';
import { defaultPolicy, formatMinutes, type Policy, parseMinutes, type QuietHours } from './policy.ts';

/** The stored policy over the defaults. Throws `configError` (78) when any part of it makes no sense. */
export function readPolicy(config: Pick<Config, 'get'>): Policy {
  const stored = config.get('policy') ?? {};
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) throw damaged('policy');
  const parsed = Object.entries(stored).map(([name, value]) => [name, parse(name, value)]);
  return { ...defaultPolicy, ...(Object.fromEntries(parsed) as Partial<Policy>) };
}

/** Stores what is given and leaves the rest as it is. */
export async function writePolicy(
  config: Pick<Config, 'get' | 'set'>,
  change: Partial<Policy>,
): Promise<Policy> {
  const policy = { ...readPolicy(config), ...change };
  const { quietHours } = policy;
  await config.set('policy', {
    ...policy,
    quietHours:
      quietHours === null ? null : { from: formatMinutes(quietHours.from), to: formatMinutes(quietHours.to) },
  });
  return policy;
}

/** `22:00-06:00`; null when it is no such range. */
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

/** Each answers undefined for what it cannot take. */
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
    `The setting ${what} makes no sense, so no withdrawal is allowed. Nothing was sent.`,
    'pixctl config path tells where the file lies; correct the entry or remove it.',
  );
