/** Where the document is silent the sandbox says so, and can be told otherwise. */
import { existsSync, mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type AssumptionId, assumptions } from '../../src/contract/assumptions.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { startReceiver } from '../support/receiver.ts';
import { serve } from './support/over-http.ts';

const marks = (headers: Headers) => headers.get('x-sandbox-assumption')?.split(',') ?? [];

describe('an answer', () => {
  it('that rests on nothing assumed is not marked', async () => {
    const sandbox = await serve();
    const made = await sandbox.post('/transparents/create', { method: 'PIX', amount: 500 });
    expect(marks(made.headers)).toEqual([]);
  });

  it('is marked with every entry that it rests on', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge();
    expect(marks((await sandbox.get(`/transparents/check?id=${id}`)).headers)).toEqual(['check-shape']);
    expect(marks((await sandbox.get('/transparents/list')).headers)).toEqual([
      'list-order',
      'list-lag',
      'list-shape',
    ]);
    expect(marks((await sandbox.get('/withdrawals')).headers)).toEqual([
      'list-order',
      'list-lag',
      'withdrawal-id',
      'withdrawal-list-shape',
      'withdrawal-list-scope',
      'withdrawal-listed-key',
      'withdrawal-created-at',
      'withdrawal-without-reason',
    ]);
  });

  it('is marked for a state and a fee that are guessed, and not for a fee that was set', async () => {
    const sandbox = await serve({ merchant: { available: 100_000 }, withdrawals: 'immediate' });
    const { id } = await sandbox.charge(700, { expiresIn: 60 });
    sandbox.expire(id);
    const path = `/transparents/check?id=${id}`;
    expect(marks((await sandbox.get(path)).headers)).toContain('expired-transition');
    expect(marks((await sandbox.get('/transparents/list')).headers)).toContain('expired-transition');
    const body = { amount: 50, pixKey: '12345678909', pixKeyType: 'CPF' };
    expect(marks((await sandbox.post('/withdrawals', body)).headers)).toContain('withdrawal-fee');
    await sandbox.clock.advance(1);
    sandbox.setMerchant({ withdrawalFee: 250 });
    expect(marks((await sandbox.post('/withdrawals', body)).headers)).not.toContain('withdrawal-fee');
  });
});

const cpf = { pixKey: '12345678909', pixKeyType: 'CPF' };

