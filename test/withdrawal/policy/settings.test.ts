import { describe, expect, it } from 'vitest';
import { openConfig } from '../../../src/config/open-config.ts';
import type { Cents } from '../../../src/contract/brand.ts';
import {
  isSaved,
  parseDestinationName,
  readDestinations,
  removeDestination,
  saveDestination,
} from '../../../src/withdrawal/policy/destinations.ts';
import { defaultPolicy } from '../../../src/withdrawal/policy/policy.ts';
import {
  parseQuietHours,
  readPolicy,
  toStoredPolicy,
  writePolicy,
} from '../../../src/withdrawal/policy/settings.ts';
import { emptyHome, placesIn } from '../../support/run.ts';

/** Settings in memory. */
function settings(initial: Record<string, unknown> = {}) {
  const held: Record<string, unknown> = structuredClone(initial);
  return {
    held,
    get: (key: string) => held[key],
    update: async (key: string, make: (stored: unknown) => unknown) => {
      held[key] = make(held[key]);
    },
  };
}

describe('the stored policy', () => {
  it('is the default if nothing is stored', () => {
    expect(readPolicy(settings())).toEqual(defaultPolicy);
  });

  it('keeps what it is not told to change', async () => {
    const config = settings();
    await writePolicy(config, { maxPerDay: 5_000 as Cents, quietHours: { from: 1_320, to: 360 } });
    await writePolicy(config, { savedDestinationsOnly: true });
    const changes = { maxPerDay: 5_000, savedDestinationsOnly: true };
    expect(config.held.policy).toEqual({
      ...toStoredPolicy(defaultPolicy),
      ...changes,
      quietHours: { from: '22:00', to: '06:00' },
    });
    expect(readPolicy(config)).toEqual({
      ...defaultPolicy,
      ...changes,
      quietHours: { from: 1_320, to: 360 },
    });
  });

  it('keeps both rules if two runs store one each at the same time', async () => {
    const home = emptyHome();
    const open = () =>
      openConfig({
        environment: { HOME: home, ...placesIn(home), PIXCTL_KEYCHAIN: 'off' },
        globals: {},
        platform: process.platform,
      });
    const [one, other] = [await open(), await open()];
    await Promise.all([
      writePolicy(one, { maxPerWithdrawal: 500_000 as Cents }),
      writePolicy(other, { maxPerDay: 900_000 as Cents }),
    ]);
    expect(readPolicy(await open())).toEqual({
      ...defaultPolicy,
      maxPerWithdrawal: 500_000,
      maxPerDay: 900_000,
    });
  });

  it.each([
    [{ maxPerDay: '5000' }],
    [{ maxPerDay: -1 }],
    [{ maxPerDay: 10.5 }],
    [{ maxperday: 5_000 }],
    [{ savedDestinationsOnly: 'yes' }],
    [{ quietHours: { from: '22h', to: '6h' } }],
    [{ timeZone: 'Mars/Base' }],
    ['none'],
    [[]],
  ])('is an error and never no cap when it is damaged: %j', (policy) => {
    expect(() => readPolicy(settings({ policy }))).toThrow(expect.objectContaining({ exit: 78 }));
  });

  it.each(['22:00-06:00', ' 22:00 - 06:00 '])('%j is a range of quiet hours', (text) => {
    expect(parseQuietHours(text)).toEqual({ from: 1_320, to: 360 });
  });

  it.each(['22:00', '22:00-25:00', '22:00-06:00-07:00', ''])('%j is no range of quiet hours', (text) => {
    expect(parseQuietHours(text)).toBeNull();
  });
});

describe('saved destinations', () => {
  const rent = { name: 'rent', pixKey: 'owner@example.com', pixKeyType: 'EMAIL' } as const;

  it('are found again by name and by key, until they are removed', async () => {
    const config = settings();
    await saveDestination(config, rent);
    expect(readDestinations(config).get('rent')).toEqual(rent);
    expect(isSaved(readDestinations(config), { pixKey: rent.pixKey, pixKeyType: 'EMAIL' })).toBe(true);
    expect(isSaved(readDestinations(config), { pixKey: 'other@example.com', pixKeyType: 'EMAIL' })).toBe(
      false,
    );
    await removeDestination(config, 'rent');
    expect(readDestinations(config).size).toBe(0);
  });

  it.each([
    '12345678909',
    'a@b.com',
    '+5511987654321',
    'Rent',
    '',
    'a.b',
    'e'.repeat(41),
    'c0ffee00-1234-4234-8234-123456789abc',
    '-x',
  ])('%j cannot be a name', (name) => {
    expect(() => parseDestinationName(name)).toThrow(expect.objectContaining({ exit: 64 }));
  });

  it.each([
    [{ rent: { pixKey: 'owner@example.com', pixKeyType: 'CPF' } }],
    [{ rent: { pixKey: 'Owner@Example.com', pixKeyType: 'EMAIL' } }],
    [{ rent: 'owner@example.com' }],
    [{ rent: null }],
    ['rent'],
  ])('that are damaged are an error: %j', (destinations) => {
    expect(() => readDestinations(settings({ destinations }))).toThrow(expect.objectContaining({ exit: 78 }));
  });
});
