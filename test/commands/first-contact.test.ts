/**
 * The first answers of a service that stands behind a gateway, or lies elsewhere than was thought: each tells what it
 * said, whether the request may have had an effect, and what to look at next.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, hostileServer, json, someCharge, success } from '../support/hostile-server.ts';
import { emptyHome, hurried, run } from '../support/run.ts';

const create = ['charge', 'create', '--amount', '1050'];
const list = ['charge', 'list'];
const pay = [
  ...['withdraw', '--amount', '10,50', '--to', 'ana@example.com'],
  ...['--idempotency-key', 'k1', '--yes'],
];

const webPage: Answer = (response) => {
  response.writeHead(403, { 'content-type': 'text/html' });
  response.end('<html><head><title>Attention Required!\n | CDN</title></head></html>');
};
const says =
  (status: number, body: unknown): Answer =>
  (response) =>
    json(response, status, body);

/** Runs against a service that answers everything with `answer`. */
async function met(
  answer: Answer,
  args: readonly string[],
  env: Record<string, string> = {},
  input?: string,
) {
  await using server = await hostileServer(answer);
  const settings = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test_key', PIXCTL_MERCHANT: 'm' };
  return await run(args, {
    env: { ...hurried, ...settings, ...env },
    ...(input === undefined ? {} : { input }),
  });
}

describe('an answer outside the envelope is reported in its own words', () => {
  it.each([
    [
      'of a gateway',
      says(400, { message: 'Missing header X-Merchant-Id' }),
      '{"message":"Missing header X-Merchant-Id"}',
    ],
    [
      'of another form',
      says(400, { success: false, error: 'VALIDATION_ERROR', message: ['amount is odd'] }),
      '"message":["amount is odd"]',
    ],
    ['of a firewall', webPage, 'Attention Required! | CDN'],
  ])('%s', async (_, answer, words) => {
    const [made, read] = [await met(answer, create), await met(answer, list)];
    expect([made.code, read.code]).toEqual([81, 1]);
    for (const { stderr } of [made, read]) expect(stderr).toContain(words);
  });

  it('but not once more where pixctl api shows it, nor with the key that it repeats', async () => {
    const { stderr } = await met(says(400, { message: 'bad key svc_test_key' }), [
      'api',
      'GET',
      '/customers/c',
    ]);
    expect(stderr).not.toContain('bad key');
    const { stderr: masked } = await met(says(400, { message: 'bad key svc_test_key' }), create);
    expect(masked).toContain('bad key [redacted]');
  });

  it('without its data, and without what may be a secret', async () => {
    const body = { success: false, message: ['odd'], data: { name: 'Ana' }, more: { secret: 'whsec_1' } };
    const { stderr } = await met(says(500, body), [
      'webhook',
      'add',
      '--url',
      'https://example.com/h',
      '--events',
      'CHARGE_PAID',
      '--yes',
    ]);
    expect(stderr).toContain('it says: {"success":false,"message":["odd"],"more":{"secret":"[redacted]"}}');
    expect(stderr).not.toMatch(/Ana|whsec_1/);
  });

  it('of a withdrawal too, which nobody can ask for again', async () => {
    const answer: Answer = (response, { method }) =>
      method === 'POST'
        ? json(response, 400, { message: 'Missing header X-Merchant-Id' })
        : json(response, 200, { ...success([]), pagination: { hasMore: false, next: null, before: null } });
    const { code, stderr } = await met(answer, pay);
    expect(code).toBe(81);
    expect(stderr).toMatch(
      /answered 400 \(sent [^)]+\), saying \{"message":"Missing header X-Merchant-Id"\}, and the service lists no withdrawal\./,
    );
  });
});

describe('an address that is not quite the one of the API', () => {
  it('is told where a call that names no record is not found', async () => {
    const notFound = says(404, { error: 'NOT_FOUND', message: 'no route', success: false });
    for (const args of [list, create]) {
      const { code, stderr } = await met(notFound, args);
      expect(code).toBe(88);
      expect(stderr).toContain('Check the base URL');
      expect(stderr).not.toContain('Check the id');
    }
    const { stderr } = await met(notFound, ['charge', 'get', 'chg_1']);
    expect(stderr).toContain('Check the id');
  });

  it('is told with the address that a redirect names, without its query', async () => {
    const moved: Answer = (response) => {
      response.writeHead(308, { location: 'https://api.example.com/v1/x?token=secret' });
      response.end();
    };
    for (const args of [list, create]) {
      const { stderr } = await met(moved, args);
      expect(stderr).toContain('a redirect to https://api.example.com/v1/x, which is never followed');
      expect(stderr).not.toContain('secret');
    }
  });
});

describe('a 403 that is not of the service', () => {
  it('is no word about the key: login stores nothing, whoami and doctor fail', async () => {
    const home = emptyHome();
    const login = await met(
      webPage,
      ['login', '--key-stdin'],
      { PIXCTL_API_KEY: '', PIXCTL_CONFIG_DIR: join(home, 'config') },
      'svc_test_key',
    );
    expect([login.code, login.stdout]).toEqual([1, '']);
    expect(login.stderr).not.toContain('knows the key');
    expect(login.stderr).toContain('The key was not stored.');
    expect(login.stderr).toContain('--no-check');
    const whoami = await met(webPage, ['whoami', '-o', 'json']);
    expect([whoami.code, JSON.parse(whoami.stdout).check]).toEqual([1, 'not told']);
    expect((await met(says(403, { message: 'Forbidden' }), ['doctor'])).code).toBe(78);
  });
});