describe('a behaviour chosen by name', () => {
  it.each([
    ['withdrawal-busy-code', '409:CONFLICT'],
    ['withdrawal-busy-code', '403:FORBIDDEN'],
  ] as const)('%s=%s is the answer to a second withdrawal', async (id, choice) => {
    const sandbox = await serve({
      assume: { [id]: choice },
      merchant: { available: 100_000 },
      withdrawals: 'manual',
    });
    await sandbox.post('/withdrawals', { amount: 50, ...cpf });
    const { status, body } = await sandbox.post('/withdrawals', { amount: 50, ...cpf });
    expect(`${status}:${body.error}`).toBe(choice);
  });

  it.each([
    ['withdrawal-limit-code', '403:FORBIDDEN', { amount: 501 }],
    ['withdrawal-amount-code', '400:BAD_REQUEST', { amount: 49 }],
  ] as const)('%s=%s is how an amount is refused', async (id, choice, body) => {
    const sandbox = await serve({ assume: { [id]: choice }, merchant: { withdrawalLimit: 500 } });
    const reply = await sandbox.post('/withdrawals', { ...cpf, ...body });
    expect(`${reply.status}:${reply.body.error}`).toBe(choice);
  });

  it.each([
    ['404:NOT_FOUND', 'does not exist'],
    ['403:FORBIDDEN', 'belongs to another merchant'],
  ])('foreign-record=%s is the answer to another merchant who asks for a record', async (choice, words) => {
    const sandbox = await serve({
      assume: { 'foreign-record': choice },
      merchant: { available: 100_000 },
      withdrawals: 'manual',
    });
    const charge = await sandbox.charge(700);
    const customer = sandbox.addCustomer({ name: 'Ana', email: 'ana@example.com', taxId: '12345678909' });
    const withdrawal = (await sandbox.post('/withdrawals', { amount: 50, ...cpf })).body.data;
    const hook = { url: 'https://example.com/hook', events: ['CHARGE_PAID'] };
    const endpoint = (await sandbox.post('/webhooks', hook)).body.data;
    const other = { authorization: `Bearer ${sandbox.addMerchant().apiKey}` };
    for (const [method, path] of [
      ['GET', `/transparents/check?id=${charge.id}`],
      ['POST', `/transparents/refund?id=${charge.id}`],
      ['GET', `/customers/${customer.id}`],
      ['GET', `/withdrawals/${withdrawal.id}`],
      ['GET', `/webhooks/${endpoint.id}/deliveries`],
    ] as const) {
      const { status, body, headers } = await sandbox.send(method, path, { headers: other });
      expect([path, `${status}:${body.error}`]).toEqual([path, choice]);
      expect(body.message).toContain(words);
      expect(marks(headers)).toEqual(['foreign-record']);
      const absent = await sandbox.send(method, path.replace(/_\w+/, '_none'), { headers: other });
      expect([absent.status, marks(absent.headers)]).toEqual([404, []]);
    }
    const body = { method: 'PIX', amount: 500, customerId: customer.id };
    expect((await sandbox.post('/transparents/create', body, other)).status).toBe(404);
  });

  it.each([
    ['balance-last', ['are disabled', 'one at a time', 'above this', 'insufficient balance']],
    ['as-numbered', ['are disabled', 'one at a time', 'insufficient balance', 'above this']],
    ['amount-first', ['above this', 'insufficient balance', 'are disabled', 'one at a time']],
  ])('withdrawal-check-order=%s is the order of the checks when several fail', async (choice, order) => {
    const sandbox = await serve({
      assume: { 'withdrawal-check-order': choice },
      merchant: { available: 1_000, withdrawalLimit: 500 },
      withdrawals: 'manual',
    });
    const withdraw = (amount: number) => sandbox.post('/withdrawals', { amount, ...cpf });
    const { id } = (await withdraw(50)).body.data;
    sandbox.setMerchant({ withdrawalsEnabled: false });
    const mend: Record<string, () => unknown> = {
      'are disabled': () => sandbox.setMerchant({ withdrawalsEnabled: true }),
      'one at a time': () => sandbox.completeWithdrawal(id),
      'above this': () => sandbox.setMerchant({ withdrawalLimit: 100_000 }),
      'insufficient balance': () => sandbox.setMerchant({ available: 100_000 }),
    };
    for (const [at, words] of order.entries()) {
      const reply = await withdraw(10_000);
      expect(reply.body.message).toContain(words);
      expect([at, marks(reply.headers).includes('withdrawal-check-order')]).toEqual([at, at < 3]);
      mend[words]?.();
    }
    expect((await withdraw(10_000)).status).toBe(201);
  });

  it.each([
    ['as-numbered', 400],
    ['customer-first', 404],
  ])('charge-check-order=%s decides where amount and customer are both refused', async (choice, status) => {
    const sandbox = await serve({
      assume: { 'charge-check-order': choice },
      merchant: { minTicket: 1_000 },
    });
    const create = async (amount: number, customerId?: string) => {
      const body = { method: 'PIX', amount, customerId };
      const reply = await sandbox.post('/transparents/create', body);
      return [reply.status, ...marks(reply.headers)];
    };
    expect(await create(500, 'cust_none')).toEqual([status, 'charge-check-order']);
    expect(await create(500)).toEqual([400]);
    expect(await create(1_000, 'cust_none')).toEqual([404]);
  });

  it('withdrawal-list-shape=unpaged and withdrawal-list-scope=in-flight change what the list is', async () => {
    const world = { merchant: { available: 100_000 }, withdrawals: 'manual' } as const;
    for (const [assume, statuses, isPaged] of [
      [{}, ['PENDING', 'COMPLETED'], true],
      [{ 'withdrawal-list-shape': 'unpaged' }, ['PENDING', 'COMPLETED'], false],
      [{ 'withdrawal-list-scope': 'in-flight' }, ['PENDING'], true],
    ] as const) {
      const sandbox = await serve({ ...world, assume });
      const withdraw = () => sandbox.post('/withdrawals', { amount: 50, ...cpf });
      sandbox.completeWithdrawal((await withdraw()).body.data.id);
      await withdraw();
      const { body } = await sandbox.get(`/withdrawals?limit=${isPaged ? 2 : 1}`);
      expect(body.data.map(({ status }: { status: string }) => status)).toEqual(statuses);
      expect('pagination' in body).toBe(isPaged);
      expect(body.pagination?.hasMore ?? false).toBe(false);
    }
  });

  it.each([
    ['id', 'id', /^wd_/],
    ['number', 'id', /^[1-9]\d{14}$/],
    ['other-name', 'withdrawalId', /^wd_/],
  ])('withdrawal-id=%s is how a withdrawal is named, in answers and events', async (choice, field, form) => {
    const sandbox = await serve({
      assume: { 'withdrawal-id': choice },
      merchant: { available: 100_000 },
      withdrawals: 'manual',
    });
    const made = (await sandbox.post('/withdrawals', { amount: 50, ...cpf })).body.data;
    const id = String(made[field]);
    expect(id).toMatch(form);
    expect(typeof made[field]).toBe(choice === 'number' ? 'number' : 'string');
    expect(sandbox.completeWithdrawal(made[field])).toMatchObject({ id, status: 'COMPLETED' });
    expect(() => sandbox.failWithdrawal(id)).toThrow('COMPLETED');
    const told = [
      (await sandbox.get(`/withdrawals/${id}`)).body.data,
      (await sandbox.get('/withdrawals')).body.data[0],
      sandbox.events()[0]?.data,
    ];
    for (const one of told) expect([one[field], 'id' in one]).toEqual([made[field], field === 'id']);
  });

  it.each([
    [{}, 7, 7],
    [{ 'withdrawal-created-at': 'left-out' }, 6, 6],
    [{ 'withdrawal-create-shape': 'short' }, 2, 7],
    [{ 'withdrawal-get-shape': 'short' }, 7, 4],
    [{ 'withdrawal-get-shape': 'status' }, 7, 2],
  ])(
    'with %j a withdrawal has so many fields: %i when created, %i when read',
    async (assume, created, read) => {
      const sandbox = await serve({ assume, merchant: { available: 100_000 }, withdrawals: 'manual' });
      const made = (await sandbox.post('/withdrawals', { amount: 50, ...cpf })).body.data;
      const got = (await sandbox.get(`/withdrawals/${made.id}`)).body.data;
      const [listed] = (await sandbox.get('/withdrawals')).body.data;
      expect([made, got].map((one) => Object.keys(one).length)).toEqual([created, read]);
      expect(got).toMatchObject({ id: made.id, ...(read > 2 && { amount: 50 }), status: 'PENDING' });
      expect('createdAt' in listed).toBe(!('withdrawal-created-at' in assume));
    },
  );

  it('check-shape=without-code leaves the code to the answer of the creation', async () => {
    const sandbox = await serve({ assume: { 'check-shape': 'without-code' } });
    const { id } = await sandbox.charge(700);
    for (const _ of [1, 2]) {
      const { data } = (await sandbox.get(`/transparents/check?id=${id}`)).body;
      expect([data.id, data.status, 'brCode' in data, 'imageBase64' in data]).toEqual([
        id,
        'PENDING',
        false,
        false,
      ]);
    }
  });

  it('expired-transition=still-payable accepts a late payment', async () => {
    const late = async (choice: string) => {
      const sandbox = await serve({ assume: { 'expired-transition': choice } });
      const { id } = await sandbox.charge(700);
      sandbox.expire(id);
      const read = async () => (await sandbox.get(`/transparents/check?id=${id}`)).body.data.status;
      return { before: await read(), pay: () => sandbox.pay(id), read, sandbox };
    };
    const refused = await late('at-expires-at');
    expect(refused.pay).toThrow('is EXPIRED');
    const { before, pay, read, sandbox } = await late('still-payable');
    expect([before, pay().status, await read()]).toEqual(['EXPIRED', 'PAID', 'PAID']);
    expect(sandbox.events().map(({ event }) => event)).toEqual(['CHARGE_PAID']);
    expect(sandbox.merchant().balance.available).toBe(700);
    expect(pay).toThrow('is PAID');
  });

  it('refund-refused-code and refund-shape change the refund', async () => {
    const assume = { 'refund-refused-code': '409:CONFLICT', 'refund-shape': 'record' };
    const sandbox = await serve({ assume });
    const { id } = await sandbox.charge(700);
    expect((await sandbox.post(`/transparents/refund?id=${id}`)).status).toBe(409);
    sandbox.pay(id);
    const { data } = (await sandbox.post(`/transparents/refund?id=${id}`)).body;
    expect(data).toMatchObject({ id: expect.stringMatching(/^ref_/), chargeId: id, amount: 700 });
  });

  it('list-shape and withdrawal-listed-key change what the lists show, and nothing else', async () => {
    const world = { merchant: { available: 100_000 } };
    const short = await serve({ ...world, assume: { 'list-shape': 'without-code' } });
    const { id, brCode } = await short.charge(700);
    for (const _ of [1, 2]) {
      const [listed] = (await short.get('/transparents/list')).body.data;
      expect(listed).toMatchObject({ id, amount: 700, status: 'PENDING' });
      expect(listed).not.toHaveProperty('brCode');
      expect(listed).not.toHaveProperty('imageBase64');
    }
    expect((await short.get(`/transparents/check?id=${id}`)).body.data).toMatchObject({ brCode });
    for (const [choice, key, type] of [
      ['in-full', '12345678909', 'CPF'],
      ['masked', '***8909', 'CPF'],
      ['left-out', undefined, 'CPF'],
      ['without-type', '12345678909', undefined],
    ]) {
      const sandbox = await serve({ ...world, assume: { 'withdrawal-listed-key': String(choice) } });
      const made = (await sandbox.post('/withdrawals', { amount: 50, ...cpf })).body.data;
      const [listed] = (await sandbox.get('/withdrawals')).body.data;
      expect([listed.pixKey, listed.pixKeyType]).toEqual([key, type]);
      expect((await sandbox.get(`/withdrawals/${made.id}`)).body.data).toMatchObject({
        pixKey: '12345678909',
        pixKeyType: 'CPF',
      });
    }
  });

  it.each(['paged', 'unpaged'])(
    'list-lag keeps a new record out of a list, %s, but not from a read by its id',
    async (shape) => {
      const sandbox = await serve({
        assume: { 'list-lag': '3s', 'withdrawal-list-shape': shape },
        merchant: { available: 100_000 },
      });
      sandbox.clock.freeze();
      const { id } = await sandbox.charge(700);
      const { data } = (await sandbox.post('/withdrawals', { amount: 50, ...cpf })).body;
      const listed = async () => {
        const [charges, withdrawals] = await Promise.all(
          ['/transparents/list', '/withdrawals'].map(async (path) => (await sandbox.get(path)).body.data),
        );
        return [charges, withdrawals].map((all) => all.map((one: { id: string }) => one.id));
      };
      expect(await listed()).toEqual([[], []]);
      expect((await sandbox.get(`/transparents/check?id=${id}`)).status).toBe(200);
      expect((await sandbox.get(`/withdrawals/${data.id}`)).status).toBe(200);
      await sandbox.clock.advance(2_999);
      expect(await listed()).toEqual([[], []]);
      await sandbox.clock.advance(1);
      expect(await listed()).toEqual([[id], [data.id]]);
    },
  );

  it('list-lag leaves pages and cursors whole: what is not listed yet is on no further page either', async () => {
    const sandbox = await serve({ assume: { 'list-lag': '2s' } });
    sandbox.clock.freeze();
    const old = [await sandbox.charge(700), await sandbox.charge(701)];
    await sandbox.clock.advance('2s');
    await sandbox.charge(702);
    const { body } = await sandbox.get('/transparents/list?limit=1');
    expect(body).toMatchObject({ data: [{ id: old[1]?.id }], pagination: { hasMore: true } });
    const next = (await sandbox.get(`/transparents/list?limit=1&after=${body.pagination.next}`)).body;
    expect(next).toMatchObject({ data: [{ id: old[0]?.id }], pagination: { hasMore: false } });
    const back = (await sandbox.get(`/transparents/list?before=${next.pagination.before}`)).body;
    expect(back).toMatchObject({ data: [{ id: old[1]?.id }], pagination: { before: null } });
  });

  it('list-lag ends when time passes, even if nothing else happens', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const sandbox = await serve({ assume: { 'list-lag': '2s' } });
    const amounts = async () =>
      (await sandbox.get('/transparents/list')).body.data.map((one: { amount: number }) => one.amount);
    await sandbox.charge(700);
    expect([await amounts(), await amounts()]).toEqual([[], []]);
    vi.setSystemTime(Date.now() + 2_000);
    expect(await amounts()).toEqual([700]);
  });

  it('webhook-url-field renames the field on the wire', async () => {
    const sandbox = await serve({ assume: { 'webhook-url-field': 'targetUrl' } });
    const events = ['CHARGE_PAID'];
    const register = (body: object) => sandbox.post('/webhooks', { events, ...body });
    expect((await register({ targetUrl: 'https://example.com/hook' })).status).toBe(201);
    expect((await register({ url: 'https://example.com/hook' })).body.message).toBe('targetUrl: is required');
  });

  it('event-data-shape=nested and expired-transition=never are honoured', async () => {
    const sandbox = await serve({ assume: { 'event-data-shape': 'nested', 'expired-transition': 'never' } });
    sandbox.clock.freeze();
    const { id } = await sandbox.charge(700, { expiresIn: 60 });
    await sandbox.clock.advance('1h');
    expect(sandbox.pay(id).status).toBe('PAID');
    expect(sandbox.events()[0]?.data).toMatchObject({ charge: { id, amount: 700 } });
  });

  it('unknown-route and body-syntax-code give the code for what no operation handles', async () => {
    const assume = {
      'unknown-route': '400:BAD_REQUEST',
      'body-syntax-code': '400:BAD_REQUEST',
    };
    const sandbox = await serve({ assume });
    const nowhere = await sandbox.get('/nowhere');
    expect([nowhere.status, nowhere.body.error]).toEqual([400, 'BAD_REQUEST']);
    const headers = { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' };
    const broken = await sandbox.send('POST', '/withdrawals', { headers, body: '{' });
    expect([broken.status, broken.body.error]).toEqual([400, 'BAD_REQUEST']);
    const { hostname, port } = new URL(sandbox.url);
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    socket.end('this is no HTTP\r\n\r\n');
    const answer = (await socket.toArray()).join('');
    expect(answer).toContain('X-Sandbox-Assumption: body-syntax-code');
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(JSON.parse(body).error).toBe('BAD_REQUEST');
    expect(head).toContain(`Content-Length: ${body.length}`);
  });

  it('description-length decides on 140 emoji, and is named only where it matters', async () => {
    const create = async (choice: string, description: string) => {
      const sandbox = await serve({ assume: { 'description-length': choice } });
      const body = { method: 'PIX', amount: 500, description };
      const { status, headers } = await sandbox.post('/transparents/create', body);
      return [status, ...marks(headers)];
    };
    expect(await create('code-points', '😀'.repeat(140))).toEqual([201, 'description-length']);
    expect(await create('utf-16', '😀'.repeat(140))).toEqual([400, 'description-length']);
    expect(await create('code-points', '😀'.repeat(141))).toEqual([400]);
    expect(await create('utf-16', 'é'.repeat(140))).toEqual([201]);
  });

  it.each([
    ['kept', 'Ana'],
    ['null', null],
  ])('removed-customer=%s is what a charge shows of it, in answers and in events', async (choice, name) => {
    const sandbox = await serve({ assume: { 'removed-customer': choice } });
    const customer = sandbox.addCustomer({ name: 'Ana', email: 'ana@example.com', taxId: '12345678909' });
    const [charge, other] = [await sandbox.charge(700, { customerId: customer.id }), await sandbox.charge()];
    const nameIn = (data: { customer: { name: string } | null }) => data.customer?.name ?? null;
    const read = async (path: string) => {
      const { body, headers } = await sandbox.get(path);
      const told = Array.isArray(body.data) ? body.data.at(-1) : body.data;
      return [nameIn(told), marks(headers).includes('removed-customer')];
    };
    const paths = [`/transparents/check?id=${charge.id}`, '/transparents/list'];
    for (const path of paths) expect(await read(path)).toEqual(['Ana', false]);
    sandbox.removeCustomer(customer.id);
    for (const path of [...paths, ...paths]) expect(await read(path)).toEqual([name, true]);
    const [, marked] = await read(`/transparents/check?id=${other.id}`);
    expect(marked).toBe(false);
    sandbox.pay(charge.id);
    expect(nameIn(sandbox.events()[0]?.data as never)).toBe(name);
    const refunded = await sandbox.post(`/transparents/refund?id=${charge.id}`);
    expect([nameIn(refunded.body.data), marks(refunded.headers)]).toEqual([
      name,
      expect.arrayContaining(['removed-customer']),
    ]);
  });

  it.each([
    ['left-out', undefined],
    ['null', null],
  ])('withdrawal-without-reason=%s is how one that has not failed is shown', async (choice, reason) => {
    const sandbox = await serve({
      assume: { 'withdrawal-without-reason': choice },
      merchant: { available: 100_000 },
      withdrawals: 'manual',
    });
    const made = await sandbox.post('/withdrawals', { amount: 50, ...cpf });
    const { id } = made.body.data;
    const list = await sandbox.get('/withdrawals');
    for (const reply of [made, await sandbox.get(`/withdrawals/${id}`), list]) {
      expect([reply.body.data].flat()[0].failedReason).toBe(reason);
      expect(marks(reply.headers)).toContain('withdrawal-without-reason');
    }
    sandbox.failWithdrawal(id, 'no such key');
    const failed = await sandbox.get(`/withdrawals/${id}`);
    expect(failed.body.data.failedReason).toBe('no such key');
    const second = await sandbox.post('/withdrawals', { amount: 50, ...cpf });
    sandbox.completeWithdrawal(second.body.data.id);
    const [completed] = sandbox.events({ event: 'WITHDRAWAL_COMPLETED' });
    expect(completed?.data.failedReason).toBe(reason);
  });

  it('that is the only one is refused with another way to change it', async () => {
    await expect(startSandbox({ assume: { 'withdrawal-fee': '200' } })).rejects.toMatchObject({
      code: 'USAGE',
      hint: 'Its choices: 100. Another way: pixctl sandbox merchant set --fee <cents>.',
    });
  });

  it('bad-cursor-code=400:BAD_REQUEST is how a cursor is refused', async () => {
    const sandbox = await serve({ assume: { 'bad-cursor-code': '400:BAD_REQUEST' } });
    for (const query of ['after=x', 'after=', 'before=', 'after=x&before=y', 'after=&before=x']) {
      const { body, headers } = await sandbox.get(`/transparents/list?${query}`);
      expect([query, body.error, marks(headers)]).toEqual([query, 'BAD_REQUEST', ['bad-cursor-code']]);
    }
  });

  it('extra-property=ignore and unknown-query=ignore hold even if something else is wrong', async () => {
    const assume = {
      'extra-property': 'ignore',
      'unknown-query': 'ignore',
      'withdrawal-amount-code': '400:BAD_REQUEST',
    } as const;
    const sandbox = await serve({ assume });
    const told = async (body: object) => (await sandbox.post('/withdrawals', { ...cpf, ...body })).body;
    expect(await told({ amount: 49, note: 'x' })).toMatchObject({
      error: 'BAD_REQUEST',
      message: 'amount: must be at least 50',
    });
    expect((await told({ amount: '50', note: 'x' })).message).toBe('amount: must be an integer');
    const list = async (query: string) => (await sandbox.get(`/transparents/list?${query}`)).body;
    expect((await list('limit=0&status=PAID')).message).toBe('limit: must be at least 1');
    expect((await list('status=PAID&status=EXPIRED')).success).toBe(true);
    expect((await list('limit=1&limit=1&status=PAID')).message).toBe('limit: is given more than once');
  });

  it('pix-key-format=check-digits refuses a document with wrong ones; otherwise it is accepted, and marked', async () => {
    const wrong = [
      ['CPF', '12345678900'],
      ['CNPJ', '12345678000100'],
    ] as const;
    for (const [pixKeyType, pixKey] of wrong) {
      const body = { amount: 50, pixKey, pixKeyType };
      const lax = await serve({ merchant: { available: 100_000 } });
      const taken = await lax.post('/withdrawals', body);
      expect([taken.status, marks(taken.headers).includes('pix-key-format')]).toEqual([201, true]);
      const strict = await serve({ assume: { 'pix-key-format': 'check-digits' } });
      const refused = (await strict.post('/withdrawals', body)).body;
      expect([refused.error, refused.message]).toEqual([
        'VALIDATION_ERROR',
        `pixKey: has check digits that are wrong for pixKeyType ${pixKeyType}`,
      ]);
    }
    const right = await serve({
      assume: { 'pix-key-format': 'check-digits' },
      merchant: { available: 100_000 },
    });
    const taken = await right.post('/withdrawals', { amount: 50, ...cpf });
    expect([taken.status, marks(taken.headers).includes('pix-key-format')]).toEqual([201, false]);
  });

  it.each([
    ['EMAIL', `${'a'.repeat(80)}@example.com`],
    ['EMAIL', 'someone@localhost'],
    ['TELEFONE', '+123456'],
  ])('pix-key-format=loose accepts as %s %s, which is otherwise refused', async (pixKeyType, pixKey) => {
    const body = { amount: 50, pixKey, pixKeyType };
    const refused = await (await serve()).post('/withdrawals', body);
    expect([refused.body.error, marks(refused.headers)]).toEqual(['VALIDATION_ERROR', ['pix-key-format']]);
    const loose = await serve({ assume: { 'pix-key-format': 'loose' }, merchant: { available: 1_000 } });
    expect((await loose.post('/withdrawals', body)).body.data).toMatchObject({ pixKey, pixKeyType });
    expect((await loose.post('/withdrawals', { ...body, pixKey: 'x' })).body.error).toBe('VALIDATION_ERROR');
  });

  it('a refusal that would be the same either way does not rest on what is unlisted', async () => {
    const sandbox = await serve({ undocumented: 'error', assume: { 'webhook-url-field': 'url' } });
    const invalid = await sandbox.get('/customers/x?limit=1');
    expect([invalid.status, invalid.body.error]).toEqual([500, 'INTERNAL_ERROR']);
    const both = await serve();
    const { body, headers } = await both.post('/webhooks', { url: 1, events: ['CHARGE_PAID'], note: 'x' });
    expect(body.message).toBe('url: must be a string; note: is not an allowed property');
    expect(marks(headers)).not.toContain('extra-property');
  });

  it('webhook-url-field is the name of the field in a refusal, and `url` is then an unlisted property', async () => {
    const told = async (assume: Partial<Record<AssumptionId, string>>, url: object) => {
      const sandbox = await serve({ assume: { 'webhook-url-field': 'endpoint', ...assume } });
      return (await sandbox.post('/webhooks', { events: ['CHARGE_PAID'], ...url })).body;
    };
    expect((await told({}, { endpoint: 5 })).message).toBe('endpoint: must be a string');
    expect((await told({}, { endpoint: '' })).message).toBe('endpoint: must not be empty');
    const both = { endpoint: 'https://shop.example/', url: 'https://other.example/' };
    expect((await told({}, both)).message).toBe('url: is not an allowed property');
    expect((await told({ 'extra-property': 'ignore' }, both)).data.url).toBe('https://shop.example/');
  });

  it.each(['1e400', '1e300', '9007199254740993', '-1e400'])(
    'an amount of %s, which no number can hold, is out of bounds like any other',
    async (amount) => {
      const sandbox = await serve({
        assume: { 'withdrawal-amount-code': '400:BAD_REQUEST', 'charge-check-order': 'customer-first' },
      });
      const post = (path: string, body: string) =>
        sandbox.send('POST', path, {
          headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
          body,
        });
      const charge = await post('/transparents/create', `{"method":"PIX","amount":${amount}}`);
      expect([charge.status, charge.body.error]).toEqual([400, 'BAD_REQUEST']);
      expect(charge.body.message).toBe('amount: must be from 100 to 100000000 cents');
      const foreign = `{"method":"PIX","amount":${amount},"customerId":"cust_none"}`;
      expect((await post('/transparents/create', foreign)).status).toBe(404);
      const withdrawal = `{"amount":${amount},"pixKey":"12345678909","pixKeyType":"CPF"}`;
      const refused = await post('/withdrawals', withdrawal);
      expect([refused.status, refused.body.error]).toEqual([400, 'BAD_REQUEST']);
      expect(refused.body.message).toMatch(/^amount: must be at (least 50|most 100000000)$/);
    },
  );

  it('extra-property=ignore lets unlisted properties pass, but never in a charge', async () => {
    const sandbox = await serve({ assume: { 'extra-property': 'ignore' }, merchant: { available: 100_000 } });
    expect((await sandbox.post('/withdrawals', { amount: 50, ...cpf, note: 'x' })).status).toBe(201);
    const charge = await sandbox.post('/transparents/create', { method: 'PIX', amount: 500, note: 'x' });
    expect(charge.status).toBe(400);
  });
});

