/** What a command loads, not how long it takes: heavy modules stay out of the paths that do not need them. */
import { type ChildProcess, execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startService } from '../../bench/service.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { version } from '../../src/version.ts';
import { noSignals, skipped } from '../support/platform.ts';
import { cleanEnvironment, emptyHome, node, programPath, run } from '../support/run.ts';

/** Told by a preloaded file: every file of ours that was loaded, and every module of Node's, whoever asked. */
const listing = `
const before = new Set(process.moduleLoadList);
const vm = require('node:vm');
const ours = [];
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    ours.push(options.filename);
  }
};
process.on('exit', () => {
  const ofNode = process.moduleLoadList.filter((it) => !before.has(it) && it.startsWith('NativeModule '));
  const loaded = [...Object.keys(require.cache), ...ours, ...ofNode.map((it) => it.replace('NativeModule ', 'node:'))];
  require('node:fs').writeFileSync(process.env.LOADED_LIST, loaded.join('\\n'));
});
`;

/** By which file of ours or of a library each heavy thing is known. */
const heavy: Readonly<Record<string, RegExp>> = {
  undici: /node_modules\/undici\//,
  zod: /node_modules\/zod\//,
  hono: /node_modules\/@?hono\//,
  inquirer: /node_modules\/@inquirer\//,
  'cli-table3': /node_modules\/cli-table3\//,
  csv: /node_modules\/csv-/,
  conf: /node_modules\/conf\//,
  qr: /node_modules\/qr|^src\/qr\//,
  milo: /undici\/lib\/milo\//,
  'HTTP/2': /client-h2/,
  ledger: /^src\/ledger\//,
  sandbox: /^src\/sandbox\//,
  jq: /^src\/terminal\/(jq|encoding\/filtered)/,
  assumptions: /^src\/contract\/assumptions(\.ts$|\/)/,
};

async function loadedBy(
  args: readonly string[],
  env: Record<string, string> = {},
  meanwhile: (child: ChildProcess) => void = () => {},
): Promise<{ files: number; modules: string[]; heavy: string[] }> {
  const home = emptyHome();
  const preload = join(home, 'listing.cjs');
  const list = join(home, 'loaded');
  writeFileSync(preload, listing);
  await new Promise<void>((resolve) => {
    const child = execFile(
      process.execPath,
      ['-r', preload, programPath(), ...args],
      { env: { ...cleanEnvironment(home, env), LOADED_LIST: list } },
      () => resolve(),
    );
    meanwhile(child);
  });
  const loaded = readFileSync(list, 'utf8').split('\n');
  const files = loaded.filter((id) => id.startsWith(join(root, 'dist')));
  const chunks = JSON.parse(readFileSync(join(root, 'chunks.json'), 'utf8')) as Record<string, string[]>;
  const modules = files.flatMap(
    (file) => chunks[relative(join(root, 'dist'), file).replaceAll('\\', '/')] ?? [],
  );
  const found = Object.keys(heavy).filter((name) => modules.some((id) => heavy[name]?.test(id)));
  return {
    files: files.length,
    modules,
    heavy: [...found, ...loaded.filter((id) => heavyBuiltins.includes(id))].sort(),
  };
}

const root = join(dirname(programPath()), '..');
/** `node:stream` is what `process.stdout` needs, `node:net` what it needs for a pipe. */
const heavyBuiltins = [
  ...['node:sqlite', 'node:http', 'node:http2', 'node:https', 'node:child_process', 'node:tls', 'node:dns'],
  ...[
    'node:assert',
    'node:crypto',
    'node:net',
    'node:stream',
    'node:tty',
    'node:readline',
    'node:fs/promises',
  ],
];

/** On Windows a pipe is always written by Node's stream. */
const isWrittenByNode = process.platform === 'win32';

const whoDecides =
  'Is it imported where it is needed (await import), and are its modules in the right one of the groups of scripts/build.ts?';

/** Schemas, and what a sandbox can be set to, come with the words that flags are compared with. */
const lookedAt = ['zod', 'sandbox'];
const acting =
  /^src\/(sandbox\/(?!world\/(settings|limits)|control\/re(quest|fused)|faults\/(effects|limits|presets))|ledger\/|listener\/(receiving\/server|listen|posting\/post)\.ts|qr\/|withdrawal\/withdraw)/;

/**
 * What a sandbox has loaded from its start to its end, with one list of charges asked for. A client that says nothing
 * for 50 ms becomes a socket of Node's, which on a busy machine is the doing of neither: then another sandbox is asked.
 */
