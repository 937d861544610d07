/** `withdrawal ledger`: every key of the ledger, also those that the service knows nothing of. */
import { hostname } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../../../src/sandbox/index.ts';
import { emptyHome, hurried, run } from '../../../support/run.ts';

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
    const other = { home, env: { ...env, PIXCTL_MERCHANT: 'bakery' } };
    expect(await run(['withdrawal', 'ledger', '--json'], other)).toMatchObject({
      code: 0,
      stdout: '[]\n',
      stderr: 'No such key of this merchant label and address; --all-labels looks at all of the ledger.\n',
    });
    const all = ['withdrawal', 'ledger', '--all-labels', '--state', 'COMPLETED'];
    const [, first] = (await run(all, other)).stdout.split('\n');
    expect(first).toMatch(new RegExp(`^default\t${env.PIXCTL_BASE_URL}\tb-paid\tCOMPLETED\t`));
  });

  it.each([
    [['--state', 'PAID'], 64],
    [['--state', 'COMPLETED,'], 64],
    [['--since', 'soon'], 64],
  ])('ends for %j with %i', async (flags, code) => {
    expect((await ledger(...flags)).code).toBe(code);
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