describe('--undocumented', () => {
  it('error answers 500, without effect, for what rests on a guess, and serves what was chosen by name', async () => {
    const sandbox = await serve({
      undocumented: 'error',
      assume: { 'check-shape': 'charge' },
      merchant: { available: 100_000 },
    });
    const { id } = await sandbox.charge();
    expect((await sandbox.get(`/transparents/check?id=${id}`)).status).toBe(200);
    const list = await sandbox.get('/transparents/list');
    expect([list.status, list.body.error]).toEqual([500, 'INTERNAL_ERROR']);
    expect(list.body.message).toContain('list-order');
    const body = { amount: 50, pixKey: '12345678909', pixKeyType: 'CPF' };
    expect((await sandbox.post('/withdrawals', body)).status).toBe(500);
    expect(sandbox.merchant().balance).toEqual({ available: 100_000, pending: 0 });
  });

  it('error answers as documented where the document says how a call is refused', async () => {
    const sandbox = await serve({ undocumented: 'error', assume: { 'withdrawal-fee': '100' } });
    const answer = async (method: 'get' | 'post', path: string, body?: object) => {
      const told = await sandbox[method](path, body as never);
      return `${told.status}:${told.body.error}`;
    };
    const withdrawal = { amount: 50, ...cpf };
    expect(await answer('get', '/transparents/check?id=chg_none')).toBe('404:NOT_FOUND');
    expect(await answer('post', '/transparents/refund')).toBe('400:VALIDATION_ERROR');
    expect(await answer('get', '/transparents/list?limit=0')).toBe('400:VALIDATION_ERROR');
    expect(await answer('get', '/withdrawals/wd_none')).toBe('404:NOT_FOUND');
    expect(await answer('get', '/webhooks/wh_none/deliveries')).toBe('404:NOT_FOUND');
    expect(await answer('post', '/withdrawals', { ...withdrawal, pixKeyType: 'PHONE' })).toBe(
      '400:VALIDATION_ERROR',
    );
    expect(await answer('post', '/withdrawals', withdrawal)).toBe('400:BAD_REQUEST');
    sandbox.setMerchant({ withdrawalsEnabled: false, available: 1_000 });
    expect(await answer('post', '/withdrawals', withdrawal)).toBe('403:FORBIDDEN');
  });

  it('error leaves nothing of a refund that it answers 500: no event, no money, no job', async () => {
    const sandbox = await serve({ undocumented: 'error' });
    await sandbox.control('PATCH', '/merchants/default', { available: 5_000 });
    const { id } = await sandbox.charge();
    sandbox.pay(id);
    const before = [sandbox.merchant().balance, sandbox.events().length];
    expect((await sandbox.post(`/transparents/refund?id=${id}`)).status).toBe(500);
    expect([sandbox.merchant().balance, sandbox.events().length]).toEqual(before);
    expect((await sandbox.control('GET', `/charges/${id}`)).body.status).toBe('PAID');
  });

  it('random draws each open choice, the same for the same seed, and only among the known ones', async () => {
    const drawn = async (seed: string) => {
      const sandbox = await serve({ undocumented: 'random', seed });
      const list = (await sandbox.control('GET', '/assumptions')).body as {
        id: AssumptionId;
        inForce: string;
      }[];
      return list.map(({ id, inForce }) => [id, inForce] as const);
    };
    const runs = await Promise.all(['a', 'a', 'b', 'c', 'd'].map(drawn));
    expect(runs[1]).toEqual(runs[0]);
    expect(new Set(runs.map((run) => JSON.stringify(run))).size).toBeGreaterThan(2);
    for (const [id, inForce] of runs.flat()) expect(assumptions[id].choices).toContain(inForce);
  });

  it('random draws the same for one seed after a restart with its state, and when another point is chosen', async () => {
    const state = join(mkdtempSync(join(tmpdir(), 'pixctl-drawn-')), 'shop.db');
    const runs: Record<string, string>[] = [];
    for (const assume of [{}, {}, { 'refund-shape': 'record' }]) {
      await using sandbox = await startSandbox({ undocumented: 'random', seed: 'a', state, assume });
      const inForce = Object.fromEntries(sandbox.assumptions().map((it) => [it.id, it.inForce]));
      runs.push({ ...inForce, 'refund-shape': 'left out' });
    }
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[2]).toEqual(runs[0]);
  });

  it('refuses an assumption or a behaviour that does not exist', async () => {
    await expect(startSandbox({ assume: { 'list-order': 'sideways' } })).rejects.toThrow(
      /not a behaviour of list-order/,
    );
    const state = join(mkdtempSync(join(tmpdir(), 'pixctl-refused-')), 'shop.db');
    const slip = startSandbox({ state, assume: { nope: 'x' } as object });
    await expect(slip).rejects.toThrow(/no assumption "nope"/);
    expect(existsSync(state)).toBe(false);
  });

  it.each([
    ['signature-header', 'bad header'],
    ['signature-header', 'X-Sig\r\nX-Other'],
    ['signature-header', 'Content-Length'],
    ['signature-header', 'trailer'],
    ['signature-header', ''],
    ['webhook-url-field', 'events'],
    ['webhook-url-field', ''],
    ['list-lag', '2'],
  ] as const)('refuses %s=%j, which is not possible', async (id, name) => {
    await expect(startSandbox({ assume: { [id]: name } })).rejects.toThrow(`not a behaviour of ${id}`);
  });

  it('sends the signature under any valid header name', async () => {
    await using hook = await startReceiver(200);
    const sandbox = await serve({ assume: { 'signature-header': "x!sig_1'" } });
    await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
    sandbox.trigger('CHARGE_PAID');
    await sandbox.clock.advance(0);
    expect(sandbox.deliveries()).toMatchObject([{ state: 'DELIVERED' }]);
    expect(sandbox.deliveries()[0]?.attempts[0]?.request.headers).toHaveProperty(["x!sig_1'"]);
  });
});
