/** Audit: the ledger against the whole list of the service. */
import { describe, expect, it } from 'vitest';
import { audit } from '../../src/withdrawal/audit.ts';
import { follow } from '../../src/withdrawal/follow.ts';
import { reconcile } from '../../src/withdrawal/reconcile.ts';
import { withdraw } from '../../src/withdrawal/withdraw.ts';
import { accepted, key, lost, order, refused, scope, shown, withdrawal } from './desk.ts';
import { at, idempotencyKey } from './own-desk.ts';

describe('audit', () => {
  const findings = async () => (await audit(at, scope)).map(({ code, severity }) => [code, severity]);

  it('finds nothing where ledger and list agree', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1'));
    expect(await findings()).toEqual([]);
  });

  it('accepts a key that the list masks or gives without a type, but not another amount or key', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    for (const untold of [{ pixKey: 'a***@example.com' }, { pixKeyType: null }, { pixKey: null }]) {
      at.listed?.splice(0, 1, withdrawal('w1', untold));
      expect(await findings()).toEqual([]);
    }
    const others = [
      { pixKey: 'a***@example.com', amount: 1_051 },
      { pixKey: 'bia@example.com' },
      { amount: 1_150, fee: 100 },
    ];
    for (const other of others) {
      at.listed?.splice(0, 1, withdrawal('w1', other));
      expect(await findings()).toEqual([['DIFFERS', 'problem']]);
    }
  });

  it.each([
    ['FAILED', 'COMPLETED'],
    ['COMPLETED', 'FAILED'],
    ['COMPLETED', 'PENDING'],
  ])('reports what ended %s as a problem if the service says %s', async (was, is) => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1', { status: was }));
    await follow(at, { scope, idempotencyKey, timeoutMs: 0 });
    at.listed?.splice(0, 1, withdrawal('w1', { status: is }));
    expect(await findings()).toEqual([['DIFFERS', 'problem']]);
  });

  it('reports nothing about what was accepted, or ended, while the list was being read', async () => {
    const listedThen = (listed: readonly ReturnType<typeof withdrawal>[], then: () => Promise<unknown>) => ({
      ...at,
      service: {
        ...at.service,
        async *withdrawals() {
          yield listed;
          await then();
        },
      },
    });
    at.answers.push(accepted('w1'));
    expect(
      await audit(
        listedThen([], () => withdraw(at, order())),
        scope,
      ),
    ).toEqual([]);
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    const ends = () => follow(at, { scope, idempotencyKey, timeoutMs: 0 });
    expect(await audit(listedThen([withdrawal('w1')], ends), scope)).toEqual([]);
    expect(await findings()).toEqual([]);
  });

  it('finds what is unclaimed, missing, different, behind, inferred or unknown', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    expect(await findings()).toEqual([['NOT_LISTED', 'problem']]);
    at.listed?.push(
      withdrawal('w1', { amount: 1, status: 'COMPLETED' }),
      withdrawal('w9', { status: 'COMPLETED', amount: 5 }),
    );
    expect(await findings()).toEqual([
      ['DIFFERS', 'problem'],
      ['STATE_BEHIND', 'note'],
      ['UNCLAIMED', 'look'],
    ]);
    at.answers[0] = lost;
    await withdraw(at, order({ idempotencyKey: key('K2') }));
    expect(await findings()).toContainEqual(['UNKNOWN', 'look']);
    at.listed?.push(withdrawal('w2'));
    await reconcile(at, { scope });
    expect(await findings()).toContainEqual(['INFERRED', 'note']);
  });

  it.each([
    ['RETURNED', [['STATE_BEHIND', 'look']]],
    ['COMPLETED', [['STATE_BEHIND', 'note']]],
    ['PROCESSING', []],
  ])('of what was accepted and is %s: %j', async (status, expected) => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1', { status }));
    expect(await findings()).toEqual(expected);
  });

  it('does not call a withdrawal sent from elsewhere for sure that a refused send of a key may have made', async () => {
    // A proxy sent the request twice, and the list did not show the first copy yet when the second was refused.
    at.answers.push(refused(400, 'BAD_REQUEST'), accepted('w2'));
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    expect((await shown(withdraw(at, order()))).code).toBe('POSSIBLE_DUPLICATE');
    await withdraw(at, order({ allowDuplicate: true }));
    at.listed?.push(withdrawal('w2'));
    expect((await audit(at, scope)).map(({ message }) => message)).toEqual([
      'w1 (R$ 10,50, COMPLETED) belongs to no key of this ledger: it was sent by other means, or by an earlier send of a key that was sent again since',
    ]);
    const known = await at.ledger.find(scope, idempotencyKey);
    const events = known === null ? [] : await at.ledger.events(known);
    const sent = events.filter(({ what }) => what === 'sending').map(({ details }) => details);
    expect(sent).toMatchObject([{ host: 'h' }, { host: 'h', allowedDuplicateOf: ['w1'] }]);
  });

  it('does not call a withdrawal sent from elsewhere if an unknown send may have made it', async () => {
    at.listed?.push(withdrawal('w0', { status: 'COMPLETED' }));
    at.answers.push(lost);
    await withdraw(at, order({ allowDuplicate: true }));
    at.listed?.push(withdrawal('w1', { pixKey: 'a***@example.com' }), withdrawal('w2', { amount: 5 }));
    const about = (await audit(at, scope)).map(({ code, message }) => [code, message.slice(0, 60)]);
    expect(about).toEqual([
      ['UNKNOWN', expect.stringContaining('outcome is not known')],
      ['UNCLAIMED', expect.stringContaining('w0 (R$ 10,50, COMPLETED) belongs to no key of this ledger: ')],
      ['UNCLAIMED', expect.stringContaining('w1 (R$ 10,50, PENDING) may be that of K1, whose')],
      ['UNCLAIMED', expect.stringContaining('w2 (R$ 0,05, PENDING) belongs to no key of this ledger: ')],
    ]);
  });
});
