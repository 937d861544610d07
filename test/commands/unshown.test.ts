/** What the document does not show may come otherwise: it must hide no record, and make no accepted payment unknown. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deliveryView } from '../../src/commands/webhook/endpoints/delivery-view.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { hostileServer, json, someCharge, success } from '../support/hostile-server.ts';
import { emptyHome, hurried, run } from '../support/run.ts';

const page = { hasMore: false, next: null, before: null };
const envOf = (url: string) => ({
  ...hurried,
  PIXCTL_BASE_URL: url,
  PIXCTL_API_KEY: 'svc_test_key',
  PIXCTL_MERCHANT: 'm',
});

/** Runs against a service that answers everything with `data`. */
async function answered(data: unknown, args: readonly string[], pagination: unknown = page) {
  await using server = await hostileServer((response) =>
    json(response, 200, { ...success(data), ...(Array.isArray(data) ? { pagination } : {}) }),
  );
  return await run(args, { env: envOf(server.url) });
}

const { brCode: _code, imageBase64: _image, txid: _txid, createdAt: _at, ...bare } = someCharge;

describe('a charge', () => {
  it.each([{}, { brCode: null, imageBase64: null, createdAt: null }])('is listed with %o', async (shown) => {
    const { code, stdout } = await answered(
      [{ ...bare, ...shown }, someCharge],
      ['charge', 'list', '--all', '-o', 'csv', '--fields', 'id,createdAt'],
    );
    expect(stdout).toBe(`id,createdAt\nchg_1,${''}\n`);
    expect(code).toBe(0);
  });

  it('that shows no code is read, and nobody is told to pay it, nor given nothing for its code', async () => {
    const { code, stdout, stderr } = await answered(bare, ['charge', 'qr', 'chg_1']);
    expect(stdout).toBe('');
    expect(stderr).toContain('the service shows no copy-and-paste code of it');
    expect(stderr).toContain('What it shows: pixctl charge get chg_1 -o json');
    expect(code).toBe(1);
    for (const imageBase64 of [undefined, 'data:image/png;base64,AAAA'])
      for (const flags of [[], ['-o', 'json']]) {
        const args = ['charge', 'qr', 'chg_1', '--png', join(emptyHome(), 'qr.png'), ...flags];
        const piece = await answered({ ...someCharge, imageBase64 }, args);
        expect(piece.stderr).toContain('The service shows no picture of chg_1.');
        expect(piece.code).toBe(1);
      }
    for (const args of [
      ['charge', 'get', 'chg_1'],
      ['charge', 'qr', 'chg_1', '-o', 'json'],
    ])
      expect((await answered(bare, args)).code).toBe(0);
  });

  it('that tells no txid is not called missing', async () => {
    const { code, stderr } = await runOrders('order_id,amount,txid\nA,1050,tx1\n');
    expect(stderr).toContain('lists charges without a txid');
    expect(code).toBe(1);
    expect((await runOrders('order_id,amount,charge_id\nA,1050,chg_1\n')).stdout).toContain('UNPAID');
  });

  async function runOrders(input: string) {
    await using server = await hostileServer((response) =>
      json(response, 200, { ...success([bare]), pagination: page }),
    );
    return await run(['reconcile', '--orders', '-'], { env: envOf(server.url), input });
  }
});

it('a customer that was never changed is shown', async () => {
  const customer = { id: 'cust_1', name: 'Ana', createdAt: null, updatedAt: null };
  expect((await answered(customer, ['customer', 'get', 'cust_1'])).code).toBe(0);
});

