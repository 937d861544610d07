/** login, logout, whoami and profile, as real processes against a real server. */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answers, converse as converseWith } from '../../support/converse.ts';
import { noModes, noPty, skipped } from '../../support/platform.ts';
import { emptyHome, run } from '../../support/run.ts';
import { type StubService, startStubService } from '../../support/stub-service.ts';

/** Looked for in everything that is printed or written. */
const canary = 'svc_canary_5f2a90c1';
let service: StubService;
let home: string;

beforeEach(async () => {
  service = await startStubService(canary);
  home = emptyHome();
});
afterEach(() => service.close());

const login = (args: string[] = [], input = `${canary}\n`) =>
  run(['login', '--base-url', service.url, '--key-stdin', ...args], { home, input });

/** Node's own compile cache is no state of ours. */
const kept = (home: string): string[] => readdirSync(home).filter((name) => name !== '.cache');
const filesWith = (needle: string): string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name), 'utf8').includes(needle),
    )
    .map(({ name }) => name);

describe('login', () => {
  it('asks the service, then stores the key in one file and shows it nowhere', async () => {
    const { code, stdout, stderr } = await login(['-o', 'json', '--merchant', 'bakery']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      name: 'default',
      baseUrl: service.url,
      merchant: 'bakery',
      keySource: 'file',
      current: true,
    });
    // Turned off by whoever runs it: that no keychain works here would not be true.
    const readers = noModes === null ? ' readable only by you (mode 0600),' : '';
    expect(stderr).toContain(`secrets.json,${readers} and not in an OS keychain: it is turned off`);
    expect(stdout + stderr).not.toContain('canary');
    expect(filesWith('canary')).toEqual(['secrets.json']);
    expect(service.seen.map(({ url }) => url)).toEqual(['/transparents/list?limit=1']);
  });

  it('keeps nothing when the service refuses the key', async () => {
    const { code, stdout, stderr } = await login([], 'svc_wrong_canary');
    expect(code).toBe(77);
    expect(stdout).toBe('');
    expect(stderr).toContain('Nothing was stored');
    expect(stderr).not.toContain('canary');
    expect(filesWith('canary')).toEqual([]);
  });

  it('keeps a key that is known but may not list, and says so', async () => {
    service.status = 403;
    const { code, stderr } = await login();
    expect(code).toBe(0);
    expect(stderr).toContain('403');
  });

  it('keeps nothing when the service is not reached, unless told not to ask', async () => {
    await service.close();
    expect((await login()).code).toBe(75);
    expect(filesWith('canary')).toEqual([]);
    expect((await login(['--no-check'])).code).toBe(0);
    expect(filesWith('canary')).toEqual(['secrets.json']);
  });

  it.skipIf(noModes !== null)(skipped('takes a key file that is ours alone', noModes), async () => {
    const path = join(home, 'key');
    writeFileSync(path, canary, { mode: 0o600 });
    expect((await run(['login', '--base-url', service.url, '--key-file', path], { home })).code).toBe(0);
    chmodSync(path, 0o644);
    const { code, stderr } = await run(['login', '--base-url', service.url, '--key-file', path], { home });
    expect(code).toBe(78);
    expect(stderr).toContain('chmod 600');
  });

  it.each([
    ['no address', ['login', '--key-stdin'], '--base-url'],
    ['no key', ['login', '--base-url', 'http://127.0.0.1:9'], '--key-stdin'],
    [
      'two keys',
      ['login', '--base-url', 'http://127.0.0.1:9', '--key-stdin', '--key-file', 'x'],
      '--key-stdin and --key-file contradict each other. Nothing was sent.',
    ],
    ['http beyond this machine', ['login', '--base-url', 'http://api.example.com', '--key-stdin'], 'https'],
    [
      'a key file that does not exist',
      ['login', '--base-url', 'http://127.0.0.1:9', '--key-file', 'no-key.txt'],
      'The key file no-key.txt cannot be read: there is no such file. Nothing was sent.',
    ],
    [
      'a key as an argument',
      ['login', '--base-url', 'http://127.0.0.1:9', 'svc_canary_arg'],
      'pixctl login takes no argument',
    ],
    [
      'a name that is none',
      ['login', '--profile', '../x', '--key-stdin', '--base-url', 'http://127.0.0.1:9'],
      'cannot be a profile',
    ],
  ])('with %s ends with 64 and says what is missing', async (_title, args, says) => {
    const { code, stderr } = await run(args, { home, input: canary });
    expect(code).toBe(64);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain('canary');
  });

  it('with a directory as its key file ends with 78, and says that it is one', async () => {
    const { code, stderr } = await run(['login', '--base-url', service.url, '--key-file', home], { home });
    expect([code, stderr]).toEqual([
      78,
      expect.stringContaining(`The file ${home} is not used: it is a directory. Nothing was sent.`),
    ]);
  });

  it('by several processes at once loses no profile', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const codes = await Promise.all(
      names.map(async (name) => (await login(['--profile', name, '--no-check'])).code),
    );
    expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
    const { stdout } = await run(['profile', 'list', '-o', 'csv', '--fields', 'name,keySource'], { home });
    expect(stdout.trim().split('\n').sort()).toEqual([
      ...names.map((name) => `${name},file`),
      'name,keySource',
    ]);
  });

  it('does not write with --dry-run', async () => {
    expect((await login(['--dry-run'])).code).toBe(0);
    expect(kept(home)).toEqual([]);
  });
});

