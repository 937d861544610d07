/** The keychain, where none answers: the fallback is loud, and nothing waits longer than three seconds. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Keychain, openKeychain } from '../../src/config/keychain.ts';
import { openConfig } from '../../src/config/open-config.ts';
import { emptyHome, placesIn, run } from '../support/run.ts';

const node = process.execPath;
const PATH = process.env.PATH;

describe('the keychain', () => {
  it.each([
    [
      'turned off',
      { PIXCTL_KEYCHAIN: 'off', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x' },
      node,
      'it is turned off',
    ],
    ['on a Linux without a session bus', {}, node, 'there is no session bus (DBUS_SESSION_BUS_ADDRESS)'],
    [
      'asked by the single executable, which is no Node',
      { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x' },
      null,
      'the single executable cannot use it, only the npm package can',
    ],
  ])('is not even asked when it is %s', (_title, environment, by, absent) => {
    expect(openKeychain({ environment, platform: 'linux', node: by })).toEqual({ absent });
  });

  it('is not guessed about: another word than on and off is refused, and nothing is kept', async () => {
    const home = emptyHome();
    const login = ['login', '--base-url', 'http://127.0.0.1:9', '--key-stdin', '--no-check'];
    const refused = await run(login, { home, env: { PIXCTL_KEYCHAIN: 'false' }, input: 'svc_canary' });
    expect([refused.code, refused.stderr]).toEqual([
      78,
      expect.stringContaining('PIXCTL_KEYCHAIN takes on or off, not "false"'),
    ]);
    expect((await run(['profile', 'list', '-o', 'json'], { home })).stdout).toBe('[]\n');
  });

  it.skipIf(process.platform !== 'linux')(
    'is never the kernel keyring: without a Secret Service it fails',
    async () => {
      const environment = { PATH, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' };
      const keychain = openKeychain({ environment, platform: 'linux', node }) as Keychain;
      await expect(keychain.write('pixctl-test', 'svc_canary')).rejects.toThrow(
        /DBus|Secret Service|platform/i,
      );
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'that never answers is left, and the secret goes to the file',
    async () => {
      const path = join(mkdtempSync(join(tmpdir(), 'pixctl-bus-')), 'bus');
      const silent = createServer(() => {});
      await new Promise<void>((resolve) => silent.listen(path, resolve));
      const environment = { HOME: emptyHome(), PATH, DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` };
      const keychain = openKeychain({ environment, platform: 'linux', node }) as Keychain;
      const asked = expect(keychain.read('a')).rejects.toThrow('no answer within 3 seconds');
      const config = await openConfig({
        environment,
        globals: {},
        platform: 'linux',
        uid: process.geteuid?.(),
        node,
      });
      const saved = await config.save(
        { name: 'a', baseUrl: 'https://api.example.com', merchant: 'a' },
        'svc_a',
      );
      await asked;
      silent.close();
      expect(saved.profile.keySource).toBe('file');
      expect(await config.apiKey()).toBe('svc_a');
    },
  );

  it.skipIf(process.platform !== 'linux')('is not asked about what is to lie in the file', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'pixctl-bus-')), 'bus');
    let asked = 0;
    const bus = createServer((socket) => {
      asked += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => bus.listen(path, resolve));
    const config = await openConfig({
      environment: { HOME: emptyHome(), PATH, DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` },
      globals: {},
      platform: 'linux',
      uid: process.geteuid?.(),
      node,
    });
    const profile = { name: 'a', baseUrl: 'http://127.0.0.1:4010', merchant: 'a' };
    const saved = await config.save(profile, 'svc_a', { secrets: { token: 't' }, inFile: true });
    expect([saved.profile.keySource, await config.apiKey(), await config.readSecret('token')]).toEqual([
      ...['file', 'svc_a', 't'],
    ]);
    expect(asked).toBe(0);
    // Whoever is to be asked is.
    await config.writeSecret('other', 'o');
    expect(asked).toBeGreaterThan(0);
    bus.close();
  });

  it('that holds the key but is away is an error with a remedy, not a missing key', async () => {
    const home = emptyHome();
    const config = await openConfig({
      environment: { HOME: home, ...placesIn(home), PIXCTL_KEYCHAIN: 'off' },
      globals: {},
      platform: process.platform,
      uid: process.geteuid?.(),
    });
    await config.save({ name: 'a', baseUrl: 'https://api.example.com', merchant: 'a' }, 'svc_a');
    writeFileSync(config.path, readFileSync(config.path, 'utf8').replace('": "file"', '": "keychain"'));
    const { code, stderr } = await run(['whoami'], { home });
    expect(code).toBe(78);
    expect(stderr).toContain('The secret is in the keychain');
    expect(stderr).toContain('PIXCTL_API_KEY');
  });

  it('that is away keeps the key at logout, which says so; logging in again helps', async () => {
    const home = emptyHome();
    const login = [
      'login',
      '--base-url',
      'http://127.0.0.1:9',
      '--profile',
      'a',
      '--key-stdin',
      '--no-check',
    ];
    expect(await run(login, { home, input: 'svc_first' })).toMatchObject({ code: 0 });
    const path = join(home, '.config/pixctl/config.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('": "file"', '": "keychain"'));
    const left = await run(['logout'], { home });
    expect(left).toMatchObject({ code: 78 });
    expect(left.stderr).toContain('and the keychain did not remove it: it is turned off');
    expect(left.stderr).not.toContain('Forgot');
    expect(await run(login, { home, input: 'svc_second' })).toMatchObject({ code: 0 });
    const gone = await run(['logout'], { home });
    expect(gone.stderr).toContain('Forgot the key of a (it was in the file)');
  });

  it('of which nobody can say whether it is meant keeps no sandbox from its new key', async () => {
    const home = emptyHome();
    const environment = { HOME: home, ...placesIn(home), PIXCTL_KEYCHAIN: 'off' };
    const open = (more: object = {}) =>
      openConfig({ environment: { ...environment, ...more }, globals: {}, platform: process.platform });
    const profile = { name: 'a', baseUrl: 'http://127.0.0.1:4010', merchant: 'a' };
    await (await open()).save(profile, 'svc_first');
    const path = join(home, '.config/pixctl/config.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('": "file"', '": "keychain"'));
    const config = await open({ PIXCTL_KEYCHAIN: 'maybe' });
    const saved = await config.save(profile, 'svc_second', { secrets: {}, inFile: true });
    expect(saved.left?.why).toContain('PIXCTL_KEYCHAIN takes on or off, not "maybe"');
    expect(await config.apiKey()).toBe('svc_second');
  });

  it.each([
    ['at the same address', 'https://api.example.com'],
    ['at another address', 'https://other.example.com'],
  ])(
    'that is away keeps nobody from a new key %s, and the entry that is left in it is named',
    async (_title, baseUrl) => {
      const home = emptyHome();
      const login = (to: string, input: string) =>
        run(['login', '--base-url', to, '--profile', 'a', '--key-stdin', '--no-check'], { home, input });
      await login('https://api.example.com', 'svc_first');
      const path = join(home, '.config/pixctl/config.json');
      writeFileSync(path, readFileSync(path, 'utf8').replace('": "file"', '": "keychain"'));
      const second = await login(baseUrl, 'svc_second');
      expect(second.code).toBe(0);
      expect(second.stderr).toContain(
        `warning: The earlier key is still in the OS keychain, which did not remove it (it is turned off). Remove it there (service pixctl, account api-key:a@https://api.example.com in ${join(home, '.config/pixctl')}), or revoke it in the dashboard.`,
      );
      expect(JSON.parse(readFileSync(path, 'utf8')).secrets).toEqual({ [`api-key:a@${baseUrl}`]: 'file' });
      expect((await run(['logout'], { home })).stderr).toContain('it was in the file');
    },
  );
});
