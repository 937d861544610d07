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

/** The names that the settings know when the process ends while `key` is being written. */
async function namesAfterKill(isAnothers: boolean): Promise<string[]> {
  let now = stored;
  const file = {
    read: () => now,
    change: async (make: (before: StoredConfig) => StoredConfig) => {
      now = make(now);
    },
  };
  const killed = () => Promise.reject(new Error('killed'));
  const store = { write: killed, read: killed, delete: killed, probe: killed, check() {}, account: String };
  const kept = createNamedSecrets(file, store).keep({ key: 'svc_new' }, true, (before) => before, isAnothers);
  await expect(kept).rejects.toThrow('killed');
  return [...now.secrets.keys()];
}

it('a key of another merchant is not found under the label of before', async () => {
  expect(await namesAfterKill(true)).toEqual(['other']);
});

it('a new key of the same merchant is found in the place of the old one', async () => {
  expect(await namesAfterKill(false)).toEqual(['key', 'other']);
});
