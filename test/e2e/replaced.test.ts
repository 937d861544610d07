/** A program that is replaced while it runs goes on as what it was, or says that it cannot before anything is sent. */
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { type ChaosProxy, startChaosProxy } from '../support/chaos-proxy.ts';
import { converse } from '../support/converse.ts';
import { deliver, eventBody } from '../support/delivery.ts';
import { homeWithSecret, listen } from '../support/listen.ts';
import { noPty, noSignals, skipped } from '../support/platform.ts';
import { startReceiver } from '../support/receiver.ts';
import { emptyHome, type Finished, programPath, run, start } from '../support/run.ts';

let sandbox: Sandbox;
let proxy: ChaosProxy;
let installed: string;
let home: string;
beforeAll(async () => {
  sandbox = await startSandbox({ withdrawals: 'immediate', merchant: { available: 1_000_000 } });
  proxy = await startChaosProxy(sandbox.url);
});
afterAll(async () => {
  await proxy.close();
  await sandbox.close();
});
const built = programPath();
beforeEach(() => {
  home = emptyHome();
  installed = mkdtempSync(join(tmpdir(), 'pixctl-installed-'));
  cpSync(join(dirname(built), '..'), installed, { recursive: true });
  process.env.PIXCTL_TEST_BIN = join(installed, 'bin/pixctl.js');
});
afterEach(() => {
  process.env.PIXCTL_TEST_BIN = built;
});

/** As an installer does it: the old files are gone at once. */
function replace(): void {
  const dist = join(installed, 'dist');
  if (existsSync(dist)) renameSync(dist, join(installed, 'gone'));
}

const service = (): Record<string, string> => ({
  PIXCTL_BASE_URL: proxy.url,
  PIXCTL_API_KEY: sandbox.apiKey,
  PIXCTL_MERCHANT: 'acme',
});

