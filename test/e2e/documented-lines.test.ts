/**
 * The command lines of the README and the pages run as they are printed, each page in a home of its own. docs/json.md
 * has a test of its own (test/commands/json-page.test.ts); prose.test.ts checks the words of all.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shellQuoted } from '../../src/flags/file-remedies.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { type Application, startApplication } from '../support/application.ts';
import { listen } from '../support/listen.ts';
import { noShell, skipped } from '../support/platform.ts';
import { cleanEnvironment, emptyHome, hurried, node, programPath, run } from '../support/run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Lines that need a server that stays, one on a fixed port, a key to be typed, or a shell of one's own. */
const elsewhere =
  /^pixctl (?:sandbox (?:start|events --follow)|webhook (?:listen|trigger (?!.* -f ))|login .*https:|logout|completion install)/;

/** How a line ends, if not with 0. */
const ends: Readonly<Record<string, number>> = {
  // Nobody pays it meanwhile.
  'pixctl charge create --amount 10,50 --wait': 82,
  'pixctl charge create --amount 1,00 --wait': 82,
  // Nobody can be asked.
  'pixctl sandbox pay': 64,
  'pixctl charge resolve "order 42" --charge chg_1': 64,
  'pixctl charge resolve "order 42" --not-created': 64,
  'pixctl withdraw --amount 1050,00 --to rent': 64,
  'pixctl withdrawal batch salaries.csv': 64,
  // One of the orders has no charge.
  'pixctl reconcile --orders orders.csv': 83,
  // The application takes whatever comes.
  'pixctl webhook test http://localhost:3000/hooks': 83,
  'pixctl webhook test 3000/webhooks --secret-file secret.txt --junit score.xml': 83,
  // The listener is gone.
  'pixctl sandbox replay evt_...': 83,
};

let sandbox: Sandbox;
let shop: Application;
let other: Application;
/** A home in which the service was used and an event received. */
let used: string;
let world: Uint8Array;
const names = new Map<string, string>();

beforeAll(async () => {
  sandbox = await startSandbox({ merchant: { available: 10_000_000 }, withdrawals: 'immediate' });
  [shop, other] = await Promise.all([startApplication(), startApplication()]);
  used = emptyHome();
  await prepare();
});
afterAll(() => Promise.all([sandbox.close(), shop.close(), other.close()]));

it
  .skipIf(noShell !== null)
  .each([
    'README.md',
    ...['brcode', 'charges', 'configuration', 'output', 'requests', 'sandbox', 'webhook-offline', 'webhooks'],
    ...['sandbox-webhooks-and-faults', 'withdrawals'],
  ])(skipped('every line of %s does what it says', noShell), async (page) => {
  const home = emptyHome();
  cpSync(used, home, { recursive: true });
  // This page makes it.
  if (page === 'webhooks') rmSync(join(home, 'secret.txt'));
  await sandbox.restore(world);
  const unlike: string[] = [];
  const lines = linesOf(page);
  expect(lines).not.toEqual([]);
  for (const line of lines) {
    const { code, stderr } = await atShell(home, line);
    if (code !== (ends[line] ?? 0)) unlike.push(`${line}\n  ended with ${code}: ${stderr.trim()}`);
  }
  expect(unlike).toEqual([]);
});

/** The lines of a page that can run here, without comments; a block whose lines need each other is one. */
function linesOf(page: string): string[] {
  const text = readFileSync(join(root, page === 'README.md' ? page : `docs/${page}.md`), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, code = '']) => {
    const lines = code.replace(/\\\n\s*/g, '').replace(/\s+#.*$/gm, '');
    if (lines.includes('"$id"')) return [lines];
    return lines
      .split('\n')
      .map((line) => line.replace(/^npx /, ''))
      .filter((line) => line.startsWith('pixctl ') && !elsewhere.test(line));
  });
}

async function atShell(home: string, line: string): Promise<{ code: number; stderr: string }> {
  const here = line
    .replace(/\bchg_1(?:23)?\b|<id>|<charge>/g, String(names.get('charge')))
    .replace(/\bevt_(?:123\b|\.\.\.)|<event id>/g, String(names.get('event')))
    .replace('t=...,v1=...', String(names.get('signature')))
    .replaceAll(/\b3000\b/g, String(shop.port))
    .replaceAll(/\b4000\b/g, String(other.port))
    .replace('--timeout 15m', '--timeout 1s');
  const wait = here.includes('--wait') ? ' --timeout 1s' : '';
  const env = cleanEnvironment(home, {
    ...hurried,
    PATH: [join(used, 'bin'), process.env.PATH].join(delimiter),
    ...(line.startsWith('pixctl sandbox')
      ? { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey }
      : {}),
  });
  const child = spawn('sh', ['-c', here + wait], { cwd: home, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const [code] = await once(child, 'close');
  return { code, stderr };
}

/** Makes what the lines name: `pixctl` on the path, a profile, a paid charge with its event, and files. */
async function prepare(): Promise<void> {
  const file = (name: string, text: string) => writeFileSync(join(used, name), text, { mode: 0o600 });
  mkdirSync(join(used, 'bin'));
  file('bin/pixctl', `#!/bin/sh\nexec ${shellQuoted(node)} ${shellQuoted(programPath())} "$@"\n`);
  chmodSync(join(used, 'bin/pixctl'), 0o755);
  const pixctl = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args, { home: used });
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  };
  for (const profile of ['acme', 'sandbox'])
    await run(['login', '--profile', profile, '--base-url', sandbox.url, '--key-stdin'], {
      home: used,
      input: sandbox.apiKey,
    });
  const listener = await listen(used, [
    '-f',
    String(shop.port),
    '-f',
    `${other.port}/hooks`,
    '--port',
    '0',
    '--register',
  ]);
  const charge = JSON.parse(await pixctl('charge', 'create', '--amount', '10,50', '-o', 'json'));
  sandbox.pay(charge.id);
  const { id } = await listener.line(({ type }) => type === 'event');
  await Promise.all([shop.until(1), other.until(1)]);
  await listener.stop();
  names.set('charge', charge.id).set('event', String(id));
  await pixctl('charge', 'qr', charge.id, '--png', join(used, 'qr.png'));
  const rent = ['--amount', '1050,00', '--to', 'owner@example.com', '--idempotency-key', 'rent-2026-03'];
  await pixctl('withdraw', ...rent, '--yes', '--wait');
  file('key.txt', sandbox.apiKey);
  file('code.txt', charge.brCode);
  file('orders.csv', `order_id,amount,charge_id\n42,1050,${charge.id}\n43,700,chg_0\n`);
  file('endpoint.json', JSON.stringify({ url: shop.url, events: ['CHARGE_PAID'] }));
  file('data.json', '{"id":"new_1"}');
  file('secret.txt', 'whsec_try');
  file('body.json', '{"id":"evt_1"}');
  const head = 'idempotency_key,amount,pix_key,pix_key_type\n';
  file('march.csv', `${head}invoice-17,"250,00",supplier@example.com,EMAIL\n`);
  file('salaries.csv', `${head}salary-2026-03-001,"3.500,00",ana@example.com,EMAIL\n`);
  const payload = ['--secret-file', join(used, 'secret.txt'), '--payload-file', join(used, 'body.json')];
  names.set('signature', (await pixctl('webhook', 'sign', ...payload)).trim());
  world = sandbox.snapshot();
}
