/** Document: "POST /transparents/refund", "States and transitions" of a charge. */
import { describe, expect, it } from 'vitest';
import { serve } from '../support/over-http.ts';

describe('the states of a charge', () => {
  it('is PAID once, credits the balance and emits CHARGE_PAID', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge(1_050);
    expect(sandbox.pay(id).status).toBe('PAID');
    expect(() => sandbox.pay(id)).toThrow(/is PAID/);
    expect(sandbox.merchant().balance).toEqual({ available: 1_050, pending: 0 });
    expect(sandbox.events()).toMatchObject([
      { event: 'CHARGE_PAID', data: { id, amount: 1_050, status: 'PAID' } },
    ]);
  });

  it('is EXPIRED from the very millisecond of expiresAt, can then not be paid, and nothing is emitted', async () => {
    const sandbox = await serve();
    sandbox.clock.freeze();
    const { id } = await sandbox.charge(1_050, { expiresIn: 60 });
    const status = async () => (await sandbox.get(`/transparents/check?id=${id}`)).body.data.status;
    await sandbox.clock.advance(59_999);
    expect(await status()).toBe('PENDING');
    await sandbox.clock.advance(1);
    expect(await status()).toBe('EXPIRED');
    expect((await sandbox.get('/transparents/list')).body.data[0].status).toBe('EXPIRED');
    expect(() => sandbox.pay(id)).toThrow(/is EXPIRED/);
    expect(sandbox.events()).toEqual([]);
  });

  it('expires and is disputed by hand only from where that makes sense', async () => {
    const sandbox = await serve();
    const [open, paid] = [await sandbox.charge(), await sandbox.charge()];
    sandbox.pay(paid.id);
    expect(() => sandbox.dispute(open.id)).toThrow(/is PENDING/);
    expect(() => sandbox.expire(paid.id)).toThrow(/is PAID/);
    expect(sandbox.expire(open.id).status).toBe('EXPIRED');
    expect(sandbox.dispute(paid.id).status).toBe('DISPUTED');
  });
});

