/** What a run that is held up (86), and an audit, tell of a withdrawal that this ledger knows in another scope. */
import { describe, expect, it } from 'vitest';
import type { Cents } from '../../../src/contract/brand.ts';
import type { Scope } from '../../../src/ledger/intent.ts';
import { audit } from '../../../src/withdrawal/audit.ts';
import { withdraw } from '../../../src/withdrawal/withdraw.ts';
import { accepted, type Desk, desk, key, lost, order, refused, withdrawal } from '../desk.ts';

const own = order().scope;
const K2 = key('K2');

/** Who runs in another scope on the same ledger. */
async function besides(it: Desk, scope: string, answer: Desk['answers'][number], more = {}) {
  const other = Object.assign(desk(it.ledger), { newId: () => `other-${it.newId()}` });
  other.answers.push(answer);
  return withdraw(other, order({ scope: scope as Scope, idempotencyKey: K2, ...more }));
}

const twin = (id: string, more = {}) =>
  withdrawal(id, { status: 'COMPLETED', createdAt: '2026-03-10T11:59:00Z', ...more });

describe.each([
  ['filial http://service', 'filial', 'under the merchant label filial'],
  ['loja https://other.example', 'loja', 'under the merchant label loja at https://other.example'],
  ['filial https://other.example', 'filial', 'under the merchant label filial at https://other.example'],
])('of a withdrawal of %s', (scope, merchant, place) => {
  const baseUrl = scope.slice(scope.indexOf(' ') + 1);

  it('a run that it holds up says which key has it there', async () => {
    const it = desk();
    await besides(it, scope, accepted('w1'));
    it.listed = [twin('w1')];
    expect(await withdraw(it, order())).toMatchObject({
      code: 'POSSIBLE_DUPLICATE',
      message: `the service lists w1 with the same amount and PIX key; this ledger has w1 ${place} (key K2); nothing was sent`,
      hint: 'If it is another withdrawal, confirm with --allow-duplicate. If w1 is this same withdrawal: pixctl withdrawal resolve K1 --withdrawal w1',
      elsewhere: [{ withdrawalId: 'w1', merchant, baseUrl, idempotencyKey: 'K2', state: 'ACCEPTED' }],
    });
  });

  it('a run that it holds up says which key of unknown outcome may have made it', async () => {
    const it = desk();
    await besides(it, scope, lost);
    it.listed = [twin('w1')];
    expect(await withdraw(it, order())).toMatchObject({
      message: `the service lists w1 with the same amount and PIX key; w1 may be that ${place} (key K2), whose outcome is not known; nothing was sent`,
      elsewhere: [{ withdrawalId: 'w1', merchant, baseUrl, idempotencyKey: 'K2', state: 'UNKNOWN' }],
    });
  });

  it('a run that it holds up says which key that was refused may have made it', async () => {
    const it = desk();
    await besides(it, scope, refused(409, 'CONFLICT'));
    it.listed = [twin('w1')];
    expect(await withdraw(it, order())).toMatchObject({
      code: 'POSSIBLE_DUPLICATE',
      message: `the service lists w1 with the same amount and PIX key; w1 may be that ${place} (key K2), whose refusal may be that of a second copy of its request; nothing was sent`,
      elsewhere: [{ withdrawalId: 'w1', merchant, baseUrl, idempotencyKey: 'K2', state: 'REFUSED' }],
    });
    // Nothing but the amount of the order is known of it here.
    it.listed = [twin('w2', { amount: 999, fee: 1 }), twin('w3', { pixKey: 'bia@example.com' })];
    expect((await audit(it, own)).map(({ elsewhere }) => elsewhere)).toEqual([null, null]);
  });

  it('a run that several hold up says of each what is known', async () => {
    const it = desk();
    await besides(it, scope, accepted('w1'));
    it.listed = [twin('w1'), twin('w2'), twin('w3')];
    expect((await withdraw(it, order())).message).toBe(
      `the service lists w1, w2, w3 with the same amount and PIX key; this ledger has w1 ${place} (key K2); w2, w3 unknown to it; nothing was sent`,
    );
  });

  it('an audit says which key has it there, or may have made it', async () => {
    const it = desk();
    await besides(it, scope, accepted('w1'));
    await besides(it, scope, refused(409, 'CONFLICT'), { idempotencyKey: key('K4'), amount: 333 as Cents });
    await besides(it, scope, lost, { idempotencyKey: key('K3'), amount: 777 as Cents });
    // The list may count the fee in.
    it.listed = [twin('w1'), twin('w2', { amount: 777 }), twin('w3'), twin('w4', { amount: 433, fee: 100 })];
    const advice =
      baseUrl === 'http://service' ? ': if both labels are this same merchant, use only one of them' : '';
    expect((await audit(it, own)).map(({ message, elsewhere }) => [message, elsewhere])).toEqual([
      [
        `w1 (R$ 10,50, COMPLETED) is that of K2 ${place} in this ledger${advice}`,
        { withdrawalId: 'w1', merchant, baseUrl, idempotencyKey: 'K2', state: 'ACCEPTED' },
      ],
      [
        `w2 (R$ 7,77, COMPLETED) may be that of K3 ${place}, whose outcome is not known`,
        { withdrawalId: 'w2', merchant, baseUrl, idempotencyKey: 'K3', state: 'UNKNOWN' },
      ],
      [
        'w3 (R$ 10,50, COMPLETED) belongs to no key of this ledger: it was sent by other means, or by an earlier send of a key that was sent again since',
        null,
      ],
      [
        `w4 (R$ 4,33, COMPLETED) may be that of K4 ${place}, whose refusal may be that of a second copy of its request`,
        { withdrawalId: 'w4', merchant, baseUrl, idempotencyKey: 'K4', state: 'REFUSED' },
      ],
    ]);
  });

  it('an audit names the key that was refused here before one that was refused there', async () => {
    const it = desk();
    await besides(it, scope, refused(409, 'CONFLICT'));
    it.time += 10_000;
    it.answers.push(refused(409, 'CONFLICT'));
    expect((await withdraw(it, order())).code).toBe('REFUSED');
    it.listed = [twin('w1')];
    expect((await audit(it, own)).map(({ message, elsewhere }) => [message, elsewhere])).toEqual([
      [
        'w1 (R$ 10,50, COMPLETED) belongs to no key of this ledger; it may be that of K1, which is REFUSED here. If it is: pixctl withdrawal resolve K1 --withdrawal w1',
        null,
      ],
    ]);
  });

  it.each([
    ['lost', lost],
    ['refused', refused(409, 'CONFLICT')],
  ])('which existed before that key was sent and %s, nobody says that it made it', async (_, answer) => {
    const it = desk();
    const other = Object.assign(desk(it.ledger), { newId: () => `other-${it.newId()}` });
    other.listed = [twin('w1', { createdAt: '2026-03-08T11:59:00Z' })];
    other.answers.push(answer);
    await withdraw(other, order({ scope: scope as Scope, idempotencyKey: K2 }));
    it.listed = [twin('w1')];
    const held = await withdraw(it, order());
    expect([held.message, held.elsewhere]).toEqual([
      'the service lists w1 with the same amount and PIX key, unknown to this ledger; nothing was sent',
      [],
    ]);
    expect((await audit(it, own)).map(({ elsewhere }) => elsewhere)).toEqual([null]);
  });
});

it('the same id of another order, as plain numbers have it, is not taken for the listed one', async () => {
  const it = desk();
  await besides(it, 'filial http://service', accepted('7'), { amount: 777 as Cents });
  it.listed = [twin('7')];
  expect((await withdraw(it, order())).message).toContain(', unknown to this ledger');
});

it('the same key under another label at the address: the hint names that label, and with another key it does not', async () => {
  const it = desk();
  await besides(it, 'filial http://service', accepted('w1'), { idempotencyKey: key('K1') });
  it.listed = [twin('w1')];
  expect((await withdraw(it, order())).hint).toContain(
    'If both labels are this same merchant: run it with PIXCTL_MERCHANT=filial.',
  );
  // Under that label this order would be a second payment, and nothing would hold it up.
  expect((await withdraw(it, order({ idempotencyKey: key('K3') }))).hint).not.toContain('PIXCTL_MERCHANT');
});

it('the words stand where the other scopes cannot be read', async () => {
  const it = desk();
  it.ledger.inOtherScopes = async () => Promise.reject(new Error('the disk is gone'));
  it.listed = [twin('w1')];
  expect((await withdraw(it, order())).message).toContain(
    'lists w1 with the same amount and PIX key, unknown',
  );
});
