/** `withdrawal ledger`: every key of the ledger, also those that the service knows nothing of. */
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import type { Cents, IdempotencyKey } from '../../../../src/contract/brand.ts';
import { scopeOf } from '../../../../src/ledger/intent.ts';
import { openLedger } from '../../../../src/ledger/open.ts';
import { startSandbox } from '../../../../src/sandbox/index.ts';
import { emptyHome, hurried, run, start } from '../../../support/run.ts';

type Row = Record<string, unknown>;

describe('withdrawal ledger', () => {
  const home = emptyHome();
  let env: Record<string, string>;
  const ledger = (...flags: string[]) => run(['withdrawal', 'ledger', ...flags], { home, env });
  const rows = async (...flags: string[]): Promise<Row[]> => {
    const { code, stdout } = await ledger(...flags, '--json');
    expect(code).toBe(0);
    return JSON.parse(stdout) as Row[];
  };

  beforeAll(async () => {
    await using sandbox = await startSandbox({
      withdrawals: 'immediate',
      merchant: { available: 10_000, withdrawalFee: 7 },
    });
    env = { ...hurried, PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
    const pay = (key: string, cents: string, ...more: string[]) =>
      run(['withdraw', '-a', cents, '-t', 'ana@example.com', '-k', key, '--yes', ...more], { home, env });
    expect((await pay('b-paid', '1000', '--wait')).code).toBe(0);
    expect((await pay('a-refused', '20000')).code).toBe(80);
    expect(
      (await run(['charge', 'create', '-a', '1050', '-k', 'charge', '--no-qr'], { home, env })).code,
    ).toBe(0);
    const bakery = { home, env: { ...env, PIXCTL_MERCHANT: 'bakery' } };
    const order = ['-a', '1500', '-t', 'eva@example.com', '-k', 'b-paid'];
    expect((await run(['withdraw', ...order, '--yes', '--wait'], bakery)).code).toBe(0);
    sandbox.faults.preset('lost-response', { operations: ['createWithdrawal'] });
    expect((await pay('c-found', '2000', '--wait')).code).toBe(0);
    sandbox.faults.preset('lost-request', { operations: ['createWithdrawal'] });
    expect((await pay('d-unknown', '3000')).code).toBe(81);
  });

  it('tells what became of each, in the order of the keys, though the service no longer answers', async () => {
    const whose = { merchant: 'default', baseUrl: env.PIXCTL_BASE_URL };
    expect(await rows()).toEqual([
      {
        ...{ idempotencyKey: 'a-refused', amount: 20_000, pixKey: 'ana@example.com', pixKeyType: 'EMAIL' },
        ...{ state: 'REFUSED', withdrawalId: null, fee: null, moneyMoved: 'no', reason: 'BAD_REQUEST' },
        ...{ inferred: false, plannedAt: time, sentAt: time, updatedAt: time, ...whose },
      },
      {
        ...{ idempotencyKey: 'b-paid', amount: 1_000, pixKey: 'ana@example.com', pixKeyType: 'EMAIL' },
        ...{ state: 'COMPLETED', withdrawalId: id, fee: 7, moneyMoved: 'yes', reason: null },
        ...{ inferred: false, plannedAt: time, sentAt: time, updatedAt: time, ...whose },
      },
      expect.objectContaining({
        idempotencyKey: 'c-found',
        state: 'COMPLETED',
        withdrawalId: id,
        inferred: true,
      }),
      expect.objectContaining({ idempotencyKey: 'd-unknown', state: 'UNKNOWN', moneyMoved: 'maybe' }),
    ]);
  });

  it('needs no API key', async () => {
    const { PIXCTL_API_KEY: _, ...without } = env;
    const found = await run(['withdrawal', 'ledger', '-o', 'csv', '--fields', 'idempotencyKey,amount'], {
      home,
      env: without,
    });
    expect(found).toMatchObject({
      code: 0,
      stdout: 'idempotencyKey,amount\na-refused,20000\nb-paid,1000\nc-found,2000\nd-unknown,3000\n',
    });
  });

  it.each([
    [['--state', 'REFUSED'], ['a-refused']],
    [
      ['--state', 'refused, unknown'],
      ['a-refused', 'd-unknown'],
    ],
    [
      ['--since', '1h'],
      ['a-refused', 'b-paid', 'c-found', 'd-unknown'],
    ],
    [['--until', '2026-01-31'], []],
    [
      ['--state', 'COMPLETED', '--since', '1h'],
      ['b-paid', 'c-found'],
    ],
  ])('shows with %j only those', async (flags, keys) => {
    expect((await rows(...flags)).map((row) => row.idempotencyKey)).toEqual(keys);
  });

  it('adds up what is in each state', async () => {
    expect((await ledger()).stderr).toBe(
      '4 keys: 1 REFUSED (R$ 200,00), 1 UNKNOWN (R$ 30,00), 2 COMPLETED (R$ 30,00). pixctl withdrawal reconcile settles what is unknown.\n',
    );
  });

  it('shows those of other labels only if asked to, and whose they are', async () => {
    const other = { home, env: { ...env, PIXCTL_MERCHANT: 'florist' } };
    expect(await run(['withdrawal', 'ledger', '--json'], other)).toMatchObject({
      code: 0,
      stdout: '[]\n',
      stderr: 'No such key of this merchant label and address; --all-labels looks at all of the ledger.\n',
    });
    const all = await run(['withdrawal', 'ledger', '--all-labels'], other);
    const whose = all.stdout.split('\n').map((line) => line.split('\t').slice(0, 4));
    expect(whose.slice(1, -1)).toEqual([
      ['bakery', env.PIXCTL_BASE_URL, 'b-paid', 'COMPLETED'],
      ['default', env.PIXCTL_BASE_URL, 'a-refused', 'REFUSED'],
      ['default', env.PIXCTL_BASE_URL, 'b-paid', 'COMPLETED'],
      ['default', env.PIXCTL_BASE_URL, 'c-found', 'COMPLETED'],
      ['default', env.PIXCTL_BASE_URL, 'd-unknown', 'UNKNOWN'],
    ]);
    expect(all.stderr).toContain('settles what is unknown, of the merchant and address of its profile.');
  });

  it('shows all of it to whoever has no profile', async () => {
    const { PIXCTL_BASE_URL: _, PIXCTL_API_KEY: __, ...without } = env;
    const args = ['withdrawal', 'ledger', '--json'];
    expect((await run(args, { home, env: without })).code).toBe(78);
    const { code, stdout } = await run([...args, '--all-labels'], { home, env: without });
    expect([code, JSON.parse(stdout).length]).toEqual([0, 5]);
  });

  it.each([
    [['--state', 'PAID'], 64],
    [['--state', 'COMPLETED,'], 64],
    [['--since', 'soon'], 64],
  ])('ends for %j with %i', async (flags, code) => {
    expect((await ledger(...flags)).code).toBe(code);
  });
});

describe('a ledger of many keys', () => {
  const scope = scopeOf({ merchant: 'default', baseUrl: 'http://127.0.0.1:1' });
  const home = emptyHome();
  const env = { PIXCTL_BASE_URL: 'http://127.0.0.1:1', PIXCTL_STATE_DIR: join(home, 'state') };

  beforeAll(async () => {
    mkdirSync(env.PIXCTL_STATE_DIR, { mode: 0o700 });
    const url = join(env.PIXCTL_STATE_DIR, 'ledger.sqlite');
    const ledger = await openLedger({ url, expectedId: null, clock: systemClock });
    for (let at = 0; at < 1_200; at++) {
      const idempotencyKey = `k-${String(at).padStart(4, '0')}` as IdempotencyKey;
      const request = JSON.stringify({ amount: 100, pixKey: 'ana@example.com', pixKeyType: 'EMAIL' });
      await ledger.plan(
        {
          ...{ id: idempotencyKey, kind: 'withdrawal', scope },
          idempotencyKey,
          amount: 100 as Cents,
          request,
        },
        { id: `planned-${at}`, at: 1, what: 'planned' },
      );
    }
    for (const [fence, reason] of ['OWNER_GONE', 'RESOLVED'].entries()) {
      const planned = await ledger.find(scope, `k-000${fence}` as IdempotencyKey);
      if (planned === null) throw new Error('it was not planned');
      const begun = await ledger.markSending(
        planned,
        { owner: { host: 'h', boot: 'b', pid: 7, started: '99' }, at: 2, expectedFence: fence, baseline: [] },
        { id: `sending-${fence}`, at: 2, what: 'sending' },
      );
      if (begun.kind !== 'sending') throw new Error(begun.kind);
      await ledger.record(
        begun.intent,
        { state: 'NOT_SENT', reason },
        { id: `ended-${fence}`, at: 3, what: 'ended' },
      );
    }
    await ledger.close();
  });

  it('has no time of a send for what never left, unless a person alone says so', async () => {
    const { stdout } = await run(['withdrawal', 'ledger', '--json', '--state', 'not-sent'], { home, env });
    const found = (JSON.parse(stdout) as Row[]).map(({ reason, sentAt }) => [reason, sentAt]);
    expect(found).toEqual([
      ['OWNER_GONE', null],
      ['RESOLVED', '1970-01-01T00:00:00.002Z'],
    ]);
  });

  it('tells no sums to whoever stops reading', async () => {
    const whole = await run(['withdrawal', 'ledger', '-o', 'ndjson'], { home, env });
    expect(whole.stdout.split('\n')).toHaveLength(1_201);
    expect(whole.stderr).toContain('1200 keys: ');
    const child = start(['withdrawal', 'ledger', '-o', 'ndjson'], { home, env });
    const told = text(child.stderr);
    const ended = once(child, 'close');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect([(await ended)[0], await told]).toEqual([0, '']);
  });
});

it('keeps who sent, and which listed withdrawals --allow-duplicate let through', async () => {
  await using sandbox = await startSandbox({ withdrawals: 'immediate', merchant: { available: 10_000 } });
  const headers = { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ amount: 1_000, pixKey: 'ana@example.com', pixKeyType: 'EMAIL' });
  const answer = await fetch(`${sandbox.url}/withdrawals`, { method: 'POST', headers, body });
  const { data } = (await answer.json()) as { data: { id: string } };
  const options = {
    home: emptyHome(),
    env: { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey },
  };
  const pay = (key: string, cents: string, ...more: string[]) =>
    run(['withdraw', '-a', cents, '-t', 'ana@example.com', '-k', key, '--yes', ...more], options);
  const sending = async (key: string) => {
    const { stdout } = await run(['withdrawal', 'status', key, '--json'], options);
    const { events } = JSON.parse(stdout) as { events: { what: string; details: Row }[] };
    return events.find(({ what }) => what === 'sending')?.details;
  };
  expect((await pay('twin', '1000')).code).toBe(86);
  expect((await pay('twin', '1000', '--allow-duplicate')).code).toBe(0);
  expect((await pay('other', '1100', '--allow-duplicate')).code).toBe(0);
  const host = expect.stringContaining(hostname());
  expect(await sending('twin')).toMatchObject({ host, allowedDuplicateOf: [data.id] });
  expect(await sending('other')).toMatchObject({ host });
  expect(await sending('other')).not.toHaveProperty('allowedDuplicateOf');
});

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const id = expect.stringMatching(/^wd_/);