describe.skipIf(noPty !== null)(skipped('login at a terminal', noPty), () => {
  const converse = (answers: Answers, args: readonly string[] = []) =>
    converseWith(['login', ...args], answers, { home });

  it('asks for the address and, masked, for the key', async () => {
    const { code, screen } = await converse([
      ['Address of the service', `${service.url}\r`],
      ['API key for', `${canary}\r`],
    ]);
    expect(code).toBe(0);
    expect(screen).toContain('*****');
    expect(screen).not.toContain('canary');
    expect(filesWith('canary')).toEqual(['secrets.json']);
  });

  it.each([
    [[], 'login --base-url http://127.0.0.1:1'],
    [['--merchant', 'loja'], 'login --base-url http://127.0.0.1:1 --merchant loja'],
  ])('with %j that could not reach the address does not lose it', async (given, line) => {
    const { code, screen } = await converse(
      [
        ['Address of the service', 'http://127.0.0.1:1\r'],
        ['API key for', `${canary}\r`],
      ],
      given,
    );
    expect(code, screen).toBe(75);
    expect(screen).toMatch(new RegExp(`The same address again: pixctl ${line}\\r?\\n`));
    expect(kept(home)).toEqual([]);
  });

  it('ends with 130 at Ctrl-C, and keeps nothing', async () => {
    const { code, screen } = await converse([['API key for', '\x03']], ['--base-url', service.url]);
    expect(code).toBe(130);
    expect(screen).toContain('Interrupted at a question; nothing was sent.');
    expect(kept(home)).toEqual([]);
  });

  it('says where a key is made, but not of a sandbox, which shows its own', async () => {
    const told = 'in the dashboard of the merchant: settings, API keys.';
    const asked = async (address: string) =>
      (await converse([['API key for', '\x03']], ['--base-url', address])).screen;
    expect(await asked('https://pay.invalid')).toContain(told);
    expect(await asked(service.url)).not.toContain(told);
  });

  it('does not ask with --no-input', async () => {
    expect((await converse([], ['--no-input', '--base-url', service.url])).code).toBe(64);
  });
});

