/** A run that ends before it knows or does anything says nothing of money that the ledger does not bear out. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Cents } from '../../../src/contract/brand.ts';
import { storageError } from '../../../src/errors.ts';
import { currentOutcome } from '../../../src/withdrawal/follow.ts';
import { moneyMovedBy, moneyMovedSentence } from '../../../src/withdrawal/outcome/money-moved.ts';
import type { Outcome } from '../../../src/withdrawal/outcome/outcome.ts';
import { reconcile } from '../../../src/withdrawal/reconcile.ts';
import { withdraw } from '../../../src/withdrawal/withdraw.ts';
import { accepted, type Desk, order, scope, sendAndLose, withdrawal } from '../desk.ts';
import { at, idempotencyKey, notSent } from '../own-desk.ts';

const told = (outcome: Outcome) => [outcome.exit, outcome.intent?.state, moneyMovedBy(outcome)];
const full = () => Promise.reject(storageError('The disk is full.'));
const interrupted = (): Desk => {
  const stop = new AbortController();
  stop.abort('SIGINT');
  return { ...at, signal: stop.signal };
};

describe('an unknown outcome, if what the list shows cannot be written,', () => {
  beforeEach(async () => {
    await sendAndLose(at);
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    at.ledger.record = full;
  });

  it.each([
    ['a rerun', () => withdraw(at, order())],
    ['reconcile', () => reconcile(at, { scope, idempotencyKey })],
    ['reconcile without a key', () => reconcile(at, { scope })],
  ])('stays unknown to %s: no money is said not to have moved', async (_, run) => {
    const outcome = await run();
    expect(told(outcome)).toEqual(['unknown', 'UNKNOWN', 'maybe']);
    expect(outcome.message).toContain('The disk is full');
  });
});

it('a sender that is gone leaves its outcome unknown to status if that cannot be written', async () => {
  at.answers.push(() => new Promise(() => {}));
  void withdraw(at, order());
  await expect.poll(() => at.posts.length).toBe(1);
  at.gone.add(1);
  at.ledger.record = full;
  const outcome = await currentOutcome(at, { scope, idempotencyKey });
  expect(told(outcome)).toEqual(['unknown', 'SENDING', 'maybe']);
});

describe('a ledger that cannot be read', () => {
  it.each([
    ['a rerun', () => withdraw(at, order())],
    ['reconcile', () => reconcile(at, { scope, idempotencyKey })],
    ['reconcile without a key', () => reconcile(at, { scope })],
    ["a person's word", () => notSent()],
  ])('lets %s say that it sent nothing, and nothing of what earlier runs did', async (_, run) => {
    await sendAndLose(at);
    at.ledger.find = full;
    at.ledger.findOpen = full;
    const outcome = await run();
    expect(told(outcome)).toEqual(['storage', undefined, 'maybe']);
    expect(outcome.message).toBe('The disk is full; nothing was sent');
    expect(moneyMovedSentence(outcome)).toBe('What earlier runs did could not be read.');
  });
});

describe('an interrupted run', () => {
  it('of a key that was never sent moved no money', async () => {
    const outcome = await withdraw(interrupted(), order());
    expect(told(outcome)).toEqual(['interrupted', undefined, 'no']);
  });

  it('of a key that was held back for a twin says no more than that it may have moved', async () => {
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    await withdraw(at, order());
    expect(told(await withdraw(interrupted(), order()))).toEqual(['interrupted', 'PLANNED', 'maybe']);
  });

  it('of a key whose outcome is unknown is 81', async () => {
    await sendAndLose(at);
    expect(told(await withdraw(interrupted(), order()))).toEqual(['unknown', 'UNKNOWN', 'maybe']);
  });

  it('that waited for another process to send this very key is 81', async () => {
    const answer = Promise.withResolvers<void>();
    at.answers.push(async () => {
      await answer.promise;
      return accepted('w1')();
    });
    const first = withdraw(at, order());
    await expect.poll(async () => (await at.ledger.find(scope, idempotencyKey))?.state).toBe('SENDING');
    const stop = new AbortController();
    const second: Desk = {
      ...at,
      signal: stop.signal,
      onPhase: (phase) => phase === 'waiting' && stop.abort('SIGINT'),
    };
    expect(told(await withdraw(second, order({ ifBusy: 'wait' })))).toEqual(['unknown', 'SENDING', 'maybe']);
    answer.resolve();
    expect(told(await first)).toEqual(['ok', 'ACCEPTED', 'on-its-way']);
  });

  it('of a key that the service has reports what it has', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    expect(told(await withdraw(interrupted(), order()))).toEqual(['ok', 'ACCEPTED', 'on-its-way']);
  });

  it('of a key that is another order says so', async () => {
    await sendAndLose(at);
    const outcome = await withdraw(interrupted(), order({ amount: 1 as Cents }));
    expect(outcome.exit).toBe('keyReused');
  });
});
