/** A key and the settings it belongs to lie in two places: what a kill between the two writes leaves. */
import { expect, it } from 'vitest';
import { createNamedSecrets } from '../../src/config/named-secrets.ts';
import type { StoredConfig } from '../../src/config/stored-config.ts';

const stored: StoredConfig = {
  current: null,
  profiles: new Map(),
  secrets: new Map([
    ['key', 'file'],
    ['other', 'file'],
  ]),
  settings: {},
};

/** Settings in memory. */
function settings() {
  let now = stored;
  return {
    names: () => [...now.secrets.keys()],
    read: () => now,
    change: async (make: (before: StoredConfig) => StoredConfig) => {
      now = make(now);
    },
  };
}

/** The names that the settings know when the process ends while `key` is being written. */
async function namesAfterKill(isAnothers: boolean): Promise<string[]> {
  const file = settings();
  const killed = () => Promise.reject(new Error('killed'));
  const store = { write: killed, read: killed, delete: killed, probe: killed, check() {}, account: String };
  const kept = createNamedSecrets(file, store).keep({ key: 'svc_new' }, true, (before) => before, isAnothers);
  await expect(kept).rejects.toThrow('killed');
  return file.names();
}

it('a key of another merchant is not found under the label of before', async () => {
  expect(await namesAfterKill(true)).toEqual(['other']);
});

it('a new key of the same merchant is found in the place of the old one', async () => {
  expect(await namesAfterKill(false)).toEqual(['key', 'other']);
});

it.each(['deleteSecret', 'drop'] as const)(
  '%s leaves nothing of a secret, and nothing else without one',
  async (how) => {
    const file = settings();
    const deleted: string[] = [];
    const store = {
      write: () => Promise.reject(new Error('nothing is written')),
      read: async (name: string) => `the secret of ${name}`,
      delete: async (name: string) => void deleted.push(name),
      probe: async () => null,
      check() {},
      account: String,
    };
    const secrets = createNamedSecrets(file, store);
    expect(await secrets.readSecret('key')).toBe('the secret of key');
    await secrets[how]('key');
    await secrets[how]('key');
    expect(await secrets.readSecret('key')).toBeNull();
    expect([deleted, file.names()]).toEqual([['key'], ['other']]);
  },
);
