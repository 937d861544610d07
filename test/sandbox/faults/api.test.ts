/** Faults on the documented plane, seen from outside: what the client gets, and what has happened all the same. */
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../../src/sandbox/faults/rule.ts';
import { type Served, serve } from '../support/over-http.ts';

type Effect = Extract<FaultInput, { target: 'api' }>['effect'];

/** Creates a charge over a bare socket; tells how the exchange ended and what arrived of it. */
async function create(sandbox: Served) {
  const sent = request(`${sandbox.url}/transparents/create`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
  });
  const { promise, resolve } = Promise.withResolvers<{ end: string; status: number | null; body: string }>();
  let status: number | null = null;
  let body = '';
  sent.on('error', (error: NodeJS.ErrnoException) => resolve({ end: error.code ?? '', status, body }));
  sent.on('response', (answer) => {
    status = answer.statusCode ?? null;
    answer.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    answer.on('error', (error: NodeJS.ErrnoException) => resolve({ end: error.code ?? '', status, body }));
    answer.on('end', () => resolve({ end: 'whole', status, body }));
  });
  sent.end(JSON.stringify({ method: 'PIX', amount: 1_000 }));
  return promise;
}

const countOf = async (sandbox: Served): Promise<number> =>
  (await sandbox.get('/transparents/list')).body.data.length;

