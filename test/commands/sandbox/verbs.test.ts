/** The verbs of `pixctl sandbox` that drive a running one. */
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { freePort } from '../../support/free-port.ts';
import { json as answerJson, hostileServer } from '../../support/hostile-server.ts';
import { emptyHome, run, start } from '../../support/run.ts';

let sandbox: Sandbox;
const home = emptyHome();
beforeAll(async () => {
  sandbox = await startSandbox({ withdrawals: 'manual' });
});
afterAll(() => sandbox.close());

const pixctl = (...args: string[]) =>
  run(args, { home, env: { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey } });
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await pixctl(...args, '-o', 'json');
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  return JSON.parse(stdout);
};
/** `data` of an answer of the documented plane. */
const api = async (method: string, path: string, body?: unknown) => {
  const headers = { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' };
  const response = await fetch(sandbox.url + path, {
    method,
    headers,
    body: body ? JSON.stringify(body) : null,
  });
  const { data } = (await response.json()) as { data?: { id: string } };
  return data;
};

describe('pixctl sandbox merchant', () => {
  it('sets amounts in cents or reais, switches and the PIX key, and shows what is', async () => {
    const flags = ['--available', '1000,00', '--fee', '150', '--limit', 'R$ 500,00', '--min-ticket', '200'];
    const set = await json(
      'sandbox',
      'merchant',
      'set',
      ...flags,
      '--charges-enabled',
      'false',
      '--pix-key',
      'none',
    );
    const wanted = {
      withdrawalFee: 150,
      withdrawalLimit: 50_000,
      minTicket: 200,
      chargesEnabled: false,
      pixKey: null,
      balance: { available: 100_000, pending: 0 },
    };
    expect(set).toMatchObject(wanted);
    expect(await json('sandbox', 'merchant', 'get')).toMatchObject(wanted);
    await json('sandbox', 'merchant', 'set', '--charges-enabled', 'true', '--pix-key', 'a@example.com');
    expect(sandbox.merchant()).toMatchObject({ chargesEnabled: true, pixKey: 'a@example.com' });
  });

  it('adds one with a key of its own, which can be revoked', async () => {
    const { apiKey, name } = await json('sandbox', 'merchant', 'add', '--name', 'Outra Loja');
    expect(name).toBe('Outra Loja');
    const status = async () =>
      (await fetch(`${sandbox.url}/withdrawals`, { headers: { authorization: `Bearer ${apiKey}` } })).status;
    expect(await status()).toBe(200);
    expect(await json('sandbox', 'key', 'revoke', apiKey)).toMatchObject({ revokedAt: expect.any(String) });
    expect(await status()).toBe(401);
  });

  it.each([
    [['merchant', 'set'], 64, 'Name at least one setting to change. Nothing was sent.'],
    [['merchant', 'set', '--fee', '1,5'], 64, 'could mean'],
    [['merchant', 'set', '--charges-enabled', 'yes'], 64, 'true, false'],
    [['merchant', 'set', '--min-ticket', '200000000'], 80, 'is above maxTicket'],
    [['merchant', 'get', 'merch_none'], 88, 'merch_none'],
    [['key', 'revoke', 'svc_sandbox_none'], 88, 'no such API key'],
    [['pay', 'chg_none'], 88, 'chg_none'],
    [['customer', 'add', '--name', 'Ana'], 64, '--email, --tax-id'],
    [
      ['customer', 'add', '--name', 'Ana'],
      64,
      'For example: pixctl sandbox customer add --name "Maria Silva"',
    ],
    [['customer', 'remove', '../merchants'], 88, 'does not exist'],
    [['pay', 'chg_nope'], 88, 'Check its spelling. A sandbox started again knows nothing of before'],
    [['fault', 'clear', 'fault_3'], 88, 'no fault fault_3 in force.\n  pixctl sandbox fault list shows'],
    [['seed', '--charges', 'many'], 64, 'takes a whole number from 0 to'],
    [['seed', '--customers', '100001'], 64, '--customers takes a whole number from 0 to 100000, not'],
  ])('%j exits %i', async (args, code, words) => {
    const finished = await pixctl('sandbox', ...args);
    expect([finished.code, finished.stdout]).toEqual([code, '']);
    expect(finished.stderr).toContain(words);
  });

  it('blames no id for a route that the sandbox does not have', async () => {
    const headers = { authorization: `Bearer ${sandbox.controlToken}` };
    const unknown = await fetch(`${sandbox.url}/__sandbox/unknown`, { headers });
    const body = await unknown.text();
    await using older = await hostileServer((response) =>
      response.writeHead(unknown.status, { 'x-sandbox': 'pixctl' }).end(body),
    );
    const env = { PIXCTL_BASE_URL: older.url, PIXCTL_API_KEY: sandbox.apiKey };
    const { code, stderr } = await run(['sandbox', 'clock', 'get'], { home, env });
    expect([code, stderr]).toEqual([88, 'error: The control plane has no such route.\n']);
  });
});

describe('pixctl sandbox withdrawal', () => {
  it('completes one and fails another with a reason', async () => {
    sandbox.setMerchant({ available: 100_000 });
    const body = { amount: 500, pixKey: '12345678909', pixKeyType: 'CPF' };
    const one = await api('POST', '/withdrawals', body);
    expect(await json('sandbox', 'withdrawal', 'complete', `${one?.id}`)).toMatchObject({
      status: 'COMPLETED',
    });
    const two = await api('POST', '/withdrawals', body);
    expect(await json('sandbox', 'withdrawal', 'fail', `${two?.id}`, '--reason', 'closed')).toMatchObject({
      status: 'FAILED',
      failedReason: 'closed',
    });
    expect((await pixctl('sandbox', 'withdrawal', 'fail', `${two?.id}`)).code).toBe(80);
  });
});

describe('pixctl sandbox customer', () => {
  it('adds and removes', async () => {
    const flags = ['--name', 'Ana', '--email', 'ana@example.com', '--tax-id', '12345678909'];
    const { id } = await json('sandbox', 'customer', 'add', ...flags);
    expect(await api('GET', `/customers/${id}`)).toMatchObject({ name: 'Ana', phone: null });
    expect((await pixctl('sandbox', 'customer', 'add', ...flags)).code).toBe(80);
    expect(await json('sandbox', 'customer', 'remove', id)).toMatchObject({ id });
    expect(await api('GET', `/customers/${id}`)).toBeUndefined();
  });
});

describe('pixctl sandbox', () => {
  it('seeds and resets', async () => {
    expect((await pixctl('sandbox', 'seed', '--charges', '7', '--customers', '2')).code).toBe(0);
    expect(await api('GET', '/transparents/list')).toHaveLength(7);
    const reset = await pixctl('sandbox', 'reset');
    expect(reset.code).toBe(0);
    expect(reset.stderr).toContain(`The sandbox at ${sandbox.url} is empty, like a new one; only its clock`);
    expect(await api('GET', '/transparents/list')).toEqual([]);
  });

  it('lists the assumptions of a running sandbox, and the defaults without one', async () => {
    const running = await json('sandbox', 'assumptions');
    expect(running).toContainEqual(expect.objectContaining({ id: 'list-order', inForce: 'newest-first' }));
    const alone = await run(['sandbox', 'assumptions', '-o', 'json'], { home: emptyHome() });
    expect(alone.code).toBe(0);
    expect(JSON.parse(alone.stdout)).toHaveLength(running.length);
    const slip = await run(['sandbox', 'assumptions', '--profile', 'sandobx'], { home: emptyHome() });
    expect(slip).toMatchObject({ code: 78, stdout: '' });
    expect(slip.stderr).toContain('There is no profile "sandobx"');
  });

  it('is distinguished from a service that is no sandbox, and from none', async () => {
    const elsewhere = { PIXCTL_BASE_URL: 'https://api.example.com', PIXCTL_API_KEY: 'svc_live_1' };
    const far = await run(['sandbox', 'reset'], { home, env: elsewhere });
    expect(far.code).toBe(78);
    const startOne = 'Start one with pixctl sandbox start, then give --profile sandbox.';
    expect(far.stderr).toContain('is not a sandbox on this machine. Nothing was sent.');
    expect(far.stderr).toContain(startOne);
    await using shop = await hostileServer((response) => response.end('<html>Shop</html>'));
    const other = { PIXCTL_BASE_URL: shop.url, PIXCTL_API_KEY: sandbox.apiKey };
    const misled = await run(['sandbox', 'merchant', 'get'], { home, env: other });
    expect(misled.code).toBe(1);
    expect(misled.stderr).toContain(`What answers at ${shop.url} is not a pixctl sandbox.\n  ${startOne}`);
    const file = join(home, 'shop.db');
    const saved = await run(['sandbox', 'snapshot', file], { home, env: other });
    expect([saved.code, existsSync(file)]).toEqual([1, false]);
    writeFileSync(file, sandbox.snapshot());
    for (const args of [['restore', file], ['reset']]) {
      const { code, stderr } = await run(['sandbox', ...args], { home, env: other });
      expect([code, stderr]).toEqual([1, expect.stringContaining('is not a pixctl sandbox')]);
    }
    const gone = { PIXCTL_BASE_URL: 'http://127.0.0.1:1', PIXCTL_API_KEY: sandbox.apiKey };
    expect((await run(['sandbox', 'reset'], { home, env: gone })).code).toBe(75);
    const live = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: 'svc_live_1' };
    const refused = await run(['sandbox', 'reset'], { home, env: live });
    expect(refused.code).toBe(77);
    expect(refused.stderr).not.toContain('svc_live_1');
    expect((await run(['sandbox', 'reset'], { home: emptyHome() })).code).toBe(78);
  });
});

