/** The single executable: it needs no Node and nothing of ours, is no Node itself, and loads what a command needs. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildExecutable, cannotBuild } from '../../scripts/executable.ts';
import { version } from '../../src/version.ts';
import { skipped } from '../support/platform.ts';
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts';
import { cleanEnvironment, emptyHome } from '../support/run.ts';

const root = mkdtempSync(join(tmpdir(), 'pixctl-root-'));
const path = join(root, 'made/pixctl');
// Ten seconds of a processor, which a machine that does ten other things gives in minutes.
beforeAll(async () => {
  if (cannotBuild === null) await buildExecutable(join(root, 'made'));
}, 300_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Options {
  readonly home?: string;
  readonly env?: Record<string, string>;
  readonly input?: string;
}
const run = (args: readonly string[], { home = emptyHome(), env = {}, input = '' }: Options = {}) =>
  spawnSync(path, args, { encoding: 'utf8', env: cleanEnvironment(home, env), input });

describe.skipIf(cannotBuild !== null)('the single executable', () => {
  it('carries the licences of what is in it, of pg too', () => {
    const notices = readFileSync(join(root, 'made/THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['undici', 'zod', 'commander', 'pg', 'hono', 'jq-wasm'])
      expect(notices).toContain(`\n${name} `);
  });

  it.each([
    ['--version', 0, `${version}\n`],
    ['-V', 0, `${version}\n`],
    ['--version --json', 0, `${version}\n`],
    ['charge get', 64, ''],
  ])('ends "%s" with %d', (line, status, stdout) => {
    expect(run(line.split(' '))).toMatchObject({ status, stdout });
  });

  it.each([['bash'], ['zsh'], ['fish'], ['powershell']])('prints the completion of %s', (shell) => {
    const { status, stdout, stderr } = run(['completion', shell]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('pixctl');
    // A script that names the program by its path would break when it moves.
    expect(stdout).not.toContain(path);
  });

  it('filters with the jq that it carries', () => {
    const { status, stdout, stderr } = run([
      'help',
      'exit-codes',
      '--jq',
      '(.[] | select(.exit == 81).name), env',
    ]);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'unknown\n{}\n', stderr: '' });
  });

  it('completes words, and explains every command', () => {
    expect(run(['complete', '--', 'char']).stdout).toContain('charge\t');
    const { status, stdout } = run(['help', 'withdrawal', 'batch']);
    expect(status).toBe(0);
    expect(stdout).toContain('Usage: pixctl withdrawal batch');
  });

  it('runs all the same where V8 is told to work otherwise than its compiled code was made for', () => {
    const { status, stdout, stderr } = run(['help', 'exit-codes'], { env: { NODE_OPTIONS: '--jitless' } });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('81');
  });
});

describe.skipIf(cannotBuild !== null)('the listener of the executable', () => {
  it('verifies and stores an event that is sent to it, for the next run to show', async () => {
    const home = emptyHome();
    const env = { PIXCTL_WEBHOOK_SECRET: 'whsec_test_0123456789abcdef' };
    const listener = spawn(path, ['webhook', 'listen', '--port', '0', '--exit-after', '1'], {
      env: cleanEnvironment(home, env),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(listener, 'close');
    let address: string | undefined;
    for await (const line of createInterface({ input: listener.stderr })) {
      address ??= /^Listening on (\S+)/.exec(line)?.[1];
      if (address !== undefined) break;
    }
    const sent = run(['webhook', 'trigger', 'CHARGE_PAID', '-f', address ?? ''], { home, env });
    expect(sent).toMatchObject({ status: 0 });
    listener.stderr.resume();
    expect(await ended).toEqual([0, null]);
    const { stdout } = run(['webhook', 'inbox', '-o', 'json'], { home });
    expect((JSON.parse(stdout) as { event: string }[]).map(({ event }) => event)).toEqual(['CHARGE_PAID']);
  });
});

/** Preloaded by NODE_OPTIONS: every chunk that was compiled, and whether V8 took its compiled code. */
const listing = `
const vm = require('node:vm');
const seen = [];
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    seen.push({ name: options.filename.replace(/-[\\w-]{8}\\.cjs$/, ''), refused: this.cachedDataRejected });
  }
};
process.on('exit', () => require('node:fs').writeFileSync(process.env.LIST, JSON.stringify(seen)));
`;

describe.skipIf(cannotBuild !== null)('the chunks that the executable loads', () => {
  const loadedBy = (line: string) => {
    const home = emptyHome();
    const [preload, list] = [join(home, 'listing.cjs'), join(home, 'list.json')];
    writeFileSync(preload, listing);
    run(line.split(' '), { home, env: { NODE_OPTIONS: `-r ${preload}`, LIST: list } });
    return JSON.parse(readFileSync(list, 'utf8')) as { name: string; refused: boolean }[];
  };

  it('are none for --version, and few for --help', () => {
    expect(loadedBy('--version')).toEqual([]);
    expect(loadedBy('--help').map(({ name }) => name)).toEqual(['main.cjs', 'rolldown-runtime']);
  });

  it.each([['--help'], ['doctor --offline'], ['demo']])('come compiled, for "%s"', (line) => {
    expect(loadedBy(line).filter(({ refused }) => refused !== false)).toEqual([]);
  });
});