describe('a withdrawal', () => {
  const order = { amount: 500, pixKey: 'ana@example.com', pixKeyType: 'EMAIL' };
  const pay = ['withdraw', '--amount', '500', '--to', order.pixKey, '--type', 'EMAIL', '--yes'];

  /** A service that lists what it accepted, each record as `dress` makes it; `id` as it is on the wire. */
  const service = (dress: (one: object) => object, id = '"wd_1"') => {
    const made: object[] = [];
    return hostileServer((response, { method }) => {
      const one = dress({ id: '@', ...order, fee: 100, status: 'PENDING' });
      if (method === 'POST') made.push(one);
      const told = method === 'POST' ? success(one) : { ...success(made), pagination: page };
      json(response, method === 'POST' ? 201 : 200, JSON.stringify(told).replaceAll('"@"', id));
    });
  };

  it.each([
    { fee: null },
    { fee: '100' },
    { createdAt: 1767323045 },
    { createdAt: { seconds: 1767323045 } },
    { failedReason: { code: 'NONE' } },
  ])('is accepted with %o, and listed', async (shown) => {
    await using server = await service((one) => ({ ...one, ...shown }));
    const options = { env: envOf(server.url), home: emptyHome() };
    const { code, stderr } = await run([...pay, '--idempotency-key', 'k'], options);
    expect(stderr).toContain('Money is on its way. The withdrawal of R$ 5,00 (wd_1) was accepted.');
    expect(code).toBe(0);
    for (const format of ['table', 'csv', 'json'])
      expect((await run(['withdrawal', 'list', '-o', format], options)).code).toBe(0);
    expect((await run(['withdrawal', 'audit'], options)).code).toBe(0);
  });

  it.each(['1.50', '1152921504606846977'])(
    'is paid beside one with the fee %s, which no number of JavaScript is, and its own is shown as it came',
    async (fee) => {
      const other = { id: 'wd_0', ...order, amount: 700, fee: '#', status: 'COMPLETED' };
      const made: object[] = [other];
      await using server = await hostileServer((response, { method }) => {
        const one = { id: 'wd_1', ...order, fee: '#', status: 'PENDING' };
        if (method === 'POST') made.push(one);
        const told = method === 'POST' ? success(one) : { ...success(made), pagination: page };
        json(response, method === 'POST' ? 201 : 200, JSON.stringify(told).replaceAll('"#"', fee));
      });
      const options = { env: envOf(server.url), home: emptyHome() };
      const { code, stdout } = await run([...pay, '--idempotency-key', 'k', '-o', 'json'], options);
      expect(code).toBe(0);
      expect(stdout).toContain(`"fee":${fee},"moneyMoved":"on-its-way"`);
      expect((await run(['withdrawal', 'audit'], options)).code).toBe(86);
    },
  );

  it.each([
    [{ code: 'AC03' }, '({"code":"AC03"})'],
    ['closed', '(closed)'],
  ])('that failed because of %j is reported with that', async (failedReason, words) => {
    const ended = { id: 'wd_1', amount: 500, status: 'FAILED', failedReason };
    const { code, stderr } = await answered(ended, ['withdrawal', 'wait', 'wd_1']);
    expect(stderr).toContain(`wd_1 is FAILED ${words}.`);
    expect(code).toBe(83);
  });

  it('of which a read by id shows the status alone is followed to its end', async () => {
    await using sandbox = await startSandbox({
      assume: { 'withdrawal-get-shape': 'status' },
      merchant: { available: 100_000 },
      withdrawals: 'timed',
      withdrawalStepMs: 100,
    });
    const options = {
      env: { ...envOf(sandbox.url), PIXCTL_API_KEY: sandbox.apiKey },
      home: emptyHome(),
    };
    const paid = await run([...pay, '--idempotency-key', 'k', '--wait', '-o', 'json'], options);
    const { state, withdrawal } = JSON.parse(paid.stdout);
    expect([paid.code, state, withdrawal.amount]).toEqual([0, 'COMPLETED', 500]);
    const read = await run(['withdrawal', 'get', withdrawal.id, '-o', 'json'], options);
    expect([read.code, JSON.parse(read.stdout)]).toEqual([0, { id: withdrawal.id, status: 'COMPLETED' }]);
    expect((await run(['withdrawal', 'wait', withdrawal.id], options)).code).toBe(0);
    expect((await run([...pay, '--idempotency-key', 'k'], options)).code).toBe(0);
    expect(sandbox.merchant().balance.available).toBe(100_000 - 600);
  });

  it('is listed without pages, and none is sent, where pagination is null', async () => {
    const one = { id: 'wd_1', ...order, status: 'COMPLETED' };
    const listed = await answered([one], ['withdrawal', 'list', '-o', 'csv', '--fields', 'id'], null);
    expect([listed.code, listed.stdout]).toEqual([0, 'id\nwd_1\n']);
    expect(listed.stderr).toContain('has no pagination: these may not be all the withdrawals');
    const refused = await answered([one], [...pay, '--idempotency-key', 'k'], null);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('nothing was sent')]);
  });

  it.each(['4711', '1234567890123456789'])('with the id %s is known by it', async (id) => {
    await using server = await service((one) => one, id);
    const options = { env: envOf(server.url), home: emptyHome() };
    const { code, stdout } = await run([...pay, '--idempotency-key', 'k', '-o', 'json'], options);
    expect([code, JSON.parse(stdout).withdrawal.id]).toEqual([0, id]);
    const listed = await run(['withdrawal', 'list', '-o', 'csv', '--fields', 'id'], options);
    expect(listed.stdout).toBe(`id\n${id}\n`);
    expect((await run(['withdrawal', 'audit'], options)).code).toBe(0);
  });

  it.each(['masked', 'left-out', 'without-type'])(
    'whose key the list shows %s holds another payment of it back',
    async (choice) => {
      await using sandbox = await startSandbox({
        assume: { 'withdrawal-listed-key': choice },
        merchant: { available: 100_000 },
        withdrawals: 'immediate',
      });
      const env = { ...envOf(sandbox.url), PIXCTL_API_KEY: sandbox.apiKey };
      expect((await run([...pay, '--idempotency-key', 'k'], { env, home: emptyHome() })).code).toBe(0);
      const again = await run([...pay, '--idempotency-key', 'k'], { env, home: emptyHome() });
      expect(again.code).toBe(86);
      expect(sandbox.merchant().balance.available).toBe(100_000 - 600);
    },
  );
});

