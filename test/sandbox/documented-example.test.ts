/** The example of docs/testing-with-the-sandbox.md runs as it is printed, against what is built. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { shellQuoted } from '../../src/flags/file-remedies.ts';
import { freePort } from '../support/free-port.ts';
import { programPath } from '../support/run.ts';
import { serve } from './support/over-http.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (page: string) => readFileSync(join(root, 'docs', page), 'utf8');
const canRunThePipeline = ['curl', 'sh'].every(
  (name) => spawnSync(name, name === 'sh' ? ['-c', ':'] : ['--version']).status === 0,
);

it.skipIf(!canRunThePipeline)(
  'the pipeline passes in an empty home, with a documented receiver, and leaves nothing running',
  async () => {
    const built = dirname(dirname(programPath()));
    const home = mkdtempSync(join(tmpdir(), 'pixctl-pipeline-'));
    const [, script = ''] =
      /in any language[\s\S]*?```sh\n([\s\S]*?)```/.exec(read('testing-with-the-sandbox.md')) ?? [];
    const [, receiver = ''] =
      /## node:http[\s\S]*?```js\n([\s\S]*?)```/.exec(read('webhook-receivers.md')) ?? [];
    mkdirSync(join(home, 'node_modules'));
    mkdirSync(join(home, 'bin'));
    symlinkSync(built, join(home, 'node_modules/pixctl'), 'junction');
    writeFileSync(join(home, 'package.json'), '{"type":"module"}');
    writeFileSync(join(home, 'shop.js'), receiver);
    writeFileSync(
      join(home, 'bin/pixctl'),
      `#!/bin/sh\nexec ${shellQuoted(process.execPath)} ${shellQuoted(programPath())} "$@"\n`,
    );
    chmodSync(join(home, 'bin/pixctl'), 0o755);
    const port = String(await freePort());
    const child = spawn('sh', ['-c', script.replaceAll('3000', port)], {
      cwd: home,
      env: {
        PATH: [join(home, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
        HOME: home,
        CI: 'true',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const hasEnded = new Promise((resolve) => child.on('close', resolve));
    let ended = false;
    onTestFinished(() => {
      if (!ended) process.kill(-Number(child.pid), 'SIGTERM');
    });
    let text = '';
    child.stdout.on('data', (chunk) => (text += String(chunk)));
    child.stderr.on('data', (chunk) => (text += String(chunk)));
    // Sandbox and receiver hold these pipes: they close once both have ended, which nobody but the script sees to.
    const code = await hasEnded;
    ended = true;
    expect(text).toContain('received CHARGE_PAID');
    expect(text).toContain('17 passed, 0 failed.');
    expect(code).toBe(0);
  },
);

it.skipIf(spawnSync('python3', ['--version']).status !== 0)(
  'the fixture in Python starts a sandbox and stops it by its stdin',
  () => {
    const [, script = ''] = /```python\n([\s\S]*?)```/.exec(read('testing-with-the-sandbox.md')) ?? [];
    const command = JSON.stringify([process.execPath, programPath()]).slice(1, -1);
    const home = mkdtempSync(join(tmpdir(), 'pixctl-fixture-'));
    const { status, stdout, stderr } = spawnSync('python3', ['-c', script.replace('"pixctl"', command)], {
      env: { PATH: process.env.PATH, HOME: home },
      encoding: 'utf8',
    });
    expect([status, stdout], stderr).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\n$/)]);
  },
);

it('passes in a project that has pixctl and vitest installed', async () => {
  const [, example = ''] = /```js\n([\s\S]*?)```/.exec(read('testing-with-the-sandbox.md')) ?? [];
  const { code, text } = await runVitest('example', { 'shop.test.js': example });
  expect(text).toMatch(/Tests +3 passed \(3\)/);
  expect(code).toBe(0);
});

it('passes with one sandbox for several workers', async () => {
  const names = ['vitest.config.js', 'sandbox.setup.js', 'shop.test.js'];
  const files = Object.fromEntries(
    names.map((name) => {
      const block = new RegExp(`\`\`\`js\\n// ${name}\\n([\\s\\S]*?)\`\`\``);
      return [name, block.exec(read('testing-with-the-sandbox.md'))?.[1] ?? ''];
    }),
  );
  const more = Object.fromEntries(
    [2, 3, 4].map((number) => [`shop-${number}.test.js`, files['shop.test.js'] ?? '']),
  );
  const { code, text } = await runVitest('workers', { ...files, ...more }, 2);
  expect(text).toMatch(/Tests +4 passed \(4\)/);
  expect(code).toBe(0);
});

it('the program that starts a sandbox of its own drives it, and stops it by its stdin', () => {
  const [, script = ''] =
    /a test in `node:test`[\s\S]*?```js\n([\s\S]*?)```/.exec(read('testing-with-the-sandbox.md')) ?? [];
  const project = projectOf('own', {
    'own.js': script.replace("'pixctl', flags", 'process.execPath, [process.argv[2], ...flags]'),
  });
  const { status, stderr } = spawnSync(process.execPath, [join(project, 'own.js'), programPath()], {
    env: { PATH: process.env.PATH, HOME: project },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, 'stdin has ended, so the sandbox stops.\n']);
});

/** Writes a project that has pixctl and vitest installed. Returns its folder. */
function projectOf(name: string, files: Readonly<Record<string, string>>): string {
  const built = dirname(dirname(programPath()));
  const project = join(built, name);
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  symlinkSync(built, join(project, 'node_modules/pixctl'), 'junction');
  symlinkSync(join(root, 'node_modules/vitest'), join(project, 'node_modules/vitest'), 'junction');
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
  return project;
}

async function runVitest(name: string, files: Readonly<Record<string, string>>, workers = 1) {
  const project = projectOf(name, files);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--root', project, '--maxWorkers', String(workers)], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: project, NO_COLOR: '1' },
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    text += String(chunk);
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, text };
}

it('the rehearsed answers of the real service are those that the page describes', async () => {
  const [, rules = ''] =
    /## Rehearsing[\s\S]*?```js\n([\s\S]*?)```/.exec(read('testing-with-the-sandbox.md')) ?? [];
  const sandbox = await serve({ merchant: { available: 50_000 } });
  new Function('sandbox', rules)(sandbox);
  const order = { amount: 10_000, pixKey: '12345678909', pixKeyType: 'CPF' };
  expect((await sandbox.post('/withdrawals', order)).body.data).toMatchObject({ amount: 10_100, fee: 100 });
  expect(sandbox.merchant().balance).toEqual({ available: 39_900, pending: 10_100 });
  const endpoint = { url: 'https://example.com/', events: ['CHARGE_PAID'] };
  expect((await sandbox.post('/webhooks', endpoint)).body.data.secret).toBe('whsec_****1a2b');
  expect(await sandbox.get('/withdrawals')).toMatchObject({ status: 403, body: { message: 'Forbidden' } });
  const moved = await fetch(`${sandbox.url}/transparents/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'PIX', amount: 700 }),
    redirect: 'manual',
  });
  expect([moved.status, moved.headers.get('location')]).toEqual([302, 'https://www.example.com/']);
  expect((await sandbox.get('/transparents/list')).body.data).toEqual([]);
});