describe.skipIf(cannotBuild !== null)('the executable and the keychain', () => {
  // A library lies where it would be found: what must not happen is that it is asked for with this file as Node.
  const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus', PIXCTL_KEYCHAIN: '' };
  beforeAll(() => {
    const library = join(root, 'made/node_modules/@napi-rs/keyring');
    mkdirSync(library, { recursive: true });
    writeFileSync(join(library, 'index.js'), 'exports.Entry = class {};');
  });

  it('does not start itself as the Node that asks the keychain; doctor says where secrets lie', () => {
    const { stdout } = run(['doctor', '--offline', '-o', 'json'], { env });
    const findings = JSON.parse(stdout) as { check: string; found: string }[];
    expect(findings.find(({ check }) => check === 'keychain')?.found).toBe(
      'not used: secrets are stored in a file of mode 0600 (the single executable cannot use it, only the npm package can)',
    );
  });

  it('keeps a key in the file, and reads it there', () => {
    const home = emptyHome();
    const login = ['login', '--base-url', 'http://127.0.0.1:9', '--key-stdin', '--no-check'];
    expect(run(login, { home, env, input: 'svc_kept' })).toMatchObject({ status: 0 });
    const secrets = join(home, '.config/pixctl/secrets.json');
    expect(statSync(secrets).mode & 0o777).toBe(0o600);
    expect(readFileSync(secrets, 'utf8')).toContain('svc_kept');
    expect(run(['whoami', '--offline', '-o', 'json'], { home, env }).stdout).toMatch(/"keySource": ?"file"/);
  });
});

describe.skipIf(cannotBuild !== null)(
  skipped('a withdrawal by the executable over PostgreSQL', postgresMissing),
  () => {
    let postgres: Postgres;
    beforeAll(async () => {
      if (postgresMissing === null) postgres = await startPostgres();
    });
    afterAll(async () => {
      if (postgresMissing === null) await postgres.stop();
    });

    it('ends with 74 and sends nothing when the server is away', () => {
      const { status, stderr } = run(['withdraw', ...order], {
        env: { ...away, PIXCTL_LEDGER_URL: 'postgres://pixctl@127.0.0.1:9/none' },
      });
      expect(status).toBe(74);
      expect(stderr).toContain('nothing was sent');
      expect(stderr).toContain('Check the server and PIXCTL_LEDGER_URL');
    });

    it.skipIf(postgresMissing !== null)('is paid once, and known to the next run', async () => {
      const sandbox = spawn(path, ['sandbox', 'start', '--port', '0', '--no-profile', '-o', 'json'], {
        env: cleanEnvironment(emptyHome()),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(createInterface({ input: sandbox.stdout }), 'line')) as [string];
      const { url, apiKey } = JSON.parse(line) as { url: string; apiKey: string };
      const env = {
        PIXCTL_BASE_URL: url,
        PIXCTL_API_KEY: apiKey,
        PIXCTL_MERCHANT: 'shop',
        PIXCTL_LEDGER_URL: await postgres.createDatabase(),
      };
      expect(run(['sandbox', 'merchant', 'set', '--available', '100000'], { env }).status).toBe(0);
      expect(run(['withdraw', ...order, '--wait'], { env })).toMatchObject({ status: 0 });
      expect(run(['withdraw', ...order, '--wait'], { env })).toMatchObject({ status: 0 });
      const listed = run(['withdrawal', 'list', '-o', 'json'], { env });
      expect((JSON.parse(listed.stdout) as unknown[]).length).toBe(1);
      const ended = once(sandbox, 'exit');
      sandbox.kill('SIGTERM');
      await ended;
    });
  },
);

const order = ['--amount', '1050', '--to', '52998224725', '--idempotency-key', 'once', '--yes'];
const away = {
  PIXCTL_BASE_URL: 'http://127.0.0.1:9',
  PIXCTL_API_KEY: 'svc_sandbox_x',
  PIXCTL_MERCHANT: 'shop',
};

const why =
  process.platform !== 'linux'
    ? 'only Linux has chroot and ldd'
    : process.geteuid?.() !== 0
      ? 'chroot needs root'
      : ['/usr/sbin/chroot', '/usr/bin/ldd'].some((tool) => !existsSync(tool))
        ? 'chroot or ldd is not installed'
        : null;

describe(skipped('the single executable in an empty root', why), () => {
  it.skipIf(why !== null)('tells its version and runs the demo', () => {
    for (const [library] of execFileSync('ldd', [path], { encoding: 'utf8' }).matchAll(/\/\S+(?= \(0x)/g)) {
      mkdirSync(join(root, dirname(library)), { recursive: true });
      copyFileSync(library, join(root, library));
    }
    mkdirSync(join(root, 'home'));
    const inside = (...args: string[]) =>
      spawnSync('/usr/sbin/chroot', [root, '/made/pixctl', ...args], {
        encoding: 'utf8',
        env: { HOME: '/home' },
      });
    expect(inside('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
    const demo = inside('demo');
    expect(demo.stderr).not.toContain('unexpected');
    expect(demo).toMatchObject({ status: 0 });
    expect(demo.stdout).toContain('PENDING -> PAID');
    expect(demo.stderr).toContain('pixctl sandbox start');
    expect(inside('charge', 'get').status).toBe(64);
  });
});
