/** Something was done, and stdout does not take what came of it: stderr says that it was done. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { inQuotes } from '../support/platform.ts';
import { startReceiver } from '../support/receiver.ts';
import { cleanEnvironment, emptyHome, programPath, run } from '../support/run.ts';
import { openHurriedBench as openBench, payArgs } from '../support/withdrawal-bench.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ withdrawals: 'immediate', merchant: { available: 100_000 } });
});
afterAll(() => sandbox.close());

const home = emptyHome();
const env = () => ({ PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey });
const printed = async (...args: string[]) =>
  JSON.parse((await run([...args, '-o', 'json'], { home, env: env() })).stdout);
const newCharge = async (): Promise<string> => (await printed('charge', 'create', '-a', '1050')).id;
function batchFile(): string {
  const file = join(emptyHome(), 'pay.csv');
  writeFileSync(file, 'idempotency_key,amount,pix_key,pix_key_type\nb1,1000,bea@example.com,EMAIL\n');
  return file;
}

/** With a stdout that is a full disk. */
async function unread(
  args: readonly string[],
  place: { readonly home: string; readonly env: Record<string, string> } = { home, env: env() },
): Promise<{ code: number | null; stderr: string }> {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [programPath(), ...args], {
    env: cleanEnvironment(place.home, place.env),
    stdio: ['ignore', full, 'pipe'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  closeSync(full);
  return { code, stderr };
}

const incomplete = /^warning: Writing to stdout failed \(ENOSPC\); the output is incomplete\.$/m;

const formats = [
  ['-o', 'table'],
  ['-o', 'json', '-q'],
  ['-o', 'csv'],
];

describe.skipIf(!existsSync('/dev/full'))('a result that cannot be written to a full disk', () => {
  it.each([...formats, ['--wait', '-o', 'ndjson']])(
    'of a refund says that it was made (%s %s)',
    async (...flags) => {
      const id = await newCharge();
      sandbox.pay(id);
      const { code, stderr } = await unread(['charge', 'refund', id, '--yes', ...flags]);
      expect(code).toBe(1);
      expect(stderr).toContain(`The refund of R$ 10,50 (${id}) was made. Its result could not be written.`);
      expect(stderr).toContain(`Do not refund it again: pixctl charge get ${id} shows it.`);
      expect((await printed('charge', 'get', id)).status).toBe('REFUNDED');
    },
  );

  it('of a refund that was made before says only that it is incomplete', async () => {
    const id = await newCharge();
    sandbox.pay(id);
    await run(['charge', 'refund', id, '--yes'], { home, env: env() });
    const { code, stderr } = await unread(['charge', 'refund', id, '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain('Writing to stdout failed');
    expect(stderr).not.toContain('was made');
  });

  it.each(formats)('of an endpoint says where its secret is (%s %s)', async (...flags) => {
    const add = ['webhook', 'add', '--url', 'https://shop.example/hooks', '-e', 'CHARGE_PAID'];
    const { code, stderr } = await unread([...add, ...flags]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /The endpoint (wh_\w+) is registered for https:\/\/shop\.example\/hooks\. Its result(?:.|\n)*Its secret is stored here \(file\): pixctl webhook listen --endpoint \1/,
    );
  });

  it.each([
    {
      method: 'POST',
      says: 'POST /transparents/create was sent and answered with 201. Its result could not',
      code: 1,
    },
    { method: 'PUT', says: 'says NOT_FOUND', code: 88 },
  ])('of api $method distinguishes a success from a refusal', async ({ method, says, code }) => {
    const fields = ['-f', 'method=PIX', '-F', 'amount=1050'];
    const end = await unread(['api', method, '/transparents/create', ...fields]);
    expect(end.stderr).toContain(says);
    expect(end.code).toBe(code);
  });

  it('of a read says only that it is incomplete', async () => {
    const { code, stderr } = await unread(['api', 'GET', '/transparents/list']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^error: Writing to stdout failed/),
    });
  });

  it('of a withdrawal names the key that shows it', async () => {
    const order = ['--amount', '1010', '--to', 'ana@example.com', '-k', 'rent 7', '--yes'];
    const { code, stderr } = await unread(['withdraw', ...order]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Money (moved|is on its way)\. .* Its result could not be written\./);
    expect(stderr).toContain(
      `The ledger has recorded it: pixctl withdrawal status ${inQuotes('rent 7')} shows it again.`,
    );
  });

  it.each([
    ['failed', 83, /No money moved in the end: wd_\w+ is FAILED \(account closed\)\./],
    ['has not ended', 82, /Money is on its way: wd_\w+ is still PENDING after 1 s\./],
    ['is completed', 1, /Writing to stdout failed/],
  ])('of a wait for a withdrawal that %s ends with %i', async (end, expected, words) => {
    await using bench = await openBench({ withdrawals: 'manual' });
    const { withdrawal } = JSON.parse((await bench.pay('w1', 1_000)).stdout);
    if (end === 'failed') bench.sandbox.failWithdrawal(withdrawal.id, 'account closed');
    if (end === 'is completed') bench.sandbox.completeWithdrawal(withdrawal.id);
    const { code, stderr } = await unread(['withdrawal', 'wait', withdrawal.id, '--timeout', '1s'], bench);
    expect(stderr).toMatch(words);
    expect(code).toBe(expected);
    expect(stderr).toContain('Writing to stdout failed (ENOSPC); the output is incomplete.');
  });

  it.each([
    ['has expired', 83, /chg_\w+ is EXPIRED, not PAID\.$/m],
    ['is not paid', 82, /chg_\w+ is still PENDING after 1 s\.$/m],
    ['is paid', 1, /^error: Writing to stdout failed/m],
  ])('of a wait for a charge that %s ends with %i', async (end, expected, words) => {
    const id = await newCharge();
    if (end === 'has expired') sandbox.expire(id);
    if (end === 'is paid') sandbox.pay(id);
    const { code, stderr } = await unread(['charge', 'wait', id, '--timeout', '1s']);
    expect(stderr).toMatch(words);
    expect(code).toBe(expected);
    expect(stderr).toContain('Writing to stdout failed (ENOSPC); the output is incomplete.');
  });

  it('of a charge that a person has to decide about ends with that: 81', async () => {
    await using bench = await openBench();
    bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'after' } : null);
    await bench.run(['charge', 'create', '-a', '1050', '-k', 'c1']);
    bench.proxy.intercept = () => null;
    const { code, stderr } = await unread(['charge', 'resolve', 'c1'], bench);
    expect({ code, stderr }).toEqual({ code: 81, stderr: expect.stringMatching(incomplete) });
  });

  it('of orders that do not agree with their charges ends with that: 83', async () => {
    const orders = join(emptyHome(), 'orders.csv');
    writeFileSync(orders, 'order_id,amount,charge_id\no1,1000,chg_none\n');
    const { code, stderr } = await unread(['reconcile', '--orders', orders]);
    expect({ code, stderr }).toEqual({ code: 83, stderr: expect.stringMatching(incomplete) });
  });

  it('of an audit that finds an unknown outcome ends with that: 81', async () => {
    await using bench = await openBench();
    bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
    await bench.pay('b1', 1_000);
    const { code, stderr } = await unread(['withdrawal', 'audit'], bench);
    expect({ code, stderr }).toEqual({ code: 81, stderr: expect.stringMatching(incomplete) });
  });

  it('of a batch says how many were paid', async () => {
    const { code, stderr } = await unread(['withdrawal', 'batch', batchFile(), '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      '1 of 1 withdrawal completed (R$ 10,00), 0 not reached. Its result could not be written.',
    );
    expect(stderr).toContain('run the same file again');
  });

  it.each([
    ['withdrawal', payArgs('b1', 1_000)],
    ['batch', ['withdrawal', 'batch', batchFile(), '--yes']],
  ])('of a %s whose outcome is unknown ends with that: 81', async (_what, args) => {
    await using bench = await openBench();
    bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
    const { code, stderr } = await unread(args, bench);
    expect(code).toBe(81);
    expect(stderr).toContain('Money may have moved');
    expect(stderr).toContain('warning: Writing to stdout failed (ENOSPC); the output is incomplete.');
  });

  it('of events to an application says how many were sent', async () => {
    const receiver = await startReceiver();
    const env = { PIXCTL_WEBHOOK_SECRET: 'whsec_test_0123456789abcdef' };
    const args = ['webhook', 'trigger', 'CHARGE_PAID', '--times', '3', '-f', receiver.url];
    const { code, stderr } = await unread([...args, '-o', 'ndjson'], { home, env });
    const sent = receiver.received.length;
    await receiver.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`${sent} of 3 events were sent to ${receiver.url}`);
  });

  it('of an event that reached nobody says only that it is incomplete', async () => {
    const env = { PIXCTL_WEBHOOK_SECRET: 'whsec_test_0123456789abcdef' };
    const { code, stderr } = await unread(['webhook', 'trigger', 'CHARGE_PAID', '-f', '1'], { home, env });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^error: Writing to stdout failed/),
    });
  });

  it('of the sandbox says that it did it', async () => {
    const id = await newCharge();
    const { code, stderr } = await unread(['sandbox', 'pay', id]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `The sandbox did what was asked (POST /charges/${id}/pay). Its result could not be written.`,
    );
    expect((await printed('charge', 'get', id)).status).toBe('PAID');
  });
});

