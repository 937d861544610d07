/** The keychain as it is on a Linux desktop: keys kept, found, moved and removed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Keychain, openKeychain } from '../../src/config/keychain.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { skipped } from '../support/platform.ts';
import { emptyHome, node, run } from '../support/run.ts';
import { type SecretService, secretServiceMissing, startSecretService } from '../support/secret-service.ts';

const address = 'https://api.example.com';

describe.skipIf(secretServiceMissing !== null)(skipped('a Secret Service', secretServiceMissing), () => {
  let service: SecretService;
  beforeAll(async () => {
    service = await startSecretService();
  }, 30_000);
  afterAll(() => service?.stop());

  const keychain = () =>
    openKeychain({
      environment: { PATH: process.env.PATH, ...service.environment },
      platform: 'linux',
      node,
    }) as Keychain;
  const entry = (home: string, name: string) => keychain().read(`${name} in ${home}/.config/pixctl`);
  const inFile = (home: string): unknown => {
    const path = join(home, '.config/pixctl/secrets.json');
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  };
  const pixctl = (home: string, args: string[], input = '') =>
    run(args, { home, env: service.environment, input });
  const login = (home: string, name: string, key: string, more: string[] = []) =>
    pixctl(
      home,
      ['login', '--profile', name, '--base-url', address, '--key-stdin', '--no-check', ...more],
      key,
    );

  it('keeps the key of each profile, which is nowhere else, until it is forgotten', async () => {
    const home = emptyHome();
    expect((await login(home, 'a', 'svc_canary_a')).stderr).toContain('is stored in the OS keychain');
    await login(home, 'b', 'svc_canary_b');
    await login(home, 'a', 'svc_canary_renewed');
    expect(await entry(home, `api-key:a@${address}`)).toBe('svc_canary_renewed');
    expect(inFile(home)).toEqual({});
    expect(readFileSync(join(home, '.config/pixctl/config.json'), 'utf8')).not.toContain('canary');
    const doctor = await pixctl(home, ['doctor', '-p', 'a', '-o', 'json']);
    expect(doctor.stdout).toContain(`a: ${address}, merchant a, key from keychain`);
    expect(doctor.stdout + doctor.stderr).not.toContain('canary');
    await pixctl(home, ['logout', '-p', 'a']);
    await pixctl(home, ['profile', 'remove', 'b', '--yes']);
    expect([await entry(home, `api-key:a@${address}`), await entry(home, `api-key:b@${address}`)]).toEqual([
      ...[null, null],
    ]);
  });

  it.each([
    ['beyond ASCII', 'é😀'],
    ['of two lines', 'a\nb'],
    ['with a null byte', 'a\0b'],
    ['with blanks around it', ' x '],
    ['that is long', 'x'.repeat(100_000)],
  ])('gives back a secret %s as it was', async (_title, secret) => {
    await keychain().write('odd', secret);
    expect(await keychain().read('odd')).toBe(secret);
    await keychain().delete('odd');
    expect(await keychain().read('odd')).toBeNull();
  });

  it('is not given the secrets of a sandbox', async () => {
    await using sandbox = await startSandbox();
    const home = emptyHome();
    const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey, ...service.environment };
    const add = ['webhook', 'add', '--url', 'https://shop.example/hook', '--events', 'all', '-o', 'json'];
    const added = await run(add, { home, env });
    const { id, secret } = JSON.parse(added.stdout);
    expect(added.stderr).toContain('stored here too (file)');
    expect(inFile(home)).toEqual({ [`webhook:${id}`]: secret });
  });

  it('that was locked leaves the earlier key in it, and says so', async () => {
    const home = emptyHome();
    await login(home, 'a', 'svc_first');
    await service.lock();
    expect(await pixctl(home, ['whoami'])).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('The secret is in the keychain, and the keychain did not give it'),
    });
    const second = await login(home, 'a', 'svc_second');
    expect(second).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('The earlier key is still in the OS keychain'),
    });
    expect(second.stderr).toMatch(/and not in an OS keychain: .*unlock prompt was dismissed/);
    expect(inFile(home)).toEqual({ [`api-key:a@${address}`]: 'svc_second' });
  });
});
