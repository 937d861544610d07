/** What npm would publish: packed from the build, installed offline into an empty home, used as its users do. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../bench/service.ts';
import { writeDeclarations } from '../scripts/declarations.ts';
import { noNpm, skipped } from './support/platform.ts';
import { programPath } from './support/run.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), 'pixctl-package-'));
const inTemporary = (...names: string[]) => join(temporary, ...names);
const tree = inTemporary('tree');
const installed = inTemporary('prefix/lib/node_modules/pixctl');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  files: string[];
  scripts: Record<string, string>;
  dependencies?: object;
  exports: Record<string, { types?: string }>;
  typesVersions: Record<string, Record<string, string[]>>;
};
/** As in a fresh container: no variable but these, no npm cache, no settings. */
const env = {
  PATH: `${inTemporary('prefix/bin')}:${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
  HOME: inTemporary('home'),
  npm_config_cache: inTemporary('cache'),
};

async function execute(command: string, args: readonly string[], cwd = temporary, more: object = {}) {
  return promisify(execFile)(command, [...args], { cwd, env: { ...env, ...more }, maxBuffer: 1 << 24 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) =>
      ({ code, stdout, stderr }) as { code: number; stdout: string; stderr: string },
  );
}

beforeAll(async () => {
  if (noNpm !== null) return;
  mkdirSync(env.HOME);
  mkdirSync(tree);
  for (const name of ['package.json', ...manifest.files.filter((file) => file !== 'dist')])
    cpSync(join(root, name), join(tree, name), { recursive: true });
  cpSync(join(dirname(programPath()), '../dist'), join(tree, 'dist'), { recursive: true });
  await writeDeclarations(root, join(tree, 'dist'));
  // The build has run: what `prepack` would do once more.
  const packed = await execute('npm', ['pack', '--ignore-scripts', '--pack-destination', temporary], tree);
  expect(packed).toMatchObject({ code: 0 });
  const [tarball = ''] = readdirSync(temporary).filter((name) => name.endsWith('.tgz'));
  const done = await execute('npm', [
    ...['install', '--global', '--offline', '--no-audit', '--no-fund'],
    ...['--prefix', inTemporary('prefix'), inTemporary(tarball)],
  ]);
  expect(done, done.stderr).toMatchObject({ code: 0 });
});
afterAll(() => rm(temporary, { recursive: true, force: true }));

describe.skipIf(noNpm !== null)(skipped('the package', noNpm), () => {
  it('is built before it is packed, and brings nothing but itself', () => {
    expect(manifest.scripts).toMatchObject({
      dependencies: 'node scripts/build.ts',
      prepack: 'node scripts/build.ts',
    });
    expect(manifest.dependencies).toBeUndefined();
    expect(readdirSync(inTemporary('prefix/lib/node_modules'))).toEqual(['pixctl']);
    expect(existsSync(join(installed, 'node_modules'))).toBe(false);
  });

  it('has no script that npm would warn its users about', () => {
    const ofInstallation = ['preinstall', 'install', 'postinstall', 'prepare'];
    expect(ofInstallation.filter((name) => name in manifest.scripts)).toEqual([]);
  });

  it('holds the program, its page, its documents and nothing else', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1))
      .map((path) =>
        path
          .replace(/^(dist\/chunks)\/.*\.(?:c?js|wasm)$/, '$1')
          .replace(/^(dist\/(?:commonjs\/)?types)\/.*\.d\.ts$/, '$1')
          .replace(/^(dist\/commonjs\/chunks)\/.*\.js$/, '$1')
          .replace(/^(docs)\/[a-z-]+\.md$/, '$1'),
      );
    expect([...new Set(files)].sort()).toEqual([
      ...[
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'SECURITY.md',
        'bin/compile-cache.js',
        'bin/package.json',
        'bin/pixctl.js',
      ],
      ...['dist/THIRD-PARTY-NOTICES.txt', 'dist/chunks'],
      ...['chunks', 'package.json', 'sandbox.js', 'types', 'webhooks.js'].map(
        (name) => `dist/commonjs/${name}`,
      ),
      ...['dist/main.cjs', 'dist/parts.json'],
      ...['dist/sandbox.js', 'dist/types', 'dist/webhooks.js', 'docs', 'man/pixctl.1', 'package.json'],
    ]);
  });

  it('names its types to a TypeScript that does not read exports too (moduleResolution node10)', () => {
    const exported = Object.entries(manifest.exports).flatMap(([path, { types }]) =>
      types === undefined ? [] : [[path.replace('./', ''), [types]] as const],
    );
    expect(exported.map(([name]) => name)).toEqual(['sandbox', 'webhooks']);
    expect(manifest.typesVersions).toEqual({ '*': Object.fromEntries(exported) });
    for (const [, [types = '']] of exported) expect(existsSync(join(installed, types))).toBe(true);
  });

  it('holds every page that its README leads its users to', () => {
    const text = readFileSync(join(installed, 'README.md'), 'utf8');
    const linked = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => path);
    expect(linked.length).toBeGreaterThan(10);
    // Whoever contributes has a clone.
    expect(linked.filter((path) => !existsSync(join(installed, path)))).toEqual(['CONTRIBUTING.md']);
  });

  it.each([
    'commander',
    'undici',
    'zod',
    'hono',
    '@inquirer/prompts',
    'conf',
    'qr',
    'cli-table3',
    'atomically',
    'jq-wasm',
  ])('ships the licence of %s, whose code it contains', (name) => {
    const notices = readFileSync(join(installed, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    const section = notices.split(/^-{80}$/m).find((text) => text.startsWith(`\n${name} `));
    expect(section).toMatch(/copyright/i);
    expect(section).toMatch(/permission|redistribution/i);
  });
});

describe.skipIf(noNpm !== null)(skipped('installed globally, in an empty environment', noNpm), () => {
  it('shows the demo', async () => {
    const { code, stdout, stderr } = await execute('pixctl', ['demo']);
    expect({ code, stderr: stderr.replace(/.*SQLite is an experimental[\s\S]*/, '') }).toMatchObject({
      code: 0,
    });
    expect(stdout + stderr).toContain('PENDING -> PAID');
  });

  it('starts a sandbox, charges and withdraws from it', async () => {
    const sandbox = spawn('pixctl', ['sandbox', 'start', '-o', 'json'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      const [line] = (await once(createInterface(sandbox.stdout), 'line')) as [string];
      expect(JSON.parse(line)).toMatchObject({ url: expect.stringContaining('http://127.0.0.1:') });
      const created = await execute('pixctl', ['charge', 'create', '--amount', '10,50', '--no-qr', '--json']);
      expect(created, created.stderr).toMatchObject({ code: 0 });
      const { id } = JSON.parse(created.stdout) as { id: string };
      expect(await execute('pixctl', ['sandbox', 'pay', id])).toMatchObject({ code: 0 });
      const paid = ['withdraw', '--amount', '1,00', '--to', 'maria@example.com', '--idempotency-key', 'k-1'];
      const first = await execute('pixctl', [...paid, '--yes', '--json']);
      expect(first, first.stderr).toMatchObject({ code: 0 });
      const again = await execute('pixctl', [...paid, '--yes', '--json']);
      expect(again, again.stderr).toMatchObject({ code: 0 });
      const listed = await execute('pixctl', ['withdrawal', 'list', '-o', 'json']);
      expect(JSON.parse(listed.stdout)).toHaveLength(1);
    } finally {
      sandbox.kill('SIGTERM');
      await once(sandbox, 'close');
    }
  });
});

describe.skipIf(noNpm !== null)(skipped('a shared ledger without the package pg', noNpm), () => {
  it('is an error that names the next step, and nothing is sent', async () => {
    const service = await startService(1);
    try {
      const order = ['--amount', '100', '--to', '52998224725', '--idempotency-key', 'k', '--yes'];
      const { code, stderr } = await execute('pixctl', ['withdraw', ...order], temporary, {
        PIXCTL_BASE_URL: service.url,
        PIXCTL_API_KEY: 'svc_sandbox_x',
        PIXCTL_MERCHANT: 'shop',
        PIXCTL_LEDGER_URL: 'postgres://user@127.0.0.1:9/none',
      });
      expect({ code, asked: service.requestCount() }).toEqual({ code: 78, asked: 0 });
      expect(stderr).toContain('needs the package "pg", which is not installed');
      expect(stderr).toContain('npm install -g pg');
    } finally {
      await service.close();
    }
  });
});

describe.skipIf(noNpm !== null)(skipped('a Node that is too old', noNpm), () => {
  it.each(['18.20.0', '20.19.4', '22.22.1', '23.11.0', '24.14.1', '25.2.0'])(
    '%s is told so, with 78',
    async (version) => {
      const pretend = inTemporary(`node-${version}.cjs`);
      const versions = JSON.stringify({ ...process.versions, node: version });
      writeFileSync(pretend, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
      const ran = await execute(process.execPath, [
        '--require',
        pretend,
        join(installed, 'bin/pixctl.js'),
        'demo',
      ]);
      expect(ran).toEqual({
        code: 78,
        stdout: '',
        stderr: `pixctl needs Node 24 (24.15 or newer), 22 (22.22.2 or newer), or 26 and newer; this is Node ${version}.\n`,
      });
    },
  );
});

const consumer = `
import {
  type AnySandbox, type ConnectedSandbox, connectSandbox, type FaultInput, type MerchantChanges, startSandbox,
  type Sandbox,
} from 'pixctl/sandbox';
import { createDelivery, type SignedDelivery, sign, verify, type WebhookEvent } from 'pixctl/webhooks';
const sandbox: Sandbox = await startSandbox({ withdrawals: 'immediate' });
export const amount: number = sandbox.pay('chg_1').amount;
// @ts-expect-error an amount is a number: the types have not decayed to any
export const wrong: string = sandbox.pay('chg_1').amount;
sandbox.faults.add({ target: 'api', effect: { kind: 'error', status: 500 } });
// @ts-expect-error there is no such effect
sandbox.faults.add({ target: 'api', effect: { kind: 'errror' } });
// @ts-expect-error there is no such preset
sandbox.faults.preset('lost');
const judged = verify({ secret: 's', body: '{}', header: sign({ secret: 's', body: '{}' }) });
export const reason: string = judged.ok ? '' : judged.reason;
const delivery: SignedDelivery = createDelivery({ secret: 's', event: 'CHARGE_PAID', data: { amount: 1 } });
export const delivered: string = delivery.body + delivery.headers['Service-Signature'] + delivery.event.id;
export const id = (event: WebhookEvent): string => event.id;
export const rich: MerchantChanges = { available: 100 };
export const late: FaultInput = { target: 'api', effect: { kind: 'error', status: 500 } };
// Without a type of its own, as a compiler that writes declarations takes it: each result has a name that can be
// imported.
export const results = async (sandbox: Sandbox) => ({
  charge: sandbox.pay('chg_1'),
  withdrawal: sandbox.completeWithdrawal('wd_1'),
  customer: sandbox.removeCustomer('cust_1'),
  merchant: sandbox.merchant(),
  balance: sandbox.merchant().balance,
  added: sandbox.addMerchant(),
  seeded: sandbox.seed({ charges: 1 }),
  events: sandbox.events(),
  waited: await sandbox.waitForEvent('CHARGE_PAID'),
  attempts: sandbox.deliveries().map((delivery) => delivery.attempts[0]),
  answers: sandbox.deliveries().map((delivery) => delivery.attempts[0]?.response),
  requests: sandbox.requests({ operation: 'createWithdrawal' }),
  assumptions: sandbox.assumptions(),
  advanced: await sandbox.clock.advance(0),
  faults: sandbox.faults.preset('lost-response'),
  rules: sandbox.faults.list().map((fault) => fault.rule),
});
export const elsewhere = async (sandbox: ConnectedSandbox) => ({
  charge: await sandbox.pay('chg_1'),
  advanced: await sandbox.clock.advance('1h'),
  fault: await sandbox.faults.add({ target: 'api', effect: { kind: 'reset' } }),
});
const connected = await connectSandbox(sandbox);
export const paid: number = (await connected.pay('chg_1')).amount;
// @ts-expect-error it comes as a promise
export const early: number = connected.pay('chg_1').amount;
// @ts-expect-error there is no such effect there either
void connected.faults.add({ target: 'api', effect: { kind: 'errror' } });
export const either = async (sandbox: AnySandbox): Promise<string> => (await sandbox.pay('chg_1')).status;
await either(sandbox);
await either(connected);
await using until = await connectSandbox({ url: sandbox.url, apiKey: sandbox.apiKey });
await sandbox.close();
`;

/** What TypeScript turns into `require`, so without an `await` at the top. */
const commonJsConsumer = `
import { connectSandbox, type Sandbox, startSandbox } from 'pixctl/sandbox';
import { sign } from 'pixctl/webhooks';
export const start = async (): Promise<Sandbox> => startSandbox({ withdrawals: 'immediate' });
export const paid = async (sandbox: Sandbox): Promise<number> => (await (await connectSandbox(sandbox)).pay('a')).amount;
// @ts-expect-error it is a string: the types have not decayed to any
export const wrong: number = sign({ secret: 's', body: '{}' });
`;

const required = `
const { startSandbox, connectSandbox } = require('pixctl/sandbox');
const { sign, verify } = require('pixctl/webhooks');
const header = sign({ secret: 's', body: '{}' });
console.log(verify({ secret: 's', body: '{}', header }).ok);
(async () => {
  const sandbox = await startSandbox({ merchant: { available: 700 } });
  const headers = { authorization: 'Bearer ' + sandbox.apiKey };
  console.log((await (await fetch(sandbox.url + '/withdrawals', { headers })).json()).success);
  console.log((await (await connectSandbox(sandbox)).merchant()).balance.available);
  await sandbox.close();
  console.log(Object.keys(require.cache).filter((path) => !/app\\.cjs$|[\\\\/]dist[\\\\/]commonjs[\\\\/]/.test(path)));
})();
`;

/**
 * Exact: neither `any`, nor a field that one of both has not, or that only one lets be left out, goes for the other.
 */
const sameTypes = `
import type * as ours from ${JSON.stringify(`${root.replaceAll('\\', '/')}src/sandbox/index.ts`)};
import type * as theirs from 'pixctl/sandbox';
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <_ extends true>() => {};
same<Same<ours.Charge, theirs.Charge>>();
same<Same<ours.Customer, theirs.Customer>>();
same<Same<ours.Withdrawal, theirs.Withdrawal>>();
same<Same<ours.FaultInput, theirs.FaultInput>>();
same<Same<ours.FaultRule, theirs.FaultRule>>();
same<Same<ours.FaultTerms, theirs.FaultTerms>>();
same<Same<ours.Sandbox, theirs.Sandbox>>();
same<Same<ours.SandboxOptions, theirs.SandboxOptions>>();
same<Same<ours.ConnectedSandbox, theirs.ConnectedSandbox>>();
same<Same<ours.ConnectOptions, theirs.ConnectOptions>>();
// @ts-expect-error they are told apart
same<Same<ours.Charge, theirs.Charge & { more?: string }>>();
`;

describe.skipIf(noNpm !== null)(skipped('imported by a program', noNpm), () => {
  it('has the types that it has here, where zod says what a schema reads', async () => {
    const app = inTemporary('app-same');
    cpSync(installed, join(app, 'node_modules/pixctl'), { recursive: true });
    writeFileSync(join(app, 'package.json'), '{"type":"module"}');
    writeFileSync(join(app, 'same.ts'), sameTypes);
    const settings = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { typeRoots: [join(root, 'node_modules/@types')], noUnusedLocals: false },
      include: ['same.ts'],
    };
    writeFileSync(join(app, 'tsconfig.json'), JSON.stringify(settings));
    const { code, stdout } = await execute(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '-p', app],
      app,
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(readdirSync(join(app, 'node_modules/pixctl/dist/types'))).not.toContain('zod');
  }, 60_000);

  it.each([
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ])('has types that need no other package (%s)', async (resolution, module) => {
    const app = inTemporary(`app-${resolution}`);
    cpSync(installed, join(app, 'node_modules/pixctl'), { recursive: true });
    writeFileSync(join(app, 'package.json'), '{"type":"module"}');
    writeFileSync(join(app, 'app.ts'), consumer);
    const { code, stdout } = await execute(
      process.execPath,
      [
        ...[join(root, 'node_modules/typescript/bin/tsc'), '--strict', '--target', 'es2022'],
        ...['--declaration', '--emitDeclarationOnly', '--outDir', 'declared'],
        ...['--module', module, '--moduleResolution', resolution, '--types', '', 'app.ts'],
      ],
      app,
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  it('has types for a CommonJS file too, where TypeScript lets it require no ES module', async () => {
    const app = inTemporary('app-node16');
    cpSync(installed, join(app, 'node_modules/pixctl'), { recursive: true });
    writeFileSync(join(app, 'app.cts'), commonJsConsumer);
    const compiler = [join(root, 'node_modules/typescript/bin/tsc'), '--strict', '--target', 'es2022'];
    const { code, stdout } = await execute(
      process.execPath,
      [...compiler, '--noEmit', '--module', 'node16', '--types', '', 'app.cts'],
      app,
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  it('is CommonJS for require, whole, and loads no ES module later: Jest could not', async () => {
    const app = inTemporary('app-require');
    cpSync(installed, join(app, 'node_modules/pixctl'), { recursive: true });
    writeFileSync(join(app, 'app.cjs'), required);
    const { stdout, stderr } = await execute(process.execPath, ['app.cjs'], app);
    expect({ stdout, stderr: stderr.replace(/.*SQLite is an experimental[\s\S]*/, '') }).toEqual({
      stdout: 'true\ntrue\n700\n[]\n',
      stderr: '',
    });
    const folder = join(app, 'node_modules/pixctl/dist/commonjs');
    const files = [
      'sandbox.js',
      'webhooks.js',
      ...readdirSync(join(folder, 'chunks')).map((it) => `chunks/${it}`),
    ];
    expect(files.filter((file) => /\bimport\(/.test(readFileSync(join(folder, file), 'utf8')))).toEqual([]);
  });

  it('verifies a delivery', async () => {
    const app = inTemporary('app-run');
    cpSync(installed, join(app, 'node_modules/pixctl'), { recursive: true });
    const program = `import { sign, verify } from 'pixctl/webhooks';
      const header = sign({ secret: 's', body: '{}' });
      console.log(verify({ secret: 's', body: '{}', header }).ok, verify({ secret: 's', body: '{ }', header }).reason);`;
    writeFileSync(join(app, 'app.mjs'), program);
    const { stdout } = await execute(process.execPath, ['app.mjs'], app);
    expect(stdout.trim()).toBe('true signature-mismatch');
  });
});
