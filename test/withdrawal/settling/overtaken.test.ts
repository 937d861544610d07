/** A run whose every change meets another ledger than it had read: others are quick, or its file contradicts itself. */
import { describe, expect, it } from 'vitest';
import { storageError } from '../../../src/errors.ts';
import { moneyMovedBy } from '../../../src/withdrawal/outcome/money-moved.ts';
import { reconcile } from '../../../src/withdrawal/reconcile.ts';
import { withdraw } from '../../../src/withdrawal/withdraw.ts';
import { desk, key, lost, order, scope } from '../desk.ts';

const damage = storageError('the ledger /l is damaged (row 1 missing from index k); nothing was sent', {
  hint: 'sqlite3 /l REINDEX',
});

describe.each([
  ['whole', null, 'later', 'other processes keep changing the ledger; nothing was sent'],
  ['damaged', damage, 'storage', damage.message],
] as const)('of a ledger that is %s', (_, found, exit, message) => {
  it('a withdrawal says so', async () => {
    const it = desk();
    it.ledger.markSending = async () => ({ kind: 'stale' });
    Object.assign(it.ledger, { findDamage: async () => found });
    const outcome = await withdraw(it, order());
    expect(outcome).toMatchObject({ exit, message });
    expect(moneyMovedBy(outcome)).toBe('maybe');
    expect(it.posts).toEqual([]);
  });

  it('a look for an unknown outcome says so', async () => {
    const it = desk();
    it.answers.push(lost);
    await withdraw(it, order());
    Object.assign(it.ledger, { find: async () => null, findDamage: async () => found });
    expect(await reconcile(it, { scope })).toMatchObject({ exit, message });
    // Of a named key nothing is found at all.
    expect((await reconcile(it, { scope, idempotencyKey: key('K1') })).exit).toBe('notFound');
  });
});

it('a ledger that cannot be looked through is not said to be damaged', async () => {
  const it = desk();
  it.ledger.markSending = async () => ({ kind: 'stale' });
  Object.assign(it.ledger, { findDamage: () => Promise.reject(storageError('the disk fails')) });
  expect((await withdraw(it, order())).exit).toBe('later');
});
