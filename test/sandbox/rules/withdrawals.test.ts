/** Document: "POST /withdrawals", "States and transitions" of a withdrawal, "Limits". */
import { describe, expect, it } from 'vitest';
import { emptyHome } from '../../support/run.ts';
import { type Served, serve } from '../support/over-http.ts';

const rich = { merchant: { available: 1_000_000_000 } };
const cpf = { pixKey: '12345678909', pixKeyType: 'CPF' };
const withdraw = (sandbox: Served, more: object = {}) =>
  sandbox.post('/withdrawals', { amount: 10_000, ...cpf, ...more });
const codeOf = async (reply: ReturnType<typeof withdraw>) => {
  const { status, body } = await reply;
  return status === 201 ? 201 : `${status} ${body.error}`;
};

describe('POST /withdrawals', () => {
  it('answers 201 with a PENDING withdrawal and reserves amount and fee', async () => {
    const sandbox = await serve({ merchant: { available: 20_000 } });
    const { status, body } = await withdraw(sandbox);
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^wd_/),
        amount: 10_000,
        fee: 100,
        pixKey: '12345678909',
        pixKeyType: 'CPF',
        status: 'PENDING',
        createdAt: expect.any(String),
      },
      error: null,
      success: true,
    });
    expect(sandbox.merchant().balance).toEqual({ available: 9_900, pending: 10_100 });
  });

  it('needs amount and fee, to the cent, and says what there is and what is needed', async () => {
    const sandbox = await serve({ merchant: { available: 10_099 } });
    const { status, body } = await withdraw(sandbox);
    expect([status, body.error]).toEqual([400, 'BAD_REQUEST']);
    expect(body.message).toBe('insufficient balance: 10099 cents available, 10100 cents needed');
    sandbox.setMerchant({ available: 10_100 });
    expect(await codeOf(withdraw(sandbox))).toBe(201);
    expect(sandbox.merchant().balance).toEqual({ available: 0, pending: 10_100 });
  });

  it.each([
    [49, '400 VALIDATION_ERROR'],
    [50, 201],
    [100_000_000, 201],
    [100_000_001, '400 VALIDATION_ERROR'],
    [0, '400 VALIDATION_ERROR'],
    [-50, '400 VALIDATION_ERROR'],
    [50.5, '400 VALIDATION_ERROR'],
    ['50', '400 VALIDATION_ERROR'],
  ])('answers an amount of %j with %s', async (amount, answer) => {
    const sandbox = await serve(rich);
    expect(await codeOf(withdraw(sandbox, { amount }))).toBe(answer);
  });

  it.each([
    ['CPF', '12345678909', true],
    ['CPF', '1234567890', false],
    ['CPF', '123.456.789-09', false],
    ['CNPJ', '12345678000195', true],
    ['CNPJ', '1234567800019', false],
    ['EMAIL', 'maria@example.com', true],
    ['EMAIL', 'maria', false],
    ['TELEFONE', '+5511987654321', true],
    ['TELEFONE', '11987654321', false],
    ['CHAVE_ALEATORIA', '123e4567-e12b-12d1-a456-426655440000', true],
    ['CHAVE_ALEATORIA', '123e4567e12b12d1a456426655440000', false],
    ['PHONE', '+5511987654321', false],
    ['cpf', '12345678909', false],
  ])('takes the key type %s with %s: %s', async (pixKeyType, pixKey, taken) => {
    const sandbox = await serve(rich);
    expect(await codeOf(withdraw(sandbox, { pixKey, pixKeyType }))).toBe(
      taken ? 201 : '400 VALIDATION_ERROR',
    );
  });

  it('refuses properties that are not listed, naming them', async () => {
    const sandbox = await serve(rich);
    const { status, body, headers } = await withdraw(sandbox, { reference: 'x' });
    expect([status, body.error]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.message).toBe('reference: is not an allowed property');
    expect(headers.get('x-sandbox-assumption')).toContain('extra-property');
  });

  it('is 403 FORBIDDEN while withdrawals are blocked', async () => {
    const sandbox = await serve({ merchant: { available: 1_000_000, withdrawalsEnabled: false } });
    expect(await codeOf(withdraw(sandbox))).toBe('403 FORBIDDEN');
  });

  it("keeps to the merchant's limit, both edges", async () => {
    const sandbox = await serve({ merchant: { available: 1_000_000, withdrawalLimit: 10_000 } });
    expect(await codeOf(withdraw(sandbox, { amount: 10_001 }))).toBe('400 BAD_REQUEST');
    expect(await codeOf(withdraw(sandbox, { amount: 10_000 }))).toBe(201);
  });

  it('lets exactly one of many simultaneous ones through', async () => {
    const sandbox = await serve({ ...rich, withdrawals: 'manual' });
    const answers = await Promise.all(Array.from({ length: 40 }, () => codeOf(withdraw(sandbox))));
    expect(answers.filter((answer) => answer === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer === '400 BAD_REQUEST')).toHaveLength(39);
    expect(sandbox.merchant().balance.pending).toBe(10_100);
  });

  it('is one in flight for each merchant, not for all', async () => {
    const sandbox = await serve({ ...rich, withdrawals: 'manual' });
    const other = sandbox.addMerchant({ available: 1_000_000 });
    expect(await codeOf(withdraw(sandbox))).toBe(201);
    const reply = await sandbox.post(
      '/withdrawals',
      { amount: 50, ...cpf },
      { authorization: `Bearer ${other.apiKey}` },
    );
    expect(reply.status).toBe(201);
    const foreign = await sandbox.get(`/withdrawals/${reply.body.data.id}`);
    expect([foreign.status, foreign.body.error]).toEqual([404, 'NOT_FOUND']);
  });
});