it('takes the key of the environment where another sandbox has the address that the profile knew', async () => {
  const home = emptyHome();
  const port = await freePort();
  const first = start(['sandbox', 'start', '--port', String(port), '-o', 'json'], { home });
  await once(first.stdout, 'data');
  first.kill('SIGTERM');
  await once(first, 'close');
  await using second = await startSandbox({ port });
  const env = { PIXCTL_BASE_URL: second.url, PIXCTL_API_KEY: second.apiKey };
  expect(await run(['sandbox', 'clock', 'freeze'], { home, env })).toMatchObject({ code: 0 });
  const { code, stderr } = await run(['sandbox', 'clock', 'unfreeze'], { home });
  expect([code, stderr]).toEqual([77, expect.stringContaining('Set PIXCTL_API_KEY to the key that')]);
});

describe('what the sandbox changes', () => {
  const headers = (text: string) => text.split('\n')[0];
  const csv = async (...args: string[]) => headers((await pixctl(...args, '-o', 'csv')).stdout);

  it('is shown in the columns of the command that reads it, a charge without its code', async () => {
    const { id } = await json('charge', 'create', '-a', '1000');
    const read = await csv('charge', 'get', id);
    expect(await csv('sandbox', 'pay', id)).toBe(read?.replace(',brCode', ''));

    const flags = ['--name', 'Bia', '--email', 'bia@example.com', '--tax-id', '11144477735'];
    const customer = await json('sandbox', 'customer', 'add', ...flags);
    const readCustomer = await csv('customer', 'get', customer.id);
    expect(await csv('sandbox', 'customer', 'remove', customer.id)).toBe(readCustomer);

    sandbox.setMerchant({ available: 100_000 });
    const order = ['-a', '1000', '-t', 'bia@example.com', '-k', 'columns', '--yes'];
    const { withdrawal } = await json('withdraw', ...order);
    const readWithdrawal = await csv('withdrawal', 'get', withdrawal.id);
    expect(await csv('sandbox', 'withdrawal', 'complete', withdrawal.id)).toBe(readWithdrawal);
  });
});