describe('an effect before or after the commit', () => {
  it.each<[Effect, { end: string; status: number | null; text: RegExp }, number]>([
    [{ kind: 'error' }, { end: 'whole', status: 500, text: /INTERNAL_ERROR/ }, 0],
    [{ kind: 'error', when: 'after' }, { end: 'whole', status: 500, text: /INTERNAL_ERROR/ }, 1],
    [{ kind: 'error', status: 403, when: 'after' }, { end: 'whole', status: 403, text: /FORBIDDEN/ }, 1],
    [{ kind: 'html' }, { end: 'whole', status: 502, text: /^<html>/ }, 0],
    [{ kind: 'html', when: 'after' }, { end: 'whole', status: 502, text: /^<html>/ }, 1],
    [{ kind: 'reset' }, { end: 'ECONNRESET', status: null, text: /^$/ }, 0],
    [{ kind: 'reset', when: 'after' }, { end: 'ECONNRESET', status: null, text: /^$/ }, 1],
    [{ kind: 'hang', ms: 5 }, { end: 'ECONNRESET', status: null, text: /^$/ }, 0],
    [{ kind: 'hang', ms: 5, when: 'after' }, { end: 'ECONNRESET', status: null, text: /^$/ }, 1],
    [{ kind: 'rate-limit' }, { end: 'whole', status: 429, text: /RATE_LIMITED/ }, 0],
    [{ kind: 'truncate' }, { end: 'ECONNRESET', status: 201, text: /^\{"data":\{"id":"chg_/ }, 1],
    [{ kind: 'latency', ms: 5 }, { end: 'whole', status: 201, text: /"success":true/ }, 1],
  ])('%o', async (effect, { end, status, text }, charges) => {
    const sandbox = await serve();
    sandbox.faults.add({ target: 'api', operations: ['createCharge'], effect, times: 1 });
    const got = await create(sandbox);
    expect({ end: got.end, status: got.status }).toEqual({ end, status });
    expect(got.body).toMatch(text);
    if (effect.kind === 'truncate') expect(() => JSON.parse(got.body)).toThrow();
    expect(await countOf(sandbox)).toBe(charges);
    expect(sandbox.requests().find((entry) => entry.operation === 'createCharge')?.faults).toEqual([
      'fault_1',
    ]);
    // Its budget is spent: the next call is answered as ever.
    expect((await create(sandbox)).status).toBe(201);
  });

  it.each([
    [{ status: 403 }, 'text/html', null, /<h1>403 Forbidden<\/h1>/],
    [{ status: 599 }, 'text/html', null, /<h1>599 unknown<\/h1>/],
    [{ status: 403, body: '{"message":"Forbidden"}' }, 'application/json', null, /^{"message":"Forbidden"}$/],
    [{ status: 200, body: '' }, 'text/html', null, /^$/],
    [{ status: 503, body: 'não há' }, 'text/html', null, /^não há$/],
    [
      { status: 307, location: 'https://example.com/v1/' },
      'text/html',
      'https://example.com/v1/',
      /307 Temp/,
    ],
  ])('a gateway answers with %o', async (more, type, location, text) => {
    const sandbox = await serve();
    sandbox.faults.add({ target: 'api', effect: { kind: 'html', ...more }, times: 1 });
    const answer = await fetch(`${sandbox.url}/withdrawals`, {
      headers: { authorization: `Bearer ${sandbox.apiKey}` },
      redirect: 'manual',
    });
    const { status, headers } = answer;
    expect([status, headers.get('content-type'), headers.get('location')]).toEqual([
      more.status,
      type,
      location,
    ]);
    expect(await answer.text()).toMatch(text);
  });

  it.each(['', 'a b', 'https://example.com/\r\nx: y', 'https://example.com/é', 'x'.repeat(2_049)])(
    'no redirect leads to %j',
    async (location) => {
      const { faults } = await serve();
      expect(() => faults.add({ target: 'api', effect: { kind: 'html', location } })).toThrow(
        'effect.location: must be an address',
      );
    },
  );

  it('an endless hang leaves it to the client to give up', async () => {
    const sandbox = await serve();
    sandbox.faults.preset('half-open');
    const sent = request(`${sandbox.url}/transparents/refund?id=x`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${sandbox.apiKey}` },
      signal: AbortSignal.timeout(50),
    }).end();
    const [error] = await once(sent, 'error');
    expect(error.cause?.name).toBe('TimeoutError');
  });

  it('a withdrawal whose answer is lost has moved the money, and its event comes', async () => {
    const sandbox = await serve({ merchant: { available: 10_000, withdrawalFee: 100 } });
    sandbox.faults.preset('lost-response', { operations: ['createWithdrawal'] });
    const body = { amount: 2_000, pixKey: 'a@b.co', pixKeyType: 'EMAIL' };
    await expect(sandbox.post('/withdrawals', body)).rejects.toThrow('fetch failed');
    expect(sandbox.merchant().balance).toEqual({ available: 7_900, pending: 2_100 });
    await sandbox.clock.advance('1m');
    expect((await sandbox.waitForEvent('WITHDRAWAL_COMPLETED')).data.amount).toBe(2_000);
    expect(sandbox.merchant().balance).toEqual({ available: 7_900, pending: 0 });
  });

  it('a withdrawal whose request is lost has moved nothing', async () => {
    const sandbox = await serve({ merchant: { available: 10_000 } });
    sandbox.faults.preset('lost-request');
    const body = { amount: 2_000, pixKey: 'a@b.co', pixKeyType: 'EMAIL' };
    await expect(sandbox.post('/withdrawals', body)).rejects.toThrow('fetch failed');
    expect(sandbox.merchant().balance).toEqual({ available: 10_000, pending: 0 });
  });
});

describe('lists that do not behave', () => {
  const page = (sandbox: Served, after?: string) =>
    sandbox.get(`/transparents/list?limit=2${after === undefined ? '' : `&after=${after}`}`);
  const idsOf = (reply: { body: { data: { id: string }[] } }) => reply.body.data.map(({ id }) => id);

  it('an item is on two pages', async () => {
    const sandbox = await serve();
    for (let count = 0; count < 4; count += 1) await sandbox.charge();
    sandbox.faults.preset('moving-pages');
    const first = await page(sandbox);
    const second = await page(sandbox, first.body.pagination.next);
    expect(idsOf(second)[0]).toBe(idsOf(first)[1]);
    expect(new Set([...idsOf(first), ...idsOf(second)]).size).toBe(4);
  });

  it('an item of another list, or of another reader, is on neither', async () => {
    const sandbox = await serve();
    for (let count = 0; count < 6; count += 1) await sandbox.charge();
    sandbox.faults.preset('moving-pages');
    const first = await page(sandbox);
    const theirs = sandbox.addMerchant({ available: 5_000 });
    const authorization = `Bearer ${theirs.apiKey}`;
    const withdrawal = { amount: 1_000, pixKey: '12345678909', pixKeyType: 'CPF' };
    expect((await sandbox.post('/withdrawals', withdrawal, { authorization })).status).toBe(201);
    expect((await sandbox.get('/withdrawals', { authorization })).body.data).toHaveLength(1);
    const second = await page(sandbox, first.body.pagination.next);
    expect(idsOf(second)[0]).toBe(idsOf(first)[1]);
    const third = await page(sandbox, second.body.pagination.next);
    await page(sandbox);
    expect(idsOf(await page(sandbox, second.body.pagination.next))).toEqual(idsOf(third));
  });

  it('a cursor is refused, or leads back to the same page', async () => {
    const sandbox = await serve();
    for (let count = 0; count < 6; count += 1) await sandbox.charge();
    const { next } = (await page(sandbox)).body.pagination;
    sandbox.faults.add({ target: 'api', effect: { kind: 'stale-cursor' }, times: 1 });
    expect(await page(sandbox, next)).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } });
    sandbox.faults.add({ target: 'api', effect: { kind: 'stale-cursor', mode: 'loop' }, times: 1 });
    expect((await page(sandbox, next)).body.pagination.next).toBe(next);
    expect((await page(sandbox, next)).body.pagination.next).not.toBe(next);
  });

  it('spends its budget on what it can act on, and on nothing else', async () => {
    const sandbox = await serve();
    for (let count = 0; count < 6; count += 1) await sandbox.charge();
    const effects = [{ kind: 'repeat-item' }, { kind: 'stale-cursor', mode: 'loop' }] as const;
    for (const effect of effects) sandbox.faults.add({ target: 'api', effect, times: 1 });
    const { id } = await sandbox.charge();
    await sandbox.get(`/transparents/check?id=${id}`);
    const first = await page(sandbox);
    const { next } = first.body.pagination;
    expect(sandbox.faults.list()).toMatchObject([{ fired: 0 }, { fired: 0 }]);
    const second = await page(sandbox, next);
    expect(idsOf(second)[0]).toBe(idsOf(first)[1]);
    expect(second.body.pagination.next).toBe(next);
    expect(sandbox.faults.list()).toMatchObject([
      { matched: 1, fired: 1, spent: true },
      { matched: 1, fired: 1, spent: true },
    ]);
    expect(sandbox.requests().map((entry) => entry.faults)).toMatchObject([
      ['fault_1', 'fault_2'],
      ...sandbox
        .requests()
        .slice(1)
        .map(() => []),
    ]);
    expect(idsOf(await page(sandbox, next))).toEqual(idsOf(second).slice(1));
  });

  it('saves a change of the answer for an answer that holds what it changes', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge();
    const customer = sandbox.addCustomer({ name: 'A', email: 'a@b.co', taxId: '12345678909' });
    sandbox.faults.add({ target: 'api', effect: { kind: 'unknown-status' }, nth: 1 });
    expect((await sandbox.get('/transparents/check?id=chg_none')).status).toBe(404);
    expect((await sandbox.get(`/customers/${customer.id}`)).body.data).toEqual(customer);
    expect(sandbox.faults.list()).toMatchObject([{ matched: 0, fired: 0 }]);
    expect((await sandbox.get(`/transparents/check?id=${id}`)).body.data.status).toBe('UNDER_REVIEW');
  });

  it('names the cursor that it refuses', async () => {
    const sandbox = await serve();
    sandbox.faults.add({ target: 'api', effect: { kind: 'stale-cursor' } });
    for (const name of ['after', 'before'])
      expect((await sandbox.get(`/transparents/list?${name}=c`)).body.message).toBe(
        `${name}: this cursor is no longer valid`,
      );
  });

  it('answers hold what the document does not show', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge();
    sandbox.faults.preset('beta-change');
    expect((await sandbox.get(`/transparents/check?id=${id}`)).body.data).toMatchObject({
      status: 'UNDER_REVIEW',
      addedInBeta: 'a field that the document does not show',
    });
    sandbox.faults.clear();
    expect((await sandbox.get(`/transparents/check?id=${id}`)).body.data.status).toBe('PENDING');
  });
});

it('a deploy ends by itself, on the sandbox clock', async () => {
  const sandbox = await serve();
  sandbox.clock.freeze();
  sandbox.faults.preset('deploy-30s');
  expect((await create(sandbox)).status).toBe(502);
  await sandbox.clock.advance('29s');
  expect((await create(sandbox)).status).toBe(502);
  await sandbox.clock.advance('1s');
  expect((await create(sandbox)).status).toBe(201);
});
