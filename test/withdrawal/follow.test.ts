/** Follow: a withdrawal that was accepted, until it ends or the wait does. */
import { describe, expect, it } from 'vitest';
import { PixctlError, storageError } from '../../src/errors.ts';
import type { Dependencies } from '../../src/withdrawal/dependencies.ts';
import { currentOutcome, follow } from '../../src/withdrawal/follow.ts';
import { withdraw } from '../../src/withdrawal/withdraw.ts';
import { accepted, codes, order, scope, sendAndLose, withdrawal } from './desk.ts';
import { at, idempotencyKey } from './own-desk.ts';

describe('follow', () => {
  const wait = () => follow(at, { scope, idempotencyKey, timeoutMs: 10_000 });

  it('gives a read no longer than is left of the wait, but a single look the full time of a read', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    const given: (number | undefined)[] = [];
    const read: Dependencies['service']['withdrawal'] = async (_, withinMs) => {
      given.push(withinMs);
      at.time += 6_000;
      return withdrawal('w1', { status: 'PROCESSING' });
    };
    const slow = { ...at, service: { ...at.service, withdrawal: read } };
    await follow(slow, { scope, idempotencyKey, timeoutMs: 10_000 });
    await follow(slow, { scope, idempotencyKey, timeoutMs: 0 });
    expect(given).toEqual([10_000, 3_800, undefined]);
  });

  it.each([
    ['less than a pause', 100, [200, 300, 450]],
    ['longer', 5_000, [5_000, 5_000]],
    ['longer than the wait', 60_000, [10_000]],
  ])('leaves a service alone that asks for %s', async (_, retryAfterMs, pauses) => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.service.withdrawal = () => Promise.reject(new PixctlError('later', 'X', 'no', { retryAfterMs }));
    const slept: number[] = [];
    const sleep = (ms: number) => {
      slept.push(ms);
      return at.clock.sleep(ms);
    };
    const clock = { ...at.clock, sleep };
    await follow({ ...at, clock }, { scope, idempotencyKey, timeoutMs: 10_000 });
    expect(slept.slice(0, pauses.length)).toEqual(pauses);
  });

  it.each([
    ['COMPLETED', ['ok', 'COMPLETED']],
    ['FAILED', ['endedBadly', 'FAILED']],
    ['PROCESSING', ['pending', 'PENDING']],
    ['A_STATUS_OF_TOMORROW', ['pending', 'PENDING']],
  ])('to %s', async (status, expected) => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1', { status, failedReason: 'no such key' }));
    expect(await codes(wait())).toEqual(expected);
  });

  it.each([
    [{ id: 'w1', status: 'COMPLETED' }, ['ok', 'COMPLETED']],
    [{ id: 'w1', status: 'FAILED' }, ['endedBadly', 'FAILED']],
    [{ id: 'w2', status: 'COMPLETED' }, ['pending', 'PENDING']],
    [{ status: 'COMPLETED' }, ['pending', 'PENDING']],
  ])('believes %j, which shows no amount, only if its id is right', async (read, expected) => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.service.withdrawal = async () => read;
    expect(await codes(wait())).toEqual(expected);
    expect((await at.ledger.find(scope, idempotencyKey))?.amount).toBe(1_050);
    if (expected[0] === 'pending') expect((await wait()).message).toContain('asked for w1');
  });

  it('does not end because another process noted something while the end was being written', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1', { status: 'FAILED' }));
    const { record } = at.ledger;
    at.ledger.record = async (...given) => {
      at.ledger.record = record;
      await record(given[0], { state: 'ACCEPTED' }, { id: 'noted', at: at.time, what: 'late-unknown' });
      return record(...given);
    };
    expect(await codes(wait())).toEqual(['endedBadly', 'FAILED']);
  });

  it('by one look with a key that the service does not accept is not told as well', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.service.withdrawal = () => Promise.reject(new PixctlError('auth', 'UNAUTHORIZED', 'no such key'));
    expect(await codes(currentOutcome(at, { scope, idempotencyKey }))).toEqual(['auth', 'UNAUTHORIZED']);
  });

  it('goes on while the service cannot be read, and says that it could not', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.service.withdrawal = () =>
      Promise.reject(new PixctlError('later', 'X', 'Interrupted. Nothing was sent.'));
    expect((await wait()).message).toBe(
      'the withdrawal w1 was accepted, and could not be read after that (Interrupted)',
    );
    const { withdrawal: unread } = at.service;
    let reads = 0;
    at.service.withdrawal = (id) => {
      reads++;
      return unread(id);
    };
    const outcome = await follow(
      { ...at, signal: AbortSignal.abort('SIGTERM') },
      { scope, idempotencyKey, timeoutMs: 10_000 },
    );
    expect(reads).toBe(1);
    expect([outcome.exit, outcome.code, outcome.message]).toEqual([
      'pending',
      'PENDING',
      'the withdrawal w1 was accepted, and was not followed to its end: the run was stopped',
    ]);
  });

  it('ends at once with a key that may not read it: pending, whatever the key may not do', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    const before = at.time;
    at.service.withdrawal = () =>
      Promise.reject(new PixctlError('auth', 'FORBIDDEN', 'this key may not read it', { httpStatus: 403 }));
    const outcome = await wait();
    expect(outcome).toMatchObject({ exit: 'pending', code: 'FORBIDDEN', httpStatus: 403 });
    expect(outcome.message).toContain('could not be read after that (this key may not read it)');
    expect(at.time).toBe(before);
  });

  it('is not kept waiting by a PIX key that is written differently under its own id', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1', { status: 'FAILED', pixKey: 'a***@example.com' }));
    expect(await codes(wait())).toEqual(['endedBadly', 'FAILED']);
  });

  it('says whether an earlier run sent it, even while it is pending', async () => {
    at.answers.push(accepted('w1'));
    const after = await withdraw(at, order());
    at.listed?.push(withdrawal('w1'));
    const pending = (more: object) => follow(at, { scope, idempotencyKey, timeoutMs: 0, ...more });
    expect([(await pending({ after })).replayed, (await pending({})).replayed]).toEqual([false, true]);
  });

  it.each([
    ['of another amount', { amount: 7 }],
    ['of another, without an id', { id: undefined, amount: 7 }],
  ])('takes nothing from a record %s', async (_, other) => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.service.withdrawal = async () => withdrawal('w1', { status: 'COMPLETED', ...other });
    expect(await codes(wait())).toEqual(['pending', 'PENDING']);
    expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({ state: 'ACCEPTED' });
  });

  it.each([
    ['COMPLETED', ['ok', 'COMPLETED']],
    ['FAILED', ['endedBadly', 'FAILED']],
  ])(
    'reports %s if the ledger has failed meanwhile, and that the ledger does not say so',
    async (status, expected) => {
      at.answers.push(accepted('w1'));
      const after = await withdraw(at, order());
      at.listed?.push(withdrawal('w1', { status }));
      const full = () => Promise.reject(storageError('The disk is full; nothing was sent.'));
      at.ledger.record = full;
      for (const find of [at.ledger.find, full]) {
        at.ledger.find = find;
        const outcome = await follow(at, { scope, idempotencyKey, timeoutMs: 10_000, after });
        expect([outcome.exit, outcome.code, outcome.replayed]).toEqual([...expected, false]);
        expect(outcome.message).toContain('could not be written (The disk is full)');
      }
    },
  );

  it('goes on if the row that this run wrote has left the ledger', async () => {
    at.answers.push(accepted('w1'));
    const after = await withdraw(at, order());
    at.listed?.push(withdrawal('w1', { status: 'PROCESSING' }));
    at.ledger.find = async () => null;
    const outcome = await follow(at, { scope, idempotencyKey, timeoutMs: 10_000, after });
    expect([outcome.exit, outcome.intent?.resourceId]).toEqual(['pending', 'w1']);
  });

  it('says nothing about money without an earlier run and without a ledger', async () => {
    at.ledger.find = () => Promise.reject(storageError('The disk is full.'));
    expect(await wait()).toMatchObject({ exit: 'storage', intent: null, unread: true });
  });

  it('does not wait for what is unknown', async () => {
    await sendAndLose(at);
    expect(await codes(wait())).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
  });
});
