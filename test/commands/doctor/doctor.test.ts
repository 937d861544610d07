import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { environmentFindings, nodeFinding } from '../../../src/commands/doctor/machine.ts';
import { keyFinding, skewFinding } from '../../../src/commands/doctor/service.ts';
import { fileFindings } from '../../../src/commands/doctor/settings.ts';
import type { Config } from '../../../src/config/profile.ts';
import type { Cents, IdempotencyKey } from '../../../src/contract/brand.ts';
import { makeWritableHint } from '../../../src/flags/file-remedies.ts';
import { scopeOf } from '../../../src/ledger/intent.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { converse } from '../../support/converse.ts';
import { emptyIndex } from '../../support/empty-index.ts';
import { bareServer } from '../../support/hostile-server.ts';
import { homeWithSecret, listen } from '../../support/listen.ts';
import { listenOnLoopback } from '../../support/listen-on-loopback.ts';
import { inQuotes, noPty, noSignals, onWindows, skipped } from '../../support/platform.ts';
import { emptyHome, hurried, run, start } from '../../support/run.ts';
import { type StubService, startStubService } from '../../support/stub-service.ts';
import { openHurriedBench as openBench } from '../../support/withdrawal-bench.ts';

describe('each check', () => {
  it.each([
    ['24.15.0', 'ok'],
    ['24.14.9', 'wrong'],
    ['22.22.2', 'ok'],
    ['22.22.1', 'wrong'],
    ['23.9.0', 'wrong'],
    ['25.1.0', 'wrong'],
    ['26.0.0', 'ok'],
    ['20.19.0', 'wrong'],
  ])('of Node %s finds it %s', (version, state) => {
    expect(nodeFinding(version).state).toBe(state);
  });

  it.each([
    [0, 'ok', 'this machine and the service agree, to a second'],
    [-1, 'ok', 'this machine and the service agree, to a second'],
    [-2, 'ok', 'this machine is 2 s ahead of the service'],
    [-29, 'ok', 'this machine is 29 s ahead of the service'],
    [-30, 'warning', 'this machine is 30 s ahead of the service'],
    [149, 'warning', 'this machine is 149 s behind the service'],
    [150, 'wrong', 'this machine is 150 s behind the service'],
  ])('of a service %i s ahead is %s', (seconds, state, found) => {
    const now = Date.parse('2026-01-02T03:04:05Z');
    expect(skewFinding(new Date(now + seconds * 1000).toUTCString(), now)).toMatchObject({ state, found });
  });

  const failure = '{"error":"CODE","message":"text","success":false}';
  it.each([
    [200, '{"data":[],"error":null,"success":true}', 'ok'],
    [200, failure, 'wrong'],
    [200, '{"data":[],"error":"UNAUTHORIZED","success":true}', 'wrong'],
    [200, '<html>', 'wrong'],
    [200, '{"data":', 'wrong'],
    [302, '', 'wrong'],
    [401, failure, 'wrong'],
    [403, failure, 'warning'],
    [403, '{"message":"Forbidden"}', 'wrong'],
    [403, '{"success":false,"errors":[{"code":1020}]}', 'wrong'],
    [400, failure, 'wrong'],
    [404, failure, 'wrong'],
    [404, '<html>', 'wrong'],
    [429, '<html>', 'warning'],
    [429, failure, 'warning'],
    [500, failure, 'wrong'],
    [502, '<html>', 'wrong'],
  ])('of a key that is answered %i %s is %s', (status, body, state) => {
    const reply = { status, headers: {}, body: Buffer.from(body) };
    expect(keyFinding(reply, { refusedKey: 'Another key.' }).state).toBe(state);
  });

  it('does not show what is not a proxy address: it may be a password', () => {
    expect(environmentFindings({ HTTPS_PROXY: 'me:hunter2@proxy:3128' }, 0)).toEqual([
      {
        check: 'proxy',
        state: 'wrong',
        found: 'HTTPS_PROXY is not the address of an http or https proxy.',
        remedy: 'Write it as HTTPS_PROXY=http://proxy.example.com:3128, or unset it.',
      },
    ]);
  });

  it.each([
    [
      'an @ in its password',
      { https_proxy: 'http://me:hun@ter2@proxy:3128' },
      'https_proxy=http://****@proxy:3128',
    ],
    ['a path', { HTTPS_PROXY: 'http://proxy:3128/?hunter2' }, 'HTTPS_PROXY=http://proxy:3128'],
  ])('shows a proxy without its password when it has %s', (_what, variables, found) => {
    expect(environmentFindings(variables, 0)).toEqual([{ check: 'proxy', state: 'ok', found, remedy: null }]);
  });

  it.each(['HTTP_PROXY', 'http_proxy'])('names no %s, through which nothing is sent', (name) => {
    expect(environmentFindings({ [name]: 'me:hunter2@proxy:3128' }, 0)).toMatchObject([
      { check: 'proxy', state: 'ok', found: 'none' },
    ]);
  });

  it('shows a proxy without its password, and refuses untrusted TLS', () => {
    const variables = {
      HTTPS_PROXY: 'http://me:hunter2@proxy:3128',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    };
    const found = environmentFindings(variables, 0);
    expect(found).toMatchObject([
      { check: 'tls', state: 'wrong' },
      { check: 'proxy', state: 'ok', found: 'HTTPS_PROXY=http://****@proxy:3128' },
    ]);
  });
});

