/** A rerun of what was accepted tells what has become of it, where that can be read. */
import { beforeEach, expect, it } from 'vitest';
import { storageError } from '../../src/errors.ts';
import { moneyMovedBy } from '../../src/withdrawal/outcome/money-moved.ts';
import { refresh } from '../../src/withdrawal/refresh.ts';
import { withdraw } from '../../src/withdrawal/withdraw.ts';
import { accepted, type Desk, desk, order, replied, scope, withdrawal } from './desk.ts';

let at: Desk;
beforeEach(async () => {
  at = desk();
  at.answers.push(accepted('w1'));
  await withdraw(at, order());
});
const rerun = async () => refresh(at, await withdraw(at, order()));

it.each([
  ['FAILED', 'endedBadly', 'FAILED', 'FAILED', 'no'],
  ['COMPLETED', 'ok', 'COMPLETED', 'COMPLETED', 'yes'],
  ['PROCESSING', 'ok', 'ACCEPTED', 'ACCEPTED', 'on-its-way'],
])('that is %s since', async (status, exit, code, state, moved) => {
  at.listed?.push(withdrawal('w1', { status }));
  const outcome = await rerun();
  expect(outcome).toMatchObject({ exit, code, replayed: true, withdrawal: { status }, intent: { state } });
  expect(moneyMovedBy(outcome)).toBe(moved);
  expect(await at.ledger.find(scope, order().idempotencyKey)).toMatchObject({ state });
  expect(at.posts.length).toBe(1);
});

it('is following it while it is read: who stops that at once is not told that nothing was sent', async () => {
  const phases: string[] = [];
  at.listed?.push(withdrawal('w1', { status: 'PROCESSING' }));
  await refresh({ ...at, onPhase: (phase) => phases.push(phase) }, await withdraw(at, order()));
  expect(phases).toEqual(['following']);
});

it('that has a status which the document does not show is not called on its way', async () => {
  at.listed?.push(withdrawal('w1', { status: 'RETURNED' }));
  const outcome = await rerun();
  expect([outcome.exit, moneyMovedBy(outcome), outcome.replayed]).toEqual(['pending', 'maybe', true]);
  expect(outcome.message).toContain('is RETURNED, a status that the document does not show');
});

it('in the answer to the send itself is not called on its way either', async () => {
  const fresh = desk();
  const body = { data: withdrawal('w1', { status: 'RETURNED' }), error: null, success: true };
  fresh.answers.push(() => replied(201, body));
  const outcome = await refresh(fresh, await withdraw(fresh, order()));
  expect([outcome.exit, moneyMovedBy(outcome), outcome.replayed]).toEqual(['pending', 'maybe', false]);
  expect(await fresh.ledger.find(scope, order().idempotencyKey)).toMatchObject({ state: 'ACCEPTED' });
});

it('that cannot be read stands as it was, and says so', async () => {
  at.listed = [];
  const outcome = await rerun();
  expect(outcome).toMatchObject({ exit: 'ok', code: 'ACCEPTED', replayed: true });
  expect(outcome.message).toContain('could not be read (no w1).');
  expect(outcome.hint).toContain('pixctl withdrawal status K1');
});

it('that cannot be read is not called on its way where its last record is no status of the document', async () => {
  const fresh = desk();
  const body = { data: withdrawal('w1', { status: 'RETURNED' }), error: null, success: true };
  fresh.answers.push(() => replied(201, body));
  await withdraw(fresh, order());
  const outcome = await refresh(fresh, await withdraw(fresh, order()));
  expect([outcome.exit, moneyMovedBy(outcome), outcome.replayed]).toEqual(['pending', 'maybe', true]);
  expect(outcome.message).toContain('does not show. Its present state could not be read (no w1).');
});

it('takes nothing from the record of another withdrawal', async () => {
  at.service.withdrawal = async () => withdrawal('w2', { status: 'FAILED' });
  expect(await rerun()).toMatchObject({ exit: 'ok', code: 'ACCEPTED' });
});

it('that another process has recorded meanwhile is told as that has it', async () => {
  at.service.withdrawal = async (id) => {
    const read = withdrawal(id, { status: 'FAILED' });
    at.service.withdrawal = async () => read;
    await rerun();
    return read;
  };
  expect(await rerun()).toMatchObject({ exit: 'endedBadly', code: 'FAILED' });
});

it('that cannot be written down is told as the service has it, and that the ledger does not', async () => {
  at.listed?.push(withdrawal('w1', { status: 'FAILED' }));
  at.ledger.record = () => Promise.reject(storageError('The disk is full.'));
  const { exit, message } = await rerun();
  expect([exit, message]).toEqual([
    'endedBadly',
    expect.stringContaining('could not be written (The disk is full)'),
  ]);
});

it('is not asked about in the run that sent it', async () => {
  at.service.withdrawal = () => Promise.reject(new Error('asked'));
  const outcome = { ...(await withdraw(at, order())), replayed: false };
  expect(await refresh(at, outcome)).toBe(outcome);
});
