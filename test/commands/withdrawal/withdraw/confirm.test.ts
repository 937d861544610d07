/**
 * The line that repeats a withdrawal without questions acts for the merchant that this run acts for, or it pays twice.
 */
import { describe, expect, it } from 'vitest';
import { nonInteractiveWords } from '../../../../src/commands/withdrawal/withdraw/confirm.ts';
import { resolveProfile } from '../../../../src/config/resolve-profile.ts';
import { keyName, type StoredConfig } from '../../../../src/config/stored-config.ts';
import type { Cents, IdempotencyKey } from '../../../../src/contract/brand.ts';
import { commandLine } from '../../../../src/flags/command-line.ts';
import type { Globals } from '../../../../src/flags/globals.ts';

const url = 'https://api.example.com';
const stored = (current: string): StoredConfig => ({
  current,
  settings: {},
  profiles: new Map([
    ['default', { baseUrl: url, merchant: 'default' }],
    ['shop', { baseUrl: url, merchant: 'loja' }],
  ]),
  secrets: new Map(['default', 'shop'].map((name) => [keyName(name, url), 'file'])),
});

type Environment = Readonly<Record<string, string>>;
const resolved = (environment: Environment, globals: Globals, current = 'default') => {
  const { name, baseUrl, merchant } = resolveProfile(stored(current), environment, globals).profile;
  return { name, baseUrl, merchant };
};

function lineOf(environment: Environment, globals: Globals, key = 'K1'): string {
  const { profile } = resolveProfile(stored('default'), environment, globals);
  const words = nonInteractiveWords(
    { environment, globals },
    {
      profile,
      amount: 1050 as Cents,
      target: { name: null, pixKey: 'ana@example.com', pixKeyType: 'EMAIL' },
      idempotencyKey: key as IdempotencyKey,
    },
    { ifBusy: 'fail' },
  );
  return commandLine(words, 'linux');
}

/** What a shell makes of the beginning of the line, and the program of its flags. */
function read(line: string): { said: Environment; globals: Globals } {
  const [before = '', after = ''] = line.split('pixctl withdraw ');
  const said = Object.fromEntries(
    before
      .trim()
      .split(' ')
      .filter(Boolean)
      .map((one) => one.split('=', 2)),
  );
  const [, profile] = /--profile (\S+)/.exec(after) ?? [];
  return { said, globals: profile === undefined ? {} : { profile } };
}

describe('the line without questions', () => {
  it.each<[string, Environment, Globals]>([
    ['the current profile', {}, {}],
    ['another profile by flag', {}, { profile: 'shop' }],
    ['another profile by environment', { PIXCTL_PROFILE: 'shop' }, {}],
    ['another label', { PIXCTL_MERCHANT: 'acme' }, {}],
    ['another address of the same origin', { PIXCTL_BASE_URL: `${url}/v2` }, {}],
    [
      'an address that no profile has',
      { PIXCTL_BASE_URL: 'https://other.example.com', PIXCTL_API_KEY: 'svc_x' },
      {},
    ],
    [
      'label, profile and address',
      { PIXCTL_MERCHANT: 'acme', PIXCTL_PROFILE: 'shop', PIXCTL_BASE_URL: `${url}/v2` },
      {},
    ],
    ['a key of the environment', { PIXCTL_API_KEY: 'svc_x' }, {}],
    ['a flag that leaves the label unheard', { PIXCTL_MERCHANT: 'acme' }, { profile: 'shop' }],
  ])(
    'reaches the same merchant again with %s, also once another profile is current',
    (_, environment, globals) => {
      const { said, globals: flags } = read(lineOf(environment, globals));
      const meant = resolved(environment, globals);
      for (const current of ['default', 'shop']) {
        expect(resolved({ ...environment, ...said }, flags, current)).toEqual(meant);
        // In a shell that has the key, and nothing else of this one.
        const { PIXCTL_API_KEY } = environment;
        expect(resolved({ ...(PIXCTL_API_KEY ? { PIXCTL_API_KEY } : {}), ...said }, flags, current)).toEqual(
          meant,
        );
      }
    },
  );

  it('is read by a shell whatever the address', () => {
    expect(lineOf({ PIXCTL_BASE_URL: 'http://[::1]:9', PIXCTL_API_KEY: 'svc_x' }, {})).toMatch(
      /^PIXCTL_BASE_URL='http:\/\/\[::1\]:9' pixctl withdraw /,
    );
  });

  it('keeps a key whole that begins with a dash: -q and -y are flags of every command', () => {
    expect(lineOf({}, {}, '-y8fK')).toMatch(/ --idempotency-key=-y8fK --yes$/);
  });

  it('keeps a saved name, and what the run waits for and is bounded by', () => {
    const { profile } = resolveProfile(stored('default'), {}, {});
    const target = { name: 'rent', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' } as const;
    const idempotencyKey = 'K1' as IdempotencyKey;
    const words = nonInteractiveWords(
      { environment: {}, globals: {} },
      { profile, amount: 1050 as Cents, target, idempotencyKey },
      { wait: true, ifBusy: 'skip', maxAmount: '20,00' },
    );
    expect(commandLine(words, 'linux')).toBe(
      'pixctl withdraw --amount 1050 --profile default --to rent --idempotency-key K1 --yes --wait --if-busy skip --max-amount 20,00',
    );
  });

  it('names no more than it takes', () => {
    expect(lineOf({}, {})).toBe(
      'pixctl withdraw --amount 1050 --profile default --to ana@example.com --type EMAIL --idempotency-key K1 --yes',
    );
    expect(lineOf({ PIXCTL_MERCHANT: 'acme' }, {})).toMatch(
      /^PIXCTL_PROFILE=default PIXCTL_MERCHANT=acme pixctl withdraw --amount 1050 --to /,
    );
  });
});