describe.skipIf(!existsSync('/dev/full'))(
  'a change on this machine whose result cannot be written to a full disk',
  // One after another: a profile is used and removed once it is there.
  { shuffle: false },
  () => {
    const place = { home: emptyHome(), env: {} };
    const login = ['login', '-p', 'acme', '--base-url', 'http://127.0.0.1:9', '--no-check', '--key-file'];
    const keyFile = join(place.home, 'key');
    writeFileSync(keyFile, 'svc_live_1', { mode: 0o600 });

    it.each([
      [['config', 'set', 'timeZone', 'America/Sao_Paulo'], 'timeZone is now America/Sao_Paulo.'],
      [['policy', 'set', '--max-day', '100,00'], 'The policy was changed.'],
      [['destination', 'add', 'rent', '--key', 'ana@example.com'], 'The destination "rent" is saved.'],
      [['webhook', 'inbox', 'prune', '--older-than', '1d'], 'Removed 0 events received before '],
      [[...login, keyFile], 'The profile acme is stored.'],
      [['profile', 'use', 'acme'], 'Now using acme (http://127.0.0.1:9).'],
      [['profile', 'remove', 'acme', '--yes'], 'Removed the profile acme and its key.'],
    ])('is reported: %j', async (args, done) => {
      const { code, stderr } = await unread([...args, '-o', 'json', '-q'], place);
      expect(code).toBe(1);
      expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error.message).toMatch(done);
      expect(stderr).toContain('Its result could not be written.');
    });
  },
);