describe('whoami', () => {
  it('says who one is, where the key lies, and what the service says', async () => {
    await login(['--profile', 'acme']);
    const { code, stdout } = await run(['whoami', '-o', 'json'], { home });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      name: 'acme',
      baseUrl: service.url,
      merchant: 'acme',
      keySource: 'file',
      keyFingerprint: '86336761',
      check: 'accepted',
    });
  });

  it('ends with 77 when the key is refused, after showing whose it is', async () => {
    const env = { PIXCTL_BASE_URL: service.url, PIXCTL_API_KEY: 'svc_revoked_canary' };
    const { code, stdout, stderr } = await run(['whoami', '-o', 'ndjson', '--fields', 'name,check'], {
      home,
      env,
    });
    expect(code).toBe(77);
    expect(stdout).toBe('{"name":"environment","check":"refused"}\n');
    expect(stderr).not.toContain('canary');
  });

  it.each([
    [429, 'rate limited', 75],
    [500, 'not told', 75],
    [400, 'not told', 80],
    [202, 'not told', 1],
  ])('shows the address also when it answers with %i', async (status, check, exit) => {
    service.status = status;
    const env = { PIXCTL_BASE_URL: service.url, PIXCTL_API_KEY: canary };
    const { code, stdout } = await run(['whoami', '-o', 'json', '--fields', 'baseUrl,check'], { home, env });
    expect({ code, ...JSON.parse(stdout) }).toEqual({ code: exit, baseUrl: service.url, check });
  });

  it('says that nobody was reached where nobody listens', async () => {
    await service.close();
    const env = { PIXCTL_BASE_URL: service.url, PIXCTL_API_KEY: canary };
    const { code, stdout } = await run(['whoami', '-o', 'json', '--fields', 'check'], { home, env });
    expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 75, check: 'not reached' });
  });

  it('ends with 77 without a key, and 78 without an address', async () => {
    expect((await run(['whoami'], { home, env: { PIXCTL_BASE_URL: service.url } })).code).toBe(77);
    expect((await run(['whoami'], { home })).code).toBe(78);
    expect(service.seen).toEqual([]);
  });

  it('asks nobody with --offline', async () => {
    const env = { PIXCTL_BASE_URL: service.url, PIXCTL_API_KEY: canary };
    expect((await run(['whoami', '--offline'], { home, env })).code).toBe(0);
    expect(service.seen).toEqual([]);
  });

  it('shows no key in --debug', async () => {
    const env = { PIXCTL_BASE_URL: service.url, PIXCTL_API_KEY: canary };
    const { stdout, stderr } = await run(['whoami', '--debug'], { home, env });
    expect(service.seen).toHaveLength(1);
    expect(stderr).toContain('GET');
    expect(stdout + stderr).not.toContain('canary');
  });
});

describe('logout and profile', () => {
  it('forgets the key and keeps the profile', async () => {
    await login(['--profile', 'acme']);
    expect((await run(['logout'], { home })).code).toBe(0);
    expect(filesWith('canary')).toEqual([]);
    const { stdout } = await run(['profile', 'list'], { home });
    expect(stdout).toBe(`Current\tProfile\tAddress\tMerchant\tKey\ntrue\tacme\t${service.url}\tacme\tnone\n`);
  });

  it('warns that the environment still has one', async () => {
    await login();
    const { stderr } = await run(['logout'], { home, env: { PIXCTL_API_KEY: canary } });
    expect(stderr).toContain('is still used');
  });

  it('is removed only when confirmed', async () => {
    await login(['--profile', 'acme']);
    const refused = await run(['profile', 'remove', 'acme'], { home });
    expect(refused.code).toBe(64);
    expect(refused.stderr).toContain('Missing: --yes. There is nobody to ask, so nothing was changed.');
    // Nobody is asked about a line that will be refused whatever the answer.
    const slip = await run(['profile', 'remove', 'acme', '--fields', 'nmae'], { home });
    expect([slip.code, slip.stderr]).toEqual([64, expect.stringContaining('"nmae" is not a field here')]);
    expect(filesWith('canary')).toEqual(['secrets.json']);
    expect((await run(['profile', 'remove', 'acme', '--yes'], { home })).code).toBe(0);
    expect(filesWith('canary')).toEqual([]);
    expect((await run(['profile', 'remove', 'acme', '--yes'], { home })).code).toBe(78);
  });

  it('is chosen for the next runs', async () => {
    await login(['--profile', 'one']);
    await login(['--profile', 'two']);
    expect((await run(['profile', 'use', 'one'], { home })).code).toBe(0);
    const { stdout } = await run(['whoami', '--offline', '-o', 'json', '--fields', 'name'], { home });
    expect(JSON.parse(stdout)).toEqual({ name: 'one' });
    expect((await run(['profile', 'use', 'onee'], { home })).stderr).toContain('did you mean "one"?');
  });

  it.each([
    [['profile', 'use', 'onee']],
    [['profile', 'remove', 'onee', '--yes']],
    [['logout', '-p', 'onee']],
  ])('is not changed, rather than not sent, where none has the name: %j', async (args) => {
    const { code, stderr } = await run(args, { home });
    expect([code, stderr]).toEqual([
      78,
      expect.stringContaining('There is no profile "onee". Nothing was changed.'),
    ]);
  });
});
