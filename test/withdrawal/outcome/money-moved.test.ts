/** What an outcome says of the money: in its JSON and in its sentence the same. */
import { expect, it } from 'vitest';
import type { Cents } from '../../../src/contract/brand.ts';
import { storageError } from '../../../src/errors.ts';
import type { Intent } from '../../../src/ledger/intent.ts';
import { currentOutcome } from '../../../src/withdrawal/follow.ts';
import * as say from '../../../src/withdrawal/outcome/create-outcome.ts';
import { moneyMovedBy, moneyMovedSentence } from '../../../src/withdrawal/outcome/money-moved.ts';
import { reconcile } from '../../../src/withdrawal/reconcile.ts';
import { resolve } from '../../../src/withdrawal/resolve.ts';
import { withdraw } from '../../../src/withdrawal/withdraw.ts';
import { accepted, desk, key, order, refused, scope, withdrawal } from '../desk.ts';

it('says nothing about the order that used the key first', async () => {
  const at = desk();
  at.answers.push(accepted('w1'));
  await withdraw(at, order());
  const reused = await withdraw(at, order({ pixKey: 'bia@example.com' }));
  expect(reused.intent?.state).toBe('ACCEPTED');
  expect([moneyMovedBy(reused), moneyMovedSentence(reused)]).toEqual(['no', 'No money moved in this run.']);
});

it.each([
  ['PENDING', 'on-its-way'],
  ['COMPLETED', 'yes'],
  ['A_STATUS_OF_TOMORROW', 'maybe'],
])('of what was accepted and is %s now says %s', async (status, moved) => {
  const at = desk();
  at.answers.push(accepted('w1'));
  const outcome = await withdraw(at, order());
  expect(moneyMovedBy({ ...outcome, withdrawal: withdrawal('w1', { status }) })).toBe(moved);
});

it('says of a key that could not be looked up that money may have moved, even if nothing is known of it', async () => {
  const at = desk();
  at.ledger.find = () => Promise.reject(storageError('The disk does not answer.'));
  const outcome = await withdraw(at, order());
  expect([outcome.exit, outcome.intent, moneyMovedBy(outcome)]).toEqual(['storage', null, 'maybe']);
  expect(moneyMovedSentence(outcome)).toBe('What earlier runs did could not be read.');
});

it("does not take a key's charge for a withdrawal", async () => {
  const at = desk();
  const { intent } = await at.ledger.plan(
    { id: 'c', kind: 'charge', scope, idempotencyKey: key('K1'), amount: order().amount, request: '{}' },
    { id: 'e', at: 0, what: 'planned' },
  );
  const charge: Intent = { ...intent, state: 'ACCEPTED', resourceId: 'chg_1', result: '{"id":"chg_1"}' };
  const reused = say.keyReused(charge);
  expect([moneyMovedBy(reused), reused.withdrawal]).toEqual(['no', null]);
  const asked = await reconcile(
    { ...at, ledger: { ...at.ledger, find: async () => charge } },
    { scope, idempotencyKey: key('K1') },
  );
  expect([asked.exit, moneyMovedBy(asked), moneyMovedSentence(asked), asked.withdrawal]).toEqual([
    'notFound',
    'no',
    'No money moved in this run.',
    null,
  ]);
});

it('does not say that no money moved if the service lists what a refused try may have become', async () => {
  const at = desk();
  at.answers.push(() => refused(400, 'BAD_REQUEST')());
  const outcome = await withdraw(at, order());
  expect([moneyMovedBy(outcome), moneyMovedSentence(outcome)]).toEqual(['no', 'No money moved.']);
  at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
  const held = await withdraw(at, order());
  expect([held.code, moneyMovedBy(held), moneyMovedSentence(held)]).toEqual([
    'POSSIBLE_DUPLICATE',
    'maybe',
    'Money may have moved.',
  ]);
});

it('does not say that no money moved under a key that a restored ledger may have forgotten', async () => {
  const at = desk();
  at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
  const held = await withdraw(at, order());
  expect([held.code, held.intent?.state, moneyMovedBy(held), moneyMovedSentence(held)]).toEqual([
    'POSSIBLE_DUPLICATE',
    'PLANNED',
    'maybe',
    'Money may have moved.',
  ]);
});

it('says of a key that was only planned, and held back for an equal withdrawal, no more than "maybe"', async () => {
  const at = desk();
  at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
  const { intent } = await withdraw(at, order());
  if (intent === null) throw new Error('nothing was planned');
  const stopped = { ...at, signal: AbortSignal.abort('SIGINT') };
  const later = [
    await currentOutcome(at, intent),
    await reconcile(at, { scope, idempotencyKey: key('K1') }),
    await withdraw(stopped, order()),
    await withdraw(at, order({ policy: { ...order().policy, maxPerWithdrawal: 1 as Cents } })),
    await resolve(at, { scope, idempotencyKey: key('K1'), verdict: { kind: 'withdrawal', id: 'w9' } }),
  ];
  expect(later.map((outcome) => [outcome.exit, moneyMovedBy(outcome), moneyMovedSentence(outcome)])).toEqual([
    ['later', 'maybe', 'This ledger sent nothing under this key.'],
    ['later', 'maybe', 'This ledger sent nothing under this key.'],
    ['interrupted', 'maybe', 'This ledger sent nothing under this key.'],
    ['policy', 'maybe', 'This ledger sent nothing under this key.'],
    ['notFound', 'maybe', 'This ledger sent nothing under this key.'],
  ]);
  expect(later[0]?.message).toContain('lists an equal withdrawal, which may be this one');
});

it.each([
  [
    'UNKNOWN',
    ', whose outcome is not known; nothing was sent',
    'Settle that one first: pixctl withdrawal reconcile K1. ',
  ],
  [
    'SENDING',
    ', whose outcome is not known; nothing was sent',
    'Settle that one first: pixctl withdrawal reconcile K1. ',
  ],
  ['ACCEPTED', ', which was accepted; nothing was sent', ''],
  ['COMPLETED', ', which is completed; nothing was sent', ''],
] as const)(
  'a key whose earlier order is %s is refused with a word about that order',
  async (state, became, first) => {
    const at = desk();
    at.answers.push(accepted('w1'));
    const { intent } = await withdraw(at, order());
    const { message, hint } = say.keyReused({ ...(intent as Intent), state });
    expect(message).toBe(
      `the idempotency key K1 was used before for another withdrawal (R$ 10,50 to a***@example.com)${became}`,
    );
    expect(hint).toBe(
      `${first}One key is for one withdrawal: a new key pays in addition to that one; with the same amount and PIX key as before nothing is paid twice.`,
    );
  },
);

it.each(['REFUSED', 'NOT_SENT', 'FAILED', 'PLANNED'] as const)(
  'of one that is %s a new key is free',
  async (state) => {
    const at = desk();
    at.answers.push(accepted('w1'));
    const { intent } = await withdraw(at, order());
    const { message, hint } = say.keyReused({ ...(intent as Intent), state });
    expect(message).toContain('(R$ 10,50 to a***@example.com); nothing was sent');
    expect(hint).toBe(
      'One key is for one withdrawal: use a new key, or the same amount and PIX key as before.',
    );
  },
);