it('a folder that cannot be created is reported, with what would need it', () => {
  const file = join(emptyHome(), 'a-file');
  writeFileSync(file, '');
  const directories = { config: join(file, 'config'), state: join(file, 'state') };
  const config = { directories, path: join(file, 'config/config.json'), findFileProblem: () => 'absent' };
  const found = fileFindings(config as unknown as Config);
  expect(found.map(({ state }) => state)).toEqual(['warning', 'warning', 'warning', 'warning']);
  expect(found[3]).toMatchObject({
    found: `${join(file, 'state')} does not exist and cannot be created (${file}: not a directory)`,
    remedy: expect.stringContaining('PIXCTL_STATE_DIR'),
  });
});

describe('doctor', () => {
  it('names variables that are set to what cannot be meant', async () => {
    const env = { TZ: 'America/Sao_Paul', PIXCTL_KEYCHAIN: 'no', PIXCTL_LEDGER_URL: '' };
    const { stdout } = await run(['doctor', '--offline', '-o', 'json'], { home: emptyHome(), env });
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ check: 'time zone', state: 'warning' }),
        expect.objectContaining({
          check: 'ledger',
          state: 'wrong',
          found: expect.stringContaining('PIXCTL_LEDGER_URL is empty'),
        }),
        expect.objectContaining({
          check: 'keychain',
          state: 'wrong',
          remedy: expect.stringContaining('off'),
        }),
      ]),
    );
  });

  it('takes an empty PIXCTL_LEDGER_ID for a gap to fill in, and not for another ledger', async () => {
    const env = { PIXCTL_LEDGER_ID: '' };
    const { stdout } = await run(['doctor', '--offline', '-o', 'json'], { home: emptyHome(), env });
    expect(JSON.parse(stdout)).toContainEqual({
      check: 'ledger',
      state: 'wrong',
      found: 'PIXCTL_LEDGER_ID is empty, so it is not known which ledger is expected.',
      remedy: 'Give the id of the ledger, or unset the variable to use the id in the settings.',
    });
  });

  it("looks at a ledger without a profile too, though not for what is open in it: that is a merchant's", async () => {
    const ledger = join(emptyHome(), 'ledger.db');
    const env = { PIXCTL_LEDGER_URL: ledger };
    const { stdout } = await run(['doctor', '--offline', '-o', 'json'], { home: emptyHome(), env });
    const found = (JSON.parse(stdout) as { check: string }[]).filter(({ check }) => check === 'ledger');
    expect(found).toEqual([{ check: 'ledger', state: 'ok', found: ledger, remedy: null }]);
  });

  const atTerminal = skipped('tells people too what is wrong with the settings themselves', noPty);
  it.skipIf(noPty !== null)(atTerminal, async () => {
    const home = emptyHome();
    const settings = join(home, '.config/pixctl');
    mkdirSync(settings, { recursive: true, mode: 0o700 });
    writeFileSync(join(settings, 'config.json'), '{', { mode: 0o600 });
    const { code, screen } = await converse(['doctor', '--offline'], [], { home, env: { TZ: '' } });
    expect(code).toBe(78);
    expect(screen).toContain('checks found something wrong: keychain, profile, ledger.');
  });

  it.skipIf(noPty !== null)(
    'shows a remedy on a terminal behind what was found, where there is room for it',
    async () => {
      const doctor = ['doctor', '--offline', '--jq', 'map(select(.check == "profile"))[].remedy'];
      const remedy = 'Run pixctl login for the service, or pixctl sandbox start to try everything offline.';
      const { screen } = await converse(doctor.slice(0, 2), [], { home: emptyHome(), columns: 80 });
      expect(screen).not.toContain('Remedy');
      expect(screen.replaceAll(/[│\s]+/g, ' ')).toContain(`no PIXCTL_BASE_URL. ${remedy}`);
      const wide = await converse([...doctor.slice(0, 2), '--fields', 'check,remedy'], [], {
        home: emptyHome(),
      });
      expect(wide.screen).toContain(`│ ${remedy}`);
      const piped = await run(doctor.slice(0, 2), { home: emptyHome() });
      expect(piped.stdout).toMatch(/^Check\tState\tFound\tRemedy\n/);
      expect((await run(doctor, { home: emptyHome() })).stdout).toBe(`${remedy}\n`);
    },
  );

  const canary = 'svc_canary_doctor';
  let service: StubService;
  let home: string;
  beforeEach(async () => {
    service = await startStubService(canary);
    home = emptyHome();
    await run(['login', '--base-url', service.url, '--key-stdin', '--no-check'], { home, input: canary });
  });
  afterEach(() => service.close());

  const doctor = async (args: string[] = [], env: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await run(['doctor', '-o', 'json', ...args], { home, env });
    expect(stdout + stderr).not.toContain('canary');
    return {
      code,
      stderr,
      findings: JSON.parse(stdout) as { check: string; state: string; found: string; remedy: string }[],
    };
  };

  it('stores the ledger that it has opened as the one to expect, as a withdrawal does', async () => {
    const home = emptyHome();
    const env = { PIXCTL_LEDGER_URL: join(emptyHome(), 'ledger.db') };
    expect((await run(['config', 'get', 'ledger.id'], { home, env })).stdout.trim()).toBe('');
    await run(['doctor', '--offline'], { home, env });
    const ledger = await openLedger({ url: env.PIXCTL_LEDGER_URL, expectedId: null, clock: systemClock });
    await ledger.close();
    expect((await run(['config', 'get', 'ledger.id'], { home, env })).stdout.trim()).toBe(ledger.id);
  });

  it('finds fault with a ledger whose file contradicts itself', async () => {
    const ledger = join(emptyHome(), 'ledger.db');
    const env = { PIXCTL_LEDGER_URL: ledger };
    const made = await openLedger({ url: ledger, expectedId: null, clock: systemClock });
    const scope = scopeOf({ merchant: 'acme', baseUrl: 'https://pay.example' });
    await made.plan(
      {
        id: 'i1',
        kind: 'withdrawal',
        scope,
        idempotencyKey: 'k1' as IdempotencyKey,
        amount: 100 as Cents,
        request: '{}',
      },
      { id: 'e1', at: 1, what: 'planned' },
    );
    await made.close();
    emptyIndex(ledger, 'ledger_by_time');
    const { stdout } = await run(['doctor', '--offline', '-o', 'json'], { home: emptyHome(), env });
    const found = (JSON.parse(stdout) as { check: string }[]).filter(({ check }) => check === 'ledger');
    expect(found).toEqual([
      {
        check: 'ledger',
        state: 'wrong',
        found: `the ledger ${ledger} is damaged (wrong # of entries in index ledger_by_time)`,
        remedy: expect.stringContaining(`rebuild its indexes: sqlite3 ${ledger} REINDEX.`),
      },
    ]);
  });

  it.skipIf(noPty !== null)('says at a terminal that it reads a large ledger, before it does', async () => {
    const ledger = join(emptyHome(), 'ledger.sqlite');
    const env = { PIXCTL_LEDGER_URL: ledger };
    const made = await openLedger({ url: ledger, expectedId: null, clock: systemClock });
    await made.plan(
      {
        id: 'i1',
        kind: 'withdrawal',
        scope: scopeOf({ merchant: 'acme', baseUrl: 'https://pay.example' }),
        idempotencyKey: 'k1' as IdempotencyKey,
        amount: 100 as Cents,
        request: JSON.stringify({ note: 'x'.repeat(70 * 1024 * 1024) }),
      },
      { id: 'e1', at: 1, what: 'planned' },
    );
    await made.close();
    const told = 'Reading the ledger, 70 MiB ...';
    const { screen } = await converse(['doctor', '--offline'], [], { home: emptyHome(), env });
    expect(screen).toContain(told);
    expect((await run(['doctor', '--offline'], { home: emptyHome(), env })).stderr).not.toContain(told);
  });

  it.skipIf(process.geteuid?.() === 0)('finds fault with a read-only ledger', async () => {
    const pay = ['withdraw', '--amount', '100', '--to', 'a@example.com', '--type', 'EMAIL'];
    await run([...pay, '--idempotency-key', 'k-1', '--yes'], { home });
    const [made] = (await doctor()).findings.filter(({ check }) => check === 'ledger');
    expect(made?.state).toBe('ok');
    chmodSync(made?.found as string, 0o400);
    const [closed] = (await doctor()).findings.filter(({ check }) => check === 'ledger');
    expect(closed).toMatchObject({
      state: 'wrong',
      remedy: makeWritableHint(closed?.found.split(' can be read')[0] ?? ''),
    });
  });

  it('names each send whose outcome is not known, with the command that looks for it', async () => {
    const to = ['--amount', '100', '--to', 'a@example.com', '--type', 'EMAIL', '--yes'];
    expect((await run(['withdraw', ...to, '--idempotency-key', 'k-1'], { home, env: hurried })).code).toBe(
      81,
    );
    const create = ['charge', 'create', '--amount', '100', '--idempotency-key', 'c 1'];
    expect((await run(create, { home })).code).toBe(81);
    const { code, findings } = await doctor();
    expect(code).toBe(78);
    const open = findings.filter(({ check }) => check === 'open intent');
    expect(open.toSorted((a, b) => (a.found < b.found ? -1 : 1))).toEqual([
      {
        check: 'open intent',
        state: 'wrong',
        found: 'charge c 1 is UNKNOWN: its outcome is not known',
        remedy: `pixctl charge resolve ${inQuotes('c 1')}`,
      },
      {
        check: 'open intent',
        state: 'wrong',
        found: 'withdrawal k-1 is UNKNOWN: its outcome is not known, and it blocks others',
        remedy: 'pixctl withdrawal reconcile k-1',
      },
    ]);
  });

  it('finds no fault with a send that another run is still waiting for', async () => {
    await using bench = await openBench();
    const held = bench.holdAnswer();
    const paying = bench.pay('k-1', 100);
    await held.arrived;
    const args = ['doctor', '--offline', '-o', 'json'];
    const { code, stdout } = await bench.run(args);
    held.release();
    expect((await paying).code).toBe(0);
    expect(
      (JSON.parse(stdout) as { check: string }[]).filter(({ check }) => check === 'open intent'),
    ).toEqual([
      {
        check: 'open intent',
        state: 'ok',
        found: 'withdrawal k-1 is SENDING: another run is at it',
        remedy: null,
      },
    ]);
    expect(code).toBe(0);
  });

  it('says of a key that goes nowhere why, and not that the service is out of reach', async () => {
    const env = { PIXCTL_BASE_URL: 'https://pay.invalid', PIXCTL_API_KEY: 'svc_sandbox_canary' };
    const { findings } = await doctor([], env);
    expect(findings.find(({ check }) => check === 'service')).toMatchObject({
      state: 'wrong',
      found: 'This key belongs to a local sandbox, and pay.invalid is not on this machine. Nothing was sent.',
    });
  });

  it('ends with 0 when nothing is wrong', async () => {
    const { code, findings } = await doctor();
    expect(findings.filter(({ state }) => state === 'wrong')).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining([
        'node',
        'files',
        'keychain',
        'profile',
        'service',
        'key',
        'clock',
        'ledger',
        'listener port',
      ]),
    );
    expect(code).toBe(0);
  });

  it.each([
    ['--port', 'x'],
    ['--port', '0'],
    ['--port', '65536'],
  ])('refuses %s %s before anything is looked at', async (...args) => {
    const { code, stdout, stderr } = await run(['doctor', ...args], { home });
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain('--port takes a whole number from 1 to 65535');
    expect(service.seen).toEqual([]);
  });

  it('does not say that nothing is wrong of a service that answers 500', async () => {
    service.status = 500;
    const { code, stderr } = await doctor();
    expect(code).toBe(78);
    expect(stderr).not.toContain('Nothing is wrong');
  });

  it.skipIf(onWindows)('ends with 78 and a remedy when others may read the secrets', async () => {
    chmodSync(join(home, '.config/pixctl/secrets.json'), 0o644);
    const { code, findings, stderr } = await doctor(['--offline']);
    expect(code).toBe(78);
    expect(findings.find(({ check, state }) => check === 'files' && state === 'wrong')?.remedy).toContain(
      'chmod 600',
    );
    expect(stderr).toContain('found something wrong');
  });

  it('says who may read and write where it has looked: a directory that others may look into is not private', async () => {
    chmodSync(join(home, '.config/pixctl'), 0o755);
    const { findings } = await doctor(['--offline']);
    const found = findings.filter(({ check }) => check === 'files').map((finding) => finding.found);
    const [directory, file] = [join(home, '.config/pixctl'), join(home, '.config/pixctl/config.json')];
    expect(found.slice(0, 2)).toEqual(
      onWindows
        ? [`${directory} (not looked at: who may write to it)`, `${file} (not looked at: who may read it)`]
        : [`only you may write to ${directory}`, `only you may read ${file}`],
    );
  });

  it('still checks the rest when the settings file is damaged', async () => {
    writeFileSync(join(home, '.config/pixctl/config.json'), '{');
    const { code, findings } = await doctor(['--offline']);
    expect(code).toBe(78);
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['files', 'profile', 'listener port']),
    );
  });

  it('says what is lost with a settings file that is moved away: nothing else limits withdrawals', async () => {
    const settings = join(home, '.config/pixctl');
    const remedies = async (check: string) =>
      (await doctor(['--offline'])).findings.find((one) => one.check === check)?.remedy;
    writeFileSync(join(settings, 'secrets.json'), '{');
    expect(await remedies('profile')).toContain('signing secrets of webhook endpoints');
    writeFileSync(join(settings, 'config.json'), '{');
    expect(await remedies('profile')).toContain(
      'with the same --profile and --merchant, and pixctl policy set; the limits of withdrawals',
    );
  });

  it('says of a profile whose key is gone that it is gone, and where it was', async () => {
    rmSync(join(home, '.config/pixctl/secrets.json'));
    const { code, findings } = await doctor(['--offline']);
    expect(findings.find(({ check }) => check === 'profile')).toEqual({
      check: 'profile',
      state: 'wrong',
      found: `default: ${service.url}, merchant default, but no API key: it was stored in secrets.json, and is not there`,
      remedy: 'pixctl login --profile default',
    });
    expect(code).toBe(78);
  });

  it('finds an inbox in which nothing can be stored, and makes none', async () => {
    const inbox = async () => (await doctor(['--offline'])).findings.find(({ check }) => check === 'inbox');
    const path = join(home, '.local/state/pixctl/inbox.sqlite');
    expect(await inbox()).toMatchObject({
      state: 'ok',
      found: 'none yet: the first webhook listen creates it',
    });
    expect(existsSync(path)).toBe(false);
    await run(['webhook', 'inbox'], { home });
    expect(await inbox()).toMatchObject({ state: 'ok', found: path });
    rmSync(path);
    mkdirSync(path);
    expect(await inbox()).toMatchObject({
      state: 'wrong',
      found: expect.stringContaining('it is not a file'),
      remedy: expect.stringContaining('Move it away'),
    });
    rmSync(path, { recursive: true });
    writeFileSync(path, 'no database');
    expect(await inbox()).toMatchObject({ state: 'wrong', found: expect.stringContaining('not a database') });
  });

  it.each([
    ['policy', { policy: { maxPerDay: 'much' } }, 'wrong', 'policy.maxPerDay is not valid', 'config path'],
    ['policy', { policy: { maxperday: 100 } }, 'wrong', 'policy.maxperday is not valid', 'config path'],
    ['destinations', { destinations: { rent: {} } }, 'wrong', '"rent"', 'config path'],
    ['time zone', { timeZone: 'Foo/Bar' }, 'warning', '"Foo/Bar"', 'config set timeZone America/Sao_Paulo'],
  ])('finds a damaged setting as a command would: %s %j', async (check, damaged, state, says, remedy) => {
    const path = join(home, '.config/pixctl/config.json');
    const stored = JSON.parse(readFileSync(path, 'utf8'));
    const sound = await doctor(['--offline']);
    expect(sound.findings.filter((one) => one.check === check && one.state !== 'ok')).toEqual([]);
    writeFileSync(path, JSON.stringify({ ...stored, settings: { ...stored.settings, ...damaged } }));
    const { code, findings } = await doctor(['--offline']);
    expect(findings.find((one) => one.check === check)).toEqual({
      check,
      state,
      found: expect.stringContaining(says),
      remedy: expect.stringContaining(remedy),
    });
    expect(code).toBe(state === 'wrong' ? 78 : 0);
    const pay = ['withdraw', '--amount', '100', '--to', 'a@example.com', '--type', 'EMAIL', '--yes'];
    const paid = await run([...pay, '--idempotency-key', 'k-1', '--dry-run'], { home });
    expect(paid.code === 78).toBe(state === 'wrong');
  });

  it('finds a clock that is off, a refused key, and a service that is away', async () => {
    service.skewMs = 10 * 60_000;
    expect((await doctor()).findings.find(({ check }) => check === 'clock')).toMatchObject({
      state: 'wrong',
    });
    const env = { PIXCTL_API_KEY: 'svc_canary_revoked' };
    expect((await doctor([], env)).findings.find(({ check }) => check === 'key')).toMatchObject({
      state: 'wrong',
    });
    await service.close();
    const away = await doctor();
    expect(away.code).toBe(78);
    expect(away.findings.find(({ check }) => check === 'service')).toMatchObject({
      state: 'wrong',
      found: expect.stringContaining('refused'),
      remedy: expect.stringContaining(`Check the address ${service.url} of the profile`),
    });
  });

  it('finds nothing wrong with a port that a listener of ours has', async () => {
    const home = homeWithSecret();
    const listener = await listen(home, ['--port', '0', '--secret-file', join(home, 'secret')]);
    const { findings } = await doctor(['--offline', '--port', new URL(listener.url).port]);
    await listener.stop();
    expect(findings.find(({ check }) => check === 'listener port')).toMatchObject({
      state: 'ok',
      found: expect.stringContaining('a pixctl webhook listen runs at'),
    });
  });

  it('warns of a port that is taken', async () => {
    const server = createServer();
    const port = await listenOnLoopback(server);
    const { findings } = await doctor(['--offline', '--port', String(port)]);
    server.close();
    expect(findings.find(({ check }) => check === 'listener port')).toMatchObject({
      state: 'warning',
      remedy: 'pixctl webhook listen --port <another>.',
    });
  });
});