const statusOf = async (sandbox: Served, id: string) =>
  (await sandbox.get(`/withdrawals/${id}`)).body.data.status;

describe('how a withdrawal proceeds', () => {
  it('goes PENDING, PROCESSING, COMPLETED on the clock, and the money leaves', async () => {
    const sandbox = await serve({ merchant: { available: 20_000 } });
    sandbox.clock.freeze();
    const { id } = (await withdraw(sandbox)).body.data;
    const seen = [await statusOf(sandbox, id)];
    for (const step of ['1s', '1s', '2s']) {
      await sandbox.clock.advance(step);
      seen.push(await statusOf(sandbox, id));
    }
    expect(seen).toEqual(['PENDING', 'PENDING', 'PROCESSING', 'COMPLETED']);
    expect(sandbox.merchant().balance).toEqual({ available: 9_900, pending: 0 });
    const [event] = sandbox.events();
    expect(event).toMatchObject({
      event: 'WITHDRAWAL_COMPLETED',
      data: { id, amount: 10_000, status: 'COMPLETED' },
    });
    expect(sandbox.events()).toHaveLength(1);
  });

  it('fails by hand with a reason, and the reserved balance comes back', async () => {
    const sandbox = await serve({ merchant: { available: 20_000 }, withdrawals: 'manual' });
    const { id } = (await withdraw(sandbox)).body.data;
    await sandbox.clock.advance('30d');
    expect(await statusOf(sandbox, id)).toBe('PENDING');
    expect(sandbox.failWithdrawal(id, 'account closed')).toMatchObject({
      status: 'FAILED',
      failedReason: 'account closed',
    });
    expect(sandbox.merchant().balance).toEqual({ available: 20_000, pending: 0 });
    expect(sandbox.events()[0]).toMatchObject({
      event: 'WITHDRAWAL_FAILED',
      data: { failedReason: 'account closed' },
    });
    expect(() => sandbox.completeWithdrawal(id)).toThrow(/is FAILED/);
    expect(await codeOf(withdraw(sandbox))).toBe(201);
  });

  it('is not completed a second time by a step that was already due', async () => {
    const sandbox = await serve({ merchant: { available: 20_000 } });
    sandbox.clock.freeze();
    const { id } = (await withdraw(sandbox)).body.data;
    sandbox.completeWithdrawal(id);
    await sandbox.clock.advance('1h');
    expect(sandbox.events()).toHaveLength(1);
    expect(sandbox.merchant().balance).toEqual({ available: 9_900, pending: 0 });
  });

  it('is answered PENDING and then done at once with --withdrawals immediate', async () => {
    const sandbox = await serve({ ...rich, withdrawals: 'immediate' });
    const { data } = (await withdraw(sandbox)).body;
    expect(data.status).toBe('PENDING');
    await sandbox.waitForEvent('WITHDRAWAL_COMPLETED');
    expect(await statusOf(sandbox, data.id)).toBe('COMPLETED');
  });
});