async function loadedBySandbox(...flags: string[]): Promise<{ files: number; heavy: string[] }> {
  for (let tries = 1; ; tries++) {
    const loaded = await loadedBy(['sandbox', 'start', '-o', 'json', ...flags], {}, askOnce);
    if (!loaded.heavy.includes('node:net') || tries === 20) return loaded;
  }
}

function askOnce(child: ChildProcess): void {
  child.stdout?.once('data', (told) => {
    const { url, apiKey } = JSON.parse(String(told)) as { url: string; apiKey: string };
    // Without an agent the connection is closed: one that is kept becomes a socket of Node's once it is answered.
    const options = { agent: false, headers: { authorization: `Bearer ${apiKey}` } } as const;
    get(`${url}/transparents/list?limit=20`, options, (answer) => {
      if (answer.resume().statusCode === 200) child.kill('SIGTERM');
    });
  });
}

/** A program that connects to a sandbox, asks it something, and tells what that has loaded. */
const connects = `
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
const ours = [];
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) ours.push(fileURLToPath(url));
    return next(url, context);
  },
});
const before = new Set(process.moduleLoadList);
const { connectSandbox } = await import(process.argv[2]);
await using sandbox = await connectSandbox(JSON.parse(process.argv[3]));
await sandbox.merchant();
await sandbox.clock.advance('1h');
await sandbox.waitForEvent('CHARGE_PAID', 0).catch(() => {});
const ofNode = process.moduleLoadList.filter((it) => !before.has(it) && it.startsWith('NativeModule '));
console.log(JSON.stringify({ ours, ofNode: ofNode.map((it) => it.replace('NativeModule ', 'node:')) }));
`;

async function loadedByClient(): Promise<{ modules: string[]; ofNode: string[] }> {
  const home = emptyHome();
  const program = join(home, 'connects.mjs');
  writeFileSync(program, connects);
  await using sandbox = await startSandbox();
  const address = pathToFileURL(join(root, 'dist/sandbox.js')).href;
  const { url, apiKey } = sandbox;
  const { stdout } = await promisify(execFile)(node, [program, address, JSON.stringify({ url, apiKey })]);
  const { ours, ofNode } = JSON.parse(stdout) as { ours: string[]; ofNode: string[] };
  const chunks = JSON.parse(readFileSync(join(root, 'chunks.json'), 'utf8')) as Record<string, string[]>;
  const modules = ours.flatMap(
    (file) => chunks[relative(join(root, 'dist'), file).replaceAll('\\', '/')] ?? [],
  );
  return { modules, ofNode };
}