it('looks by default at the port that webhook listen takes by default', async () => {
  const { stdout } = await run(['doctor', '--offline', '-o', 'json']);
  const found = (JSON.parse(stdout) as { check: string; found: string }[]).find(
    ({ check }) => check === 'listener port',
  );
  expect(found?.found).toContain('127.0.0.1:4400');
});

it.each([
  { env: { PIXCTL_API_KEY: 'svc_sandbox_canary' }, says: 'This key belongs to a local sandbox' },
  {
    env: { PIXCTL_API_KEY: 'svc_canary', HTTPS_PROXY: 'proxy:3128' },
    says: 'HTTPS_PROXY is not the address',
  },
])('a service that was not asked is told with why: $says', async ({ env, says }) => {
  const { code, stdout } = await run(['doctor', '-o', 'json'], {
    home: emptyHome(),
    env: { PIXCTL_BASE_URL: 'https://service.invalid', ...env },
  });
  const service = JSON.parse(stdout).find(({ check }: { check: string }) => check === 'service');
  expect({ code, state: service.state, says: service.found.startsWith(says) }).toEqual({
    code: 78,
    state: 'wrong',
    says: true,
  });
});

it.skipIf(noSignals !== null)('stopped by a signal does not call wrong what it did not hear', async () => {
  const service = createServer((socket) => {
    socket.on('error', () => {});
    child.kill('SIGINT');
  });
  const port = await listenOnLoopback(service);
  const env = { PIXCTL_BASE_URL: `http://127.0.0.1:${port}`, PIXCTL_API_KEY: 'svc_live_1' };
  const child = start(['doctor', '-o', 'ndjson'], { env });
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  service.close();
  expect(await ended).toEqual([130, null]);
  expect(stdout).toContain('"check":"profile"');
  expect(stdout).not.toContain('"check":"service"');
  // Of what was looked at before, the ledger may have been stored as the one to expect.
  expect(stderr).toContain('Stopped by SIGINT: not everything was checked. Nothing was sent."');
  expect(stderr).not.toContain('changed');
});

it('a service that never answers is waited for as long as --timeout says', async () => {
  await using silent = await bareServer(() => {});
  const env = { PIXCTL_BASE_URL: silent.url, PIXCTL_API_KEY: 'svc_0123456789' };
  const begun = performance.now();
  const { stdout } = await run(['doctor', '--timeout', '1s', '-o', 'json'], { env });
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({
      check: 'service',
      found: `${silent.url} was not reached: the time limit was reached`,
    }),
  );
  expect(performance.now() - begun).toBeLessThan(9_000);
});