describe('a withdrawal that an earlier run has left in flight', () => {
  /** Of a run with the one progression, its withdrawal's status a minute into a run with the other. */
  async function leftTo(withdrawals: 'timed' | 'immediate' | 'manual', by: 'timed' | 'manual') {
    const state = `${emptyHome()}/state.db`;
    const first = await serve({ ...rich, state, withdrawals: by });
    const { id } = (await withdraw(first)).body.data;
    await first.close();
    const second = await serve({ state, withdrawals });
    await second.clock.advance('1m');
    const { status } = (await second.get(`/withdrawals/${id}`)).body.data;
    await second.close();
    return status;
  }

  it.each([
    ['manual', 'timed', 'COMPLETED'],
    ['manual', 'immediate', 'COMPLETED'],
    ['timed', 'timed', 'COMPLETED'],
    ['timed', 'manual', 'PENDING'],
  ] as const)('by a %s sandbox continues in a %s one: %s', async (by, withdrawals, status) => {
    expect(await leftTo(withdrawals, by)).toBe(status);
  });

  it.each([
    ['immediate', {}, 0],
    ['timed', { withdrawalStepMs: 1_000 }, 2_000],
  ] as const)(
    'by a sandbox with hour-long steps continues within the steps of a %s one',
    async (...given) => {
      const [withdrawals, step, ms] = given;
      const state = `${emptyHome()}/state.db`;
      const first = await serve({ ...rich, state, withdrawalStepMs: 3_600_000 });
      const { id } = (await withdraw(first)).body.data;
      await first.close();
      const second = await serve({ state, withdrawals, ...step });
      await second.clock.advance(ms);
      expect(await statusOf(second, id)).toBe('COMPLETED');
    },
  );

  it('waits no longer than it would have if the steps are the same', async () => {
    const state = `${emptyHome()}/state.db`;
    const steps = { state, withdrawals: 'timed', withdrawalStepMs: 10_000 } as const;
    const first = await serve({ ...rich, ...steps });
    const { id } = (await withdraw(first)).body.data;
    await first.clock.advance('6s');
    await first.close();
    const second = await serve(steps);
    await second.clock.advance('4s');
    expect(await statusOf(second, id)).toBe('PROCESSING');
  });

  it('or that a snapshot holds continues likewise', async () => {
    const manual = await serve({ ...rich, withdrawals: 'manual' });
    const { id } = (await withdraw(manual)).body.data;
    const timed = await serve();
    await timed.restore(manual.snapshot());
    await timed.clock.advance('1m');
    expect((await timed.get(`/withdrawals/${id}`)).body.data.status).toBe('COMPLETED');
  });

  it('or that a snapshot holds is left to a person, even if the clock was told to move meanwhile', async () => {
    const timed = await serve(rich);
    timed.clock.freeze();
    const { id } = (await withdraw(timed)).body.data;
    const manual = await serve({ withdrawals: 'manual' });
    // By its own clock, the step is due.
    await manual.clock.advance('1h');
    await Promise.all([manual.restore(timed.snapshot()), manual.clock.advance('1m')]);
    expect((await manual.get(`/withdrawals/${id}`)).body.data.status).toBe('PENDING');
  });
});
