/** Saved destinations: PIX keys with a name, kept in the settings under `destinations.<name>`. */
import type { Config } from '../../config/profile.ts';
import { isObject } from '../../contract/json-object.ts';
import { parsePixKey } from '../../contract/pix-key.ts';
import { type PixKeyType, pixKeyTypes } from '../../contract/withdrawal.ts';
import { configError, usageError } from '../../errors.ts';

export interface Destination {
  readonly name: string;
  readonly pixKey: string;
  readonly pixKeyType: PixKeyType;
}

/** Returns all of them by name. Throws `configError` (78) when the settings hold a damaged one. */
export function readDestinations(config: Pick<Config, 'get'>): ReadonlyMap<string, Destination> {
  const stored = config.get('destinations') ?? {};
  if (!isObject(stored)) throw damaged('list');
  return new Map(Object.entries(stored).map(([name, value]) => [name, parseStored(name, value)]));
}

export const saveDestination = (
  config: Pick<Config, 'update'>,
  { name, pixKey, pixKeyType }: Destination,
): Promise<void> => change(config, (saved) => [...saved, [name, { pixKey, pixKeyType }]]);

export const removeDestination = (config: Pick<Config, 'update'>, name: string): Promise<void> =>
  change(config, (saved) => saved.filter(([other]) => other !== name));

type Saved = readonly (readonly [name: string, value: unknown])[];

/** Updates the whole map rather than a dotted name: a name written by hand may contain a dot, or be `constructor`. */
const change = (config: Pick<Config, 'update'>, make: (saved: Saved) => Saved): Promise<void> =>
  config.update('destinations', (stored) => {
    const saved = stored ?? {};
    if (!isObject(saved)) throw damaged('list');
    return Object.fromEntries(make(Object.entries(saved)));
  });

/** Whether a key, as the service spells it, is among the saved ones. */
export const isSaved = (
  destinations: ReadonlyMap<string, Destination>,
  target: { readonly pixKey: string; readonly pixKeyType: PixKeyType },
): boolean =>
  [...destinations.values()].some(
    ({ pixKey, pixKeyType }) => pixKey === target.pixKey && pixKeyType === target.pixKeyType,
  );

/** Parses a name that can never be mistaken for a PIX key. Throws a usage error (64). */
export function parseDestinationName(text: string): string {
  if (!/^[a-z][a-z0-9_-]{0,39}$/.test(text) || /^[0-9a-f]{32}$/.test(text.replaceAll('-', '')))
    throw usageError(
      `${JSON.stringify(text)} cannot name a destination: a lower-case letter, then at most 39 letters, digits, dashes and underscores; not a random key. Nothing was changed.`,
      'Like this: pixctl destination add rent --key owner@example.com',
    );
  return text;
}

function parseStored(name: string, value: unknown): Destination {
  const { pixKey, pixKeyType } = (value ?? {}) as Record<string, unknown>;
  const type = pixKeyTypes.find((one) => one === pixKeyType);
  if (type === undefined || typeof pixKey !== 'string') throw damaged(`"${name}"`);
  const parsed = parsePixKey(pixKey, type);
  if (!parsed.ok || parsed.key !== pixKey) throw damaged(`"${name}"`);
  return { name, pixKey, pixKeyType: type };
}

const damaged = (what: string) =>
  configError(
    'DAMAGED',
    `The saved destination ${what} in the settings file is damaged. Nothing was sent.`,
    'pixctl config path shows where the file is; remove the entry and add it again.',
  );