describe('the deliveries history', () => {
  const deliveries = [
    'webhook',
    'deliveries',
    'wh_1',
    '-o',
    'csv',
    '--fields',
    'attempt,httpStatus,success,error',
  ];

  it.each([
    [
      { status: 500, success: false, attempt: '1', error: { message: 'oops' } },
      '1,500,false,"{""message"":""oops""}"',
    ],
    [{ statusCode: 200, ok: true, attemptNumber: 2, errorMessage: null }, '2,200,true,'],
    [{ id: 7, responseStatus: 404, delivered: false }, ',404,false,'],
  ])('shows the four facts of %o', async (row, line) => {
    const { code, stdout } = await answered([row], deliveries);
    expect(stdout).toBe(`attempt,httpStatus,success,error\n${line}\n`);
    expect(code).toBe(0);
  });

  it('is shown without pagination, and says where to find what has other names', async () => {
    await using server = await hostileServer((response) => json(response, 200, success([{ result: 'yes' }])));
    const { code, stderr } = await run(['webhook', 'deliveries', 'wh_1', '--all'], {
      env: envOf(server.url),
    });
    expect(stderr).toContain('other field names in this history: -o json shows all of them');
    expect(code).toBe(0);
  });

  it.each([
    [{ attempt: 1 }, 'answered 500: it is sent again'],
    [{}, 'answered 500'],
    [{ attempt: '1', error: { message: 'oops' } }, 'oops'],
    [{ attempt: 1, error: { reason: 7 } }, '{"reason":7}: it is sent again'],
  ])('promises a further attempt only where it knows which one this was: %o', (more, words) => {
    const column = deliveryView.columns.find(({ key }) => key === 'error');
    expect(column?.text?.({ success: false, httpStatus: 500, ...more })).toBe(words);
  });
});
