/** A new key for a profile that there is: printed steps lead to that profile, for another label is another ledger. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyHome, run } from '../../support/run.ts';
import { type StubService, startStubService } from '../../support/stub-service.ts';

const key = 'svc_good_1';
let service: StubService;
let other: StubService;
let home: string;

beforeEach(async () => {
  [service, other] = await Promise.all([startStubService(key), startStubService(key)]);
  home = emptyHome();
});
afterEach(() => Promise.all([service.close(), other.close()]));

const pixctl = (args: readonly string[], input = '', env: Record<string, string> = {}) =>
  run(args, { home, input, env });
const login = (args: readonly string[], given = key, env: Record<string, string> = {}) =>
  pixctl(['login', '--key-stdin', ...args], given, env);
const acme = () => login(['--profile', 'acme', '--base-url', service.url, '--merchant', 'bakery']);
const profiles = async () =>
  (await pixctl(['profile', 'list', '-o', 'csv', '--fields', 'name,merchant,keySource'])).stdout
    .trim()
    .split('\n')
    .slice(1)
    .sort();
/** What a hint says to run, as words. */
const printed = (stderr: string): string[] =>
  /pixctl ((?:--?[\w-]+ \S+ )*login(?: --?[\w-]+ \S+)*)$/m.exec(stderr)?.[1]?.split(' ') ?? [];

describe('login without a name', () => {
  it('gives the current profile the new key, says so, and keeps its address and its label', async () => {
    await acme();
    const { code, stdout, stderr } = await login(['-o', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'acme', baseUrl: service.url, merchant: 'bakery' });
    expect(stderr).toContain(`This is for the current profile acme (${service.url}, merchant bakery)`);
    expect(await profiles()).toEqual(['acme,bakery,file']);
  });

  it.each([
    ['another address', () => ['--base-url', other.url], {}],
    ['another address in the environment', () => [], () => ({ PIXCTL_BASE_URL: other.url })],
    ['another label', () => ['--base-url', service.url, '--merchant', 'florist'], {}],
    [
      'another label in the environment',
      () => ['--base-url', service.url],
      () => ({ PIXCTL_MERCHANT: 'florist' }),
    ],
  ] as const)('leaves the current profile to its merchant with %s', async (_title, args, env) => {
    await acme();
    const { code } = await login(args(), key, typeof env === 'function' ? env() : env);
    expect(code).toBe(0);
    expect(await profiles()).toEqual(['acme,bakery,file', expect.stringMatching(/^default,/)]);
  });

  it('is not about the profile of the sandbox, whose address gets no key of the service', async () => {
    await login(['--profile', 'sandbox', '--base-url', service.url, '--no-check'], 'svc_sandbox_1');
    const { code, stderr } = await login([]);
    expect(code).toBe(64);
    expect(stderr).toContain('The address of the service is missing.');
    expect(service.seen).toEqual([]);
  });
});

it('knows an address again that was written into the settings by hand', async () => {
  await acme();
  const path = join(home, '.config/pixctl/config.json');
  const settings = readFileSync(path, 'utf8').replace(`"${service.url}"`, `"${service.url}/"`);
  writeFileSync(path, settings, { mode: 0o600 });
  expect(settings).toContain(`${service.url}/`);
  expect((await login(['--base-url', service.url])).code).toBe(0);
  expect(await profiles()).toEqual(['acme,bakery,file']);
});

describe('the step printed', () => {
  it('after a 401 gives the same profile a key', async () => {
    await acme();
    await login(['--profile', 'acme', '--no-check'], 'svc_revoked_1');
    const refused = await pixctl(['charge', 'list']);
    expect(refused.code).toBe(77);
    expect(refused.stderr).toMatch(/Log in with a valid key: pixctl login --profile acme$/m);
    expect((await pixctl([...printed(refused.stderr), '--key-stdin'], key)).code).toBe(0);
    expect(await profiles()).toEqual(['acme,bakery,file']);
    expect((await pixctl(['charge', 'list'])).code).toBe(0);
  });

  it('after a 401 of pixctl api and of doctor is the same', async () => {
    await acme();
    await login(['--no-check'], 'svc_revoked_1');
    const { stderr } = await pixctl(['api', 'GET', '/transparents/list']);
    expect(stderr).toMatch(/pixctl login --profile acme$/m);
    expect((await pixctl(['doctor'])).stdout).toMatch(/pixctl login --profile acme$/m);
  });

  it('without a key gives it to the profile that lacks it, not to the current one', async () => {
    await login(['--profile', 'two', '--base-url', service.url]);
    await pixctl(['logout', '--profile', 'two']);
    await login(['--base-url', other.url]);
    const keyless = await pixctl(['charge', 'list', '--profile', 'two']);
    expect(keyless.code).toBe(77);
    expect(keyless.stderr).toMatch(/Set PIXCTL_API_KEY, or run pixctl login --profile two$/m);
    expect((await pixctl([...printed(keyless.stderr), '--key-stdin'], key)).code).toBe(0);
    expect(await profiles()).toEqual(['default,default,file', 'two,two,file']);
  });

  it.each([[['charge', 'list']], [['whoami']]])(
    'of %j names the variable where the key comes from one, which no login would change',
    async (args) => {
      await acme();
      const { stderr } = await pixctl(args, '', { PIXCTL_API_KEY: 'svc_revoked_1' });
      expect(stderr).toContain('Set PIXCTL_API_KEY to a valid key.');
      expect(stderr).not.toContain('login');
    },
  );

  it.each([[['charge', 'list']], [['whoami']]])(
    'of %j moves no profile to an address that was given beside it',
    async (args) => {
      await acme();
      const { stderr } = await pixctl([...args, '--profile', 'acme', '--base-url', other.url]);
      expect(stderr).toContain('  Set PIXCTL_API_KEY.');
      expect(stderr).not.toContain('login');
    },
  );
});