describe('a charge', () => {
  it('that was made is named, though its answer cannot be used', async () => {
    const { code, stderr } = await met(says(201, success({ ...someCharge, amount: '1050' })), create);
    expect(code).toBe(81);
    expect(stderr).toContain(
      'the answer names chg_1, but does not fit the contract at data.amount (expected number, found string)',
    );
  });

  it('is reported with the documented status if it was answered with another', async () => {
    const { stderr } = await met(says(200, success(someCharge)), create);
    expect(stderr).toContain('answered 200 instead of 201, which names chg_1, but proves nothing');
  });

  it('of an unknown status is not called unpayable, and a wait for it says that it may never end', async () => {
    const odd = { ...someCharge, status: 'paid' };
    const unshown = "chg_1 is paid, a status that the service's document does not show";
    const made = await met(says(201, success(odd)), create);
    expect(made.stderr).toContain(`${unshown}: whether it may be paid is not known`);
    expect(made.stderr).not.toContain('nobody should pay it');
    const forged = await met(says(201, success({ ...someCharge, status: 'x\nwarning: it is PAID' })), create);
    expect(forged.stderr).toContain('chg_1 is x\\nwarning: it is PAID, a status');
    const { code, stderr } = await met(says(200, success(odd)), [
      'charge',
      'wait',
      'chg_1',
      '--timeout',
      '1s',
    ]);
    expect(code).toBe(82);
    expect(stderr).toContain(`${unshown}; this waits until it is PAID.`);
    expect(stderr).not.toContain('Wait again');
  });
});

describe('a list of withdrawals that cannot be used', () => {
  const refusal = (error: string) => ({ error, message: 'no', success: false });
  const listed = (...data: unknown[]) => ({ ...success(data), pagination: { hasMore: false } });
  const good = { id: 'wd_1', amount: 5, status: 'COMPLETED' };

  it.each([
    [1, 'is refused', says(400, refusal('VALIDATION_ERROR')), 'says VALIDATION_ERROR: no'],
    [1, 'is not found', says(404, refusal('NOT_FOUND')), 'check the base URL'],
    [1, 'is not found by the gateway', says(404, { message: 'no route' }), 'no route'],
    [1, 'takes no query', says(422, { message: 'unknown limit' }), 'unknown limit'],
    [1, 'has another envelope', says(200, [good]), 'without its envelope'],
    [1, 'is none', says(200, success(null)), 'holds no list'],
    [1, 'has a bad record', says(200, listed(good, { ...good, id: 'wd_2', amount: '5' })), 'data[1].amount'],
    [77, 'is forbidden', says(403, refusal('FORBIDDEN')), 'says FORBIDDEN'],
    [77, 'is forbidden by the gateway', says(403, { message: 'IP not allowed' }), 'IP not allowed'],
  ])('ends with %i where it %s, and says that waiting does not help', async (code, _, answer, words) => {
    const told = await met(answer, pay);
    expect(told.code).toBe(code);
    expect(told.stderr).toMatch(/No money moved\..*nothing was sent/);
    expect(told.stderr.toLowerCase()).toContain(words.toLowerCase());
    expect(told.stderr).toContain('waiting will not change that');
    expect(told.stderr).toContain('in its dashboard instead, never run this idempotency key again');
  });

  it.each([
    ['is being rebuilt', says(409, refusal('CONFLICT'))],
    ['was asked for too slowly', says(408, { message: 'Request Timeout' })],
    ['is refused by a fault of the service', says(400, refusal('INTERNAL_ERROR'))],
    ['is there, and says no', says(200, refusal('BAD_REQUEST'))],
    [
      'is not found for a while',
      (response) => {
        response.setHeader('retry-after', '60');
        json(response, 404, { message: 'no upstream' });
      },
    ],
    [
      'is not found at its second page',
      (response, { path }) =>
        path.includes('after=')
          ? json(response, 400, refusal('VALIDATION_ERROR'))
          : json(response, 200, { ...success([good]), pagination: { hasMore: true, next: 'c' } }),
    ],
  ] satisfies [string, Answer][])('ends with 75 where it %s', async (_, answer) => {
    const told = await met(answer, pay);
    expect([told.code, told.stderr.includes('waiting will not change')]).toEqual([75, false]);
  });

  it('names the record that does not fit', async () => {
    const { stderr } = await met(says(200, listed(good, { ...good, id: 'wd_2', amount: '5' })), [
      'withdrawal',
      'list',
    ]);
    expect(stderr).toContain('at data[1].amount (expected number, found string), in wd_2.');
  });
});

it('withdrawal status repeats the words of an answer, and of a refusal', async () => {
  const details = [{ path: 'pixKey', message: 'not registered' }];
  const refusal = { error: 'VALIDATION_ERROR', message: 'Validation failed', success: false, details };
  for (const [body, code] of [
    [{ message: 'IP not allowed' }, 81],
    [refusal, 80],
  ] as const) {
    await using server = await hostileServer((response, { method }) =>
      method === 'GET'
        ? json(response, 200, { ...success([]), pagination: { hasMore: false } })
        : json(response, 400, body),
    );
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test_key', PIXCTL_MERCHANT: 'm' };
    const home = emptyHome();
    for (const args of [pay, ['withdrawal', 'status', 'k1']]) {
      const told = await run(args, { home, env });
      expect(told.code).toBe(code);
      expect(told.stderr).toContain(code === 81 ? 'IP not allowed' : '(details: [{"path":"pixKey"');
    }
  }
});