describe('POST /transparents/refund', () => {
  it('refunds a paid charge whole, without a body, and emits REFUND_COMPLETED', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge(1_050);
    sandbox.pay(id);
    const reply = await sandbox.send('POST', `/transparents/refund?id=${id}`, {
      headers: { authorization: `Bearer ${sandbox.apiKey}` },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ data: { id, status: 'REFUNDED' }, error: null, success: true });
    expect(sandbox.merchant().balance).toEqual({ available: 0, pending: 0 });
    expect(sandbox.events().map(({ event }) => event)).toEqual(['CHARGE_PAID', 'REFUND_COMPLETED']);
  });

  it.each([
    ['in one piece', (text: string) => text],
    ['in chunks', (text: string) => new Blob([text]).stream()],
  ])('refuses an amount, %s, or ignores it if told to', async (_, bodyOf) => {
    for (const [choice, status, now] of [
      ['refuse', 400, 'PAID'],
      ['ignore', 200, 'REFUNDED'],
    ] as const) {
      const sandbox = await serve({ assume: { 'extra-property': choice } });
      const { id } = await sandbox.charge(1_050);
      sandbox.pay(id);
      const headers = { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' };
      const init = { headers, body: bodyOf('{"amount":1}'), duplex: 'half' as const };
      const reply = await sandbox.send('POST', `/transparents/refund?id=${id}`, init);
      expect(reply.status).toBe(status);
      expect(reply.headers.get('x-sandbox-assumption')).toContain('extra-property');
      if (status === 400) {
        const message = 'amount: is not an allowed property';
        expect(reply.body).toMatchObject({ error: 'VALIDATION_ERROR', message });
      }
      expect((await sandbox.get(`/transparents/check?id=${id}`)).body.data.status).toBe(now);
    }
  });

  it.each([
    ['an empty object', 'application/json', () => '{}', 200],
    ['what is announced and does not come', 'application/json', () => new Blob([]).stream(), 200],
    ['what is no JSON', 'application/x-www-form-urlencoded', () => 'amount=1', 400],
  ])('takes %s for what it is', async (_, type, bodyOf, status) => {
    const sandbox = await serve();
    const { id } = await sandbox.charge(1_050);
    sandbox.pay(id);
    const headers = { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': type };
    const init = { headers, body: bodyOf(), duplex: 'half' as const };
    const reply = await sandbox.send('POST', `/transparents/refund?id=${id}`, init);
    expect(reply.status).toBe(status);
  });

  it('refunds once, however many ask at the same time', async () => {
    const sandbox = await serve({ merchant: { available: 100_000 } });
    const { id } = await sandbox.charge(1_050);
    sandbox.pay(id);
    const asked = Array.from({ length: 20 }, () => sandbox.post(`/transparents/refund?id=${id}`));
    const answers = (await Promise.all(asked)).map(({ status }) => status).sort();
    expect(answers).toEqual([200, ...Array(19).fill(400)]);
    expect(sandbox.merchant().balance.available).toBe(100_000);
  });

  it('is refused for a charge that is not PAID', async () => {
    const sandbox = await serve();
    const [open, disputed, expired] = [
      await sandbox.charge(),
      await sandbox.charge(),
      await sandbox.charge(),
    ];
    sandbox.pay(disputed.id);
    sandbox.dispute(disputed.id);
    sandbox.expire(expired.id);
    for (const { id } of [open, disputed, expired]) {
      const { status, body, headers } = await sandbox.post(`/transparents/refund?id=${id}`);
      expect([status, body.error]).toEqual([400, 'BAD_REQUEST']);
      expect(headers.get('x-sandbox-assumption')).toContain('refund-refused-code');
    }
  });

  it('is refused when the money is gone, unless an overdraft is assumed', async () => {
    for (const [choice, status, available] of [
      ['refuse', 400, 0],
      ['overdraw', 200, -1_050],
    ] as const) {
      const sandbox = await serve({ assume: { 'refund-balance': choice } });
      const { id } = await sandbox.charge(1_050);
      sandbox.pay(id);
      sandbox.setMerchant({ available: 0 });
      expect((await sandbox.post(`/transparents/refund?id=${id}`)).status).toBe(status);
      expect(sandbox.merchant().balance.available).toBe(available);
    }
  });

  it.each(['/transparents/refund', '/transparents/check'])(
    '%s needs one id that exists and is the merchant’s own',
    async (path) => {
      const sandbox = await serve();
      const method = path.endsWith('refund') ? 'POST' : 'GET';
      const other = sandbox.addMerchant();
      const foreign = await sandbox.post(
        '/transparents/create',
        { method: 'PIX', amount: 500 },
        { authorization: `Bearer ${other.apiKey}` },
      );
      const ask = async (query: string) => {
        const headers = { authorization: `Bearer ${sandbox.apiKey}` };
        const { status, body } = await sandbox.send(method, path + query, { headers });
        return `${status} ${body.error}: ${body.message}`;
      };
      expect(await ask('')).toBe('400 VALIDATION_ERROR: id: is required');
      expect(await ask('?id=')).toBe('400 VALIDATION_ERROR: id: must not be empty');
      expect(await ask('?id=a&id=b')).toBe('400 VALIDATION_ERROR: id: is given more than once');
      expect(await ask('?id=chg_none')).toBe('404 NOT_FOUND: charge chg_none does not exist');
      expect(await ask(`?id=${foreign.body.data.id}`)).toMatch(/^404 NOT_FOUND/);
    },
  );

  it('completes it later if refund-completion says so: the money leaves at once, state and event follow', async () => {
    const sandbox = await serve({ assume: { 'refund-completion': '30s' } });
    sandbox.clock.freeze();
    const { id } = await sandbox.charge(1_050);
    sandbox.pay(id);
    const refund = () => sandbox.post(`/transparents/refund?id=${id}`);
    const names = () => sandbox.events().map(({ event }) => event);
    const status = async () => (await sandbox.get(`/transparents/check?id=${id}`)).body.data.status;
    const accepted = await refund();
    expect([accepted.status, accepted.body.data.status, await status()]).toEqual([200, 'PAID', 'PAID']);
    expect(accepted.headers.get('x-sandbox-assumption')).toContain('refund-completion');
    expect(sandbox.merchant().balance.available).toBe(0);
    const second = await refund();
    expect(second.body).toMatchObject({
      error: 'BAD_REQUEST',
      message: `charge ${id} is being refunded already`,
    });
    expect(() => sandbox.dispute(id)).toThrow('is being refunded');
    await sandbox.clock.advance(29_999);
    expect([await status(), names()]).toEqual(['PAID', ['CHARGE_PAID']]);
    await sandbox.clock.advance(1);
    expect([await status(), names()]).toEqual(['REFUNDED', ['CHARGE_PAID', 'REFUND_COMPLETED']]);
    expect(sandbox.merchant().balance).toEqual({ available: 0, pending: 0 });
    expect((await refund()).body.message).toContain('is REFUNDED');
  });

  it.each([
    ['at-once', 'COMPLETED'],
    ['30s', 'PENDING'],
  ])('shows in a record whether it is completed: refund-completion=%s is %s', async (completion, status) => {
    const sandbox = await serve({ assume: { 'refund-shape': 'record', 'refund-completion': completion } });
    const { id } = await sandbox.charge(1_050);
    sandbox.pay(id);
    const { data } = (await sandbox.post(`/transparents/refund?id=${id}`)).body;
    expect(data).toMatchObject({ chargeId: id, amount: 1_050, status });
  });
});