/** Replaced at the first request that may change something. */
async function replacedAtItsSend(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Finished> {
  proxy.intercept = (seen) => {
    if (seen.method === 'POST') replace();
    return null;
  };
  const done = await run(args, { home, env: { ...service(), ...env } });
  expect(existsSync(join(installed, 'dist'))).toBe(false);
  return done;
}

async function pendingCharge(): Promise<string> {
  const response = await fetch(`${sandbox.url}/transparents/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'PIX', amount: 5000 }),
  });
  const { data } = (await response.json()) as { data: { id: string } };
  return data.id;
}

async function paidCharge(): Promise<string> {
  const id = await pendingCharge();
  sandbox.pay(id);
  return id;
}

describe('a program that is replaced when it sends', () => {
  it.each([
    ['with compiled code that is kept', {}],
    ['without', { NODE_DISABLE_COMPILE_CACHE: '1' }],
  ])('tells of the charge that it created, %s', async (_, env: Record<string, string>) => {
    const done = await replacedAtItsSend(['charge', 'create', '--amount', '1050', '-o', 'json'], env);
    expect(done.code, done.stderr).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({ amount: 1050, status: 'PENDING' });
  });

  it('filters what it shows with the jq that it began with', async () => {
    const done = await replacedAtItsSend([
      'charge',
      'create',
      '--amount',
      '1050',
      '--jq',
      '.amount, .status',
    ]);
    expect(done).toMatchObject({ code: 0, stdout: '1050\nPENDING\n' });
  });

  it('gives the secret of an endpoint, which the service shows only once', async () => {
    const address = ['--url', 'http://127.0.0.1:4999/hooks', '--events', 'CHARGE_PAID'];
    const done = await replacedAtItsSend(['webhook', 'add', ...address, '-o', 'json']);
    expect(done.code, done.stderr).toBe(0);
    expect(JSON.parse(done.stdout).secret).toMatch(/^\S{16,}$/);
  });

  it('follows a refund to its end, in a format of which nothing was loaded', async () => {
    const done = await replacedAtItsSend([
      ...['charge', 'refund', await paidCharge()],
      ...['--yes', '--wait', '-o', 'csv'],
    ]);
    expect(done.code, done.stderr).toBe(0);
    expect(done.stdout).toContain('REFUNDED');
  });

  it('pays the other lines of a batch', async () => {
    const file = join(home, 'salaries.csv');
    writeFileSync(
      file,
      'idempotency_key,amount,pix_key,pix_key_type\none,2000,a@example.com,EMAIL\ntwo,2001,b@example.com,EMAIL\n',
    );
    const done = await replacedAtItsSend(['withdrawal', 'batch', file, '--yes', '-o', 'csv']);
    expect(done.code, done.stderr).toBe(0);
    expect(readFileSync(join(home, 'salaries.result.csv'), 'utf8').match(/COMPLETED/g)).toHaveLength(2);
  });
});

describe('a program that is replaced before it sends', () => {
  it('sends nothing, says why, and may be run again', async () => {
    // What it loads first is still there, as for a run that began before.
    renameSync(join(installed, 'dist/chunks'), join(installed, 'gone'));
    const order = ['--amount', '2000', '--to', 'owner@example.com', '--idempotency-key', 'early', '--yes'];
    const before = proxy.seen.length;
    const done = await run(['withdraw', ...order, '-o', 'json'], { home, env: service() });
    expect(done.code, done.stderr).toBe(75);
    expect(JSON.parse(done.stderr).error).toMatchObject({
      code: 'REPLACED',
      message: expect.stringContaining('Nothing was sent to the service.'),
    });
    expect(proxy.seen).toHaveLength(before);
  });

  it.each([
    ['charge list', 'pool', /^pool-.*\.cjs$/],
    ['charge list', "pool's parser", /\.wasm$/],
    ['withdrawal audit', "pool's parser", /\.wasm$/],
    ['charge list --jq .', 'jq', /^jq\.wasm$/],
    ['charge create --amount 1050 --jq .id', "jq's program", /^jq\.js$/],
  ])('does not say that the service cannot be reached: %s without the %s', async (command, _, part) => {
    const chunks = join(installed, 'dist/chunks');
    for (const name of readdirSync(chunks)) if (part.test(name)) rmSync(join(chunks, name));
    const done = await run([...command.split(' '), '-o', 'json'], { home, env: service() });
    expect([done.code, JSON.parse(done.stderr).error.code], done.stderr).toEqual([75, 'REPLACED']);
  });

  // What reads the answer to a charge, what writes the settings, and what shows: an installer without room left them
  // out.
  it.each<[string, RegExp, readonly string[]]>([
    ['charge', /^zod-/, ['charge', 'create', '--amount', '1050']],
    ['withdrawal', /^zod-/, ['withdraw', '--amount', '2000', '--to', 'a@example.com', '--yes']],
    ['withdrawal', /^source-/, ['withdraw', '--amount', '2000', '--to', 'a@example.com', '--yes']],
    ['charge', /^read-png-/, ['charge', 'create', '--amount', '1050']],
  ])('sends no %s without %s, whether that is gone or cut short', async (_, part, args) => {
    const chunks = join(installed, 'dist/chunks');
    const [name = ''] = readdirSync(chunks).filter((file) => part.test(file) && file.endsWith('.cjs'));
    const file = join(chunks, name);
    const spoils = [() => writeFileSync(file, readFileSync(file).subarray(0, 500)), () => rmSync(file)];
    const before = proxy.seen.filter(({ method }) => method === 'POST').length;
    for (const [at, spoil] of spoils.entries()) {
      spoil();
      const key = args[0] === 'withdraw' ? ['--idempotency-key', `whole-${part.source}-${at}`] : [];
      const done = await run([...args, ...key, '-o', 'json'], { home, env: service() });
      expect([done.code, JSON.parse(done.stderr.trim().split('\n').at(-1) ?? '').error.code]).toEqual([
        75,
        'REPLACED',
      ]);
    }
    expect(proxy.seen.filter(({ method }) => method === 'POST')).toHaveLength(before);
  });

  it('ends a batch with 75, its result written, and pays it when it is whole again', async () => {
    const chunks = join(installed, 'dist/chunks');
    const part = join(chunks, readdirSync(chunks).find((name) => /^yocto-spinner-.*\.cjs$/.test(name)) ?? '');
    const whole = readFileSync(part);
    writeFileSync(part, whole.subarray(0, 500));
    const file = join(home, 'rent.csv');
    writeFileSync(file, 'idempotency_key,amount,pix_key,pix_key_type\nrent,2500,a@example.com,EMAIL\n');
    const pay = () => run(['withdrawal', 'batch', file, '--yes', '-o', 'json'], { home, env: service() });
    const done = await pay();
    expect([done.code, JSON.parse(done.stdout).exitCode], done.stderr).toEqual([75, 75]);
    expect(JSON.parse(done.stderr.trim().split('\n').at(-1) ?? '').error.code).toBe('REPLACED');
    expect(readFileSync(join(home, 'rent.result.csv'), 'utf8')).toContain('rent,NOT_SENT');
    writeFileSync(part, whole);
    expect((await pay()).code).toBe(0);
  });

  it.skipIf(noPty !== null)(
    skipped('waits for a payment without the part that shows that it waits', noPty),
    async () => {
      const chunks = join(installed, 'dist/chunks');
      for (const name of readdirSync(chunks)) if (/^yocto-spinner-/.test(name)) rmSync(join(chunks, name));
      const wait = ['charge', 'wait', await pendingCharge(), '--timeout', '1s'];
      const { code, screen } = await converse(wait, [], { home, env: service() });
      expect(screen).toContain('is still PENDING after 1 s.');
      expect(code).toBe(82);
    },
  );

  it.each(['', '(function (exports'])('does not begin while it is written: %j', async (text) => {
    writeFileSync(join(installed, 'dist/main.cjs'), text);
    const { code, stderr } = await run(['whoami'], { home });
    expect([code, stderr]).toEqual([
      75,
      'pixctl is being installed, or its installation is incomplete. Nothing was done.\n',
    ]);
  });

  it('does not begin where it cannot be read', async () => {
    rmSync(join(installed, 'dist/main.cjs'));
    mkdirSync(join(installed, 'dist/main.cjs'));
    const { code, stderr } = await run(['whoami'], { home });
    expect([code, stderr]).toEqual([
      75,
      'The installation of pixctl cannot be read (EISDIR). Nothing was done.\n',
    ]);
  });

  it('does not begin where it is gone at the start', async () => {
    replace();
    const { code, stderr } = await run(['whoami'], { home });
    expect([code, stderr]).toEqual([
      75,
      'pixctl is being installed, or its installation is incomplete. Nothing was done.\n',
    ]);
  });
});

describe('what serves', () => {
  it('goes on: a sandbox with its control, its page and what the service documents', async () => {
    const child = start(['sandbox', 'start', '-o', 'json', '--no-profile'], { home });
    try {
      const [line] = await once(createInterface({ input: child.stdout }), 'line');
      const { url, apiKey, uiUrl } = JSON.parse(String(line)) as Record<'url' | 'apiKey' | 'uiUrl', string>;
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      const get = async (path: string) => (await fetch(url + path, { headers })).status;
      // It holds its program before it answers whoever has read its line.
      expect(await get('/health')).toBeGreaterThan(0);
      replace();
      const post = async (path: string, body: object) =>
        (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
      expect(await post('/transparents/create', { method: 'PIX', amount: 1050 })).toBe(201);
      expect(await get('/__sandbox/charges')).toBe(200);
      expect(await get('/__sandbox/openapi.json')).toBe(200);
      expect((await fetch(uiUrl, { redirect: 'manual' })).status).toBeLessThan(400);
    } finally {
      child.kill('SIGINT');
      await once(child, 'close');
    }
  });

  it.skipIf(noSignals !== null)(
    skipped('goes on: a listener with a genuine delivery, a forged one, its page and its end', noSignals),
    async () => {
      const application = await startReceiver();
      const own = homeWithSecret();
      const flags = ['--port', '0', '--secret-file', join(own, 'secret'), '-f', application.url, '--ui'];
      const listener = await listen(own, flags);
      try {
        replace();
        expect((await deliver(listener.url, eventBody('evt_1'))).status).toBe(200);
        expect(await listener.line(({ type }) => type === 'event')).toMatchObject({ state: 'DELIVERED' });
        const forged = { 'Service-Signature': 't=1,v1=00' };
        expect((await deliver(listener.url, eventBody('evt_2'), forged)).status).toBe(400);
        expect((await fetch(String(listener.ready.uiUrl), { redirect: 'manual' })).status).toBeLessThan(400);
        expect(await listener.stop('SIGINT'), listener.stderr()).toBe(130);
        expect(listener.stderr()).not.toContain('error:');
      } finally {
        await listener.stop('SIGKILL');
        await application.close();
      }
    },
  );
});
