/** The store of secrets, with a keychain that is handed in: what it is asked for, by which name. */
import { expect, it } from 'vitest';
import type { Keychain } from '../../src/config/keychain.ts';
import { secretStore } from '../../src/config/secret-store.ts';

/** That of Windows compares names without regard to capitals. */
function keychainOfWindows(): Keychain {
  const entries = new Map<string, string>();
  return {
    read: async (account) => entries.get(account.toLowerCase()) ?? null,
    write: async (account, secret) => void entries.set(account.toLowerCase(), secret),
    delete: async (account) => void entries.delete(account.toLowerCase()),
  };
}

const storeOn = (platform: NodeJS.Platform, keychain: Keychain) =>
  secretStore(
    () => 'C:\\Users\\Ana\\AppData\\Roaming\\pixctl\\config',
    { platform, uid: undefined },
    () => keychain,
  );

it('two profiles whose names differ in capitals only have a key each, also in the keychain of Windows', async () => {
  const names = ['shop', 'Shop', 'SHOP', 'sHop'].map((name) => `api-key:${name}@https://api.example.com`);
  const store = storeOn('win32', keychainOfWindows());
  for (const name of names) await store.write({ [name]: `svc of ${name}` });
  for (const name of names) expect(await store.read(name, 'keychain')).toBe(`svc of ${name}`);
  await store.delete(names[1] as string, 'keychain');
  const left = await Promise.all(names.map((name) => store.read(name, 'keychain')));
  expect(left.map((secret) => secret !== null)).toEqual([true, false, true, true]);
});

it.each([
  ['win32', 'api-key:^Shop@https://api.example.com'],
  ['darwin', 'api-key:Shop@https://api.example.com'],
  ['linux', 'api-key:Shop@https://api.example.com'],
] as const)('on %s the entry is called %s, and the directory it is for', (platform, called) => {
  expect(storeOn(platform, keychainOfWindows()).account('api-key:Shop@https://api.example.com')).toBe(
    `${called} in C:\\Users\\Ana\\AppData\\Roaming\\pixctl\\config`,
  );
});