it.each([
  ['emit', ['CHECKOUT_PAID', '--merchant', 'merch_none'], 88],
  ['seed', [], 80],
])('pixctl sandbox %s names in its help how it just ended', async (verb, args, code) => {
  sandbox.setMerchant({ chargesEnabled: false });
  expect((await pixctl('sandbox', verb, ...args)).code).toBe(code);
  sandbox.setMerchant({ chargesEnabled: true });
  expect((await pixctl('sandbox', verb, '--help')).stdout).toMatch(new RegExp(`^ {2}${code} `, 'm'));
});

describe('pixctl sandbox with --debug', () => {
  it('shows what was sent and how it was answered, without a key', async () => {
    const { code, stderr } = await pixctl('sandbox', 'pay', 'chg_none', '--debug');
    expect(code).toBe(88);
    expect(stderr).toMatch(
      new RegExp(`^> POST ${sandbox.url}/__sandbox/charges/chg_none/pay\n< 404 \\(\\d+ ms\\)\n`),
    );
    const made = await json('sandbox', 'merchant', 'add', '--name', 'Loja');
    const revoked = await pixctl('sandbox', 'key', 'revoke', made.apiKey, '--debug');
    expect(revoked.stderr).toContain('/__sandbox/keys/revoke');
    expect(revoked.stderr).not.toContain(made.apiKey);
    expect(revoked.stderr).not.toContain(sandbox.apiKey);
    expect((await pixctl('sandbox', 'merchant', 'get')).stderr).not.toContain('__sandbox');
  });
});

describe('pixctl sandbox, where no sandbox answers', () => {
  const at = async (answer: (socket: Socket) => void, ...args: string[]) => {
    const server = createServer((socket) => socket.on('error', () => {}).once('data', () => answer(socket)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const env = { PIXCTL_BASE_URL: `http://127.0.0.1:${port}`, PIXCTL_API_KEY: sandbox.apiKey };
    const { code } = await run(args, { home: emptyHome(), env });
    server.close();
    return code;
  };

  it('ends with 1 if another program does', async () => {
    const other = (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    expect(await at(other, 'sandbox', 'clock', 'get')).toBe(1);
    expect(await at(other, 'sandbox', 'clock', 'freeze')).toBe(1);
  });

  it('ends with 81 if the answer to a change is lost, with 75 if that of a read is', async () => {
    const lost = (socket: Socket) => socket.destroy();
    expect(await at(lost, 'sandbox', 'pay', 'chg_1')).toBe(81);
    expect(await at(lost, 'sandbox', 'clock', 'get')).toBe(75);
  });
});

describe('pixctl sandbox, refused', () => {
  it.each([
    [401, 77],
    [403, 77],
    [404, 88],
    [408, 82],
    [409, 80],
    [500, 1],
    [503, 1],
    [507, 74],
  ])('with %i ends with %i, in the words of the sandbox', async (status, code) => {
    await using server = await hostileServer((response) => {
      response.setHeader('x-sandbox', 'pixctl');
      answerJson(response, status, { error: { code: 'ODD', message: 'it is odd', hint: 'look there' } });
    });
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: sandbox.apiKey };
    const args = ['sandbox', 'clock', 'freeze', '-o', 'json'];
    const refused = await run(args, { home: emptyHome(), env });
    expect([refused.code, refused.stdout]).toEqual([code, '']);
    expect(JSON.parse(refused.stderr).error).toMatchObject({
      ...{ code: 'ODD', message: 'It is odd.', hint: 'Look there.', httpStatus: status, exitCode: code },
    });
  });
});