describe('what is loaded', () => {
  it('is looked for by names that the bundle has, but for what the bundle leaves out', () => {
    const chunks = JSON.parse(readFileSync(join(root, 'chunks.json'), 'utf8')) as Record<string, string[]>;
    const bundled = Object.values(chunks).flat();
    const unknown = Object.keys(heavy).filter((name) => !bundled.some((id) => heavy[name]?.test(id)));
    expect(unknown).toEqual(['milo', 'HTTP/2']);
  });

  it('for --version: nothing of the program, and it is the same version', async () => {
    expect(await loadedBy(['--version'])).toEqual({ files: 0, modules: [], heavy: [] });
    expect((await run(['--version'])).stdout).toBe(`${version}\n`);
    expect((await run(['--version', '--json'])).stdout).toBe(`${version}\n`);
  });

  it.each([
    ['--help', []],
    ['charge --help', []],
    // More than a pipe takes without waiting, so Node's stream writes it.
    ['webhook listen --help', ['node:net', 'node:stream']],
    ['charge get --nonsense', []],
    ['nonsense', []],
    ['help exit-codes -o json', []],
    ['config path', []],
  ])('for "%s": nothing heavy', async (line, more) => {
    const loaded = await loadedBy(line.split(' '));
    expect(loaded.heavy, whoDecides).toEqual(isWrittenByNode ? ['node:net', 'node:stream'] : more);
    expect(loaded.modules).toContain('src/main.ts');
  });

  // What is given is judged before what would act on it is loaded.
  it.each([
    'charge list --limit 0',
    'charge create --amount 1,5',
    'withdraw --amount 10,00 --type CPF --to 1 --idempotency-key k --yes',
    'webhook listen --port abc',
    'webhook trigger NOPE',
    'sandbox clock advance 400d',
    'sandbox fault add --effect html --location é',
    'sandbox start --port 99999',
  ])('for "%s", which is refused: nothing heavy', async (line) => {
    const { heavy, modules } = await loadedBy(line.split(' '));
    expect(
      heavy.filter((it) => !lookedAt.includes(it)),
      whoDecides,
    ).toEqual(isWrittenByNode ? ['node:net', 'node:stream'] : []);
    expect(modules.filter((it) => acting.test(it))).toEqual([]);
  });

  it.each([
    ['--help', 1],
    ['charge get --nonsense', 2],
    ['charge get chg_1 -o json', 7],
    ['charge list --limit 20 -o json', 8],
  ])(
    'for "%s": %i files of ours, because each one costs as much as compiling a hundred lines',
    async (line, most) => {
      const service = await startService(30);
      try {
        const env = { PIXCTL_BASE_URL: service.url, PIXCTL_API_KEY: 'svc_sandbox_test' };
        expect((await loadedBy(line.split(' '), env)).files, whoDecides).toBeLessThanOrEqual(most);
      } finally {
        await service.close();
      }
    },
  );

  it.skipIf(noSignals !== null)(
    skipped(
      'for "sandbox start": one file for the sandbox, no sockets of Node\'s, no digests and no schemas',
      noSignals,
    ),
    async () => {
      // Its end loads the streams.
      const ofNode = ['node:sqlite', 'node:stream'];
      const ours = ['assumptions', 'qr', 'sandbox'];
      expect(await loadedBySandbox('--no-profile')).toMatchObject({
        files: 5,
        heavy: [...ours, ...ofNode].sort(),
      });
      expect(await loadedBySandbox()).toMatchObject({
        files: 7,
        heavy: [...ours, ...ofNode, 'conf'].sort(),
      });
    },
  );

  it('for a test that connects to a sandbox elsewhere: nothing of the service, no database and no schemas', async () => {
    const { modules, ofNode } = await loadedByClient();
    expect(modules).toContain('src/sandbox/connect-sandbox.ts');
    const found = Object.keys(heavy).filter((name) => modules.some((id) => heavy[name]?.test(id)));
    expect(found).toEqual(['sandbox']);
    const ofService =
      /^src\/(sandbox\/(start-sandbox|assembly|listen|world\/world|store\/|wire\/|jobs\/)|database\/|plain\/)/;
    expect(modules.filter((id) => ofService.test(id))).toEqual([]);
    expect(ofNode).toContain('node:http');
    expect(ofNode.filter((id) => ['node:sqlite', 'node:crypto', 'node:tls'].includes(id))).toEqual([]);
  });

  it('is ASCII: one letter beyond it makes V8 hold a file in two bytes a letter', () => {
    const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
    const wide = files
      // Behind a proxy only, the whole of undici has a note with one.
      .filter((name) => name.endsWith('.cjs') && !name.includes('undici-'))
      .filter((name) => readFileSync(join(root, 'dist', name)).some((byte) => byte > 0x7f));
    expect(files.length).toBeGreaterThan(20);
    expect(wide).toEqual([]);
  });

  it('for a withdrawal: the ledger, and no thread for the log of an inbox', async () => {
    const service = await startService(1);
    try {
      const env = { PIXCTL_BASE_URL: service.url, PIXCTL_API_KEY: 'svc_sandbox_test' };
      const line = 'withdraw --amount 10,00 --type CPF --to 52998224725 --idempotency-key k --yes';
      const { modules } = await loadedBy(line.split(' '), env);
      expect(modules).toContain('src/database/sqlite/open.ts');
      expect(modules.filter((it) => /sqlite\/(shared-flush|checkpointer)/.test(it))).toEqual([]);
    } finally {
      await service.close();
    }
  });

  it.each([
    ['charge get chg_1 -o json', ['zod']],
    ['charge get chg_1', ['zod']],
    ['charge list --limit 20 -o json', ['zod']],
    ['charge list --limit 20 -o ndjson', ['zod']],
    ['charge list --limit 20 -o csv', ['csv', 'zod']],
    ['charge list --limit 20 -o ndjson --jq .id', ['jq', 'zod']],
    // It has none, and a refusal is read without schemas.
    ['customer get cust_1 -o json', []],
  ])('for "%s": the client, and what writes the answer', async (line, more) => {
    const service = await startService(30);
    try {
      const env = { PIXCTL_BASE_URL: service.url, PIXCTL_API_KEY: 'svc_sandbox_test' };
      const loaded = await loadedBy(line.split(' '), env);
      expect(loaded.heavy).toEqual([...more, 'node:net', 'node:stream', 'undici'].sort());
    } finally {
      await service.close();
    }
  });
});
