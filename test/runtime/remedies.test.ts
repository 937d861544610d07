/** What a run with this key and this address is told to do about them. */
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../src/config/profile.ts';
import { remediesOf } from '../../src/runtime/remedies.ts';

const profile = (more: Partial<Profile> = {}): Profile => ({
  name: 'acme',
  baseUrl: 'https://api.example.com/v1',
  merchant: 'acme',
  keySource: 'file',
  ...more,
});
const local = profile({ name: 'sandbox', baseUrl: 'http://127.0.0.1:4010' });

const remedies = (one: Profile, stored: readonly Profile[] = [profile()], environment = {}) =>
  remediesOf(one, { list: () => stored as Profile[] }, environment);

describe('a key', () => {
  it.each<[string, Profile, readonly Profile[], string, string]>([
    [
      'of a stored profile is stored again there',
      profile(),
      [profile()],
      'Set PIXCTL_API_KEY, or run pixctl login --profile acme',
      'Log in with a valid key: pixctl login --profile acme',
    ],
    [
      'of a profile that is not stored yet is stored there',
      profile(),
      [],
      'Set PIXCTL_API_KEY, or run pixctl login --profile acme',
      'Log in with a valid key: pixctl login --profile acme',
    ],
    [
      'for another address than that of the profile is given for this run, or the profile would move',
      profile({ baseUrl: 'https://other.example.com' }),
      [profile()],
      'Set PIXCTL_API_KEY.',
      'Log in with a valid key: pixctl login',
    ],
    [
      'for an address without a profile is stored in one',
      profile({ name: 'environment' }),
      [],
      'Set PIXCTL_API_KEY, or run pixctl login',
      'Log in with a valid key: pixctl login',
    ],
    [
      'of the sandbox is one that this sandbox knows',
      local,
      [local],
      'Set PIXCTL_API_KEY, or run pixctl login --profile sandbox',
      'Log in with a key of this sandbox: pixctl login --profile sandbox',
    ],
  ])('%s', (_, one, stored, missingKey, refusedKey) => {
    expect(remedies(one, stored)).toMatchObject({ missingKey, refusedKey });
  });

  it.each<[Profile['keySource'], string, string]>([
    ['environment', 'Set PIXCTL_API_KEY to a valid key.', 'PIXCTL_API_KEY'],
    ['key-file', 'Put a valid key into the file that PIXCTL_API_KEY_FILE names.', 'PIXCTL_API_KEY_FILE'],
  ])(
    'that comes from %s is replaced there, because it wins over the profile',
    (keySource, refusedKey, name) => {
      expect(remedies(profile({ keySource }))).toMatchObject({
        refusedKey,
        sandboxKey: `Unset ${name}, or give a key of the service there.`,
        realKey: `Unset ${name} to use the key of the profile sandbox. If that sandbox no longer exists: pixctl profile remove sandbox.`,
      });
    },
  );

  it('that is stored belongs to another profile where it is of the other kind', () => {
    expect(remedies(profile())).toMatchObject({
      sandboxKey: 'Choose the profile of the service with --profile, or log in to it.',
      realKey:
        'A sandbox has its own key, which pixctl sandbox start stores in the profile sandbox. If that sandbox no longer exists: pixctl profile remove sandbox.',
    });
  });
});

it.each<[string, Profile, readonly Profile[], Record<string, string>, string]>([
  [
    'of a profile names it',
    profile(),
    [profile()],
    {},
    'Check the address https://api.example.com/v1 of the profile acme and the network, then run it again.',
  ],
  [
    'of this run only names no profile',
    profile({ baseUrl: 'https://other.example.com' }),
    [profile()],
    {},
    'Check the address https://other.example.com and the network, then run it again.',
  ],
  [
    'behind a proxy names the variable',
    profile(),
    [profile()],
    { HTTPS_PROXY: 'http://proxy.example.com' },
    'Check the address https://api.example.com/v1 of the profile acme, the proxy that HTTPS_PROXY names, and the network, then run it again.',
  ],
  [
    'over plain http has no proxy',
    profile({ baseUrl: 'http://127.0.0.1:8080' }),
    [],
    { HTTPS_PROXY: 'http://proxy.example.com' },
    'Check the address http://127.0.0.1:8080 and the network, then run it again.',
  ],
  [
    'of the sandbox is one to start',
    local,
    [local],
    {},
    'Start the sandbox in another terminal: pixctl sandbox start',
  ],
  [
    'of another machine is no sandbox to start, whatever its profile is called',
    profile({ name: 'sandbox', baseUrl: 'http://192.0.2.1:4010' }),
    [profile({ name: 'sandbox', baseUrl: 'http://192.0.2.1:4010' })],
    {},
    'Check the address http://192.0.2.1:4010 of the profile sandbox and the network, then run it again.',
  ],
])('an address where nothing answers, %s', (_, one, stored, environment, notReached) => {
  expect(remedies(one, stored, environment).notReached).toBe(notReached);
});
