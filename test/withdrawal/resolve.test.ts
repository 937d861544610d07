/** Resolve: what a person says about an outcome, and what of it is believed. */
import { describe, expect, it } from 'vitest';
import type { Cents } from '../../src/contract/brand.ts';
import { PixctlError, storageError, usageError } from '../../src/errors.ts';
import type { Owner } from '../../src/owner/owner.ts';
import { audit } from '../../src/withdrawal/audit.ts';
import { preview } from '../../src/withdrawal/dry-run.ts';
import { follow } from '../../src/withdrawal/follow.ts';
import { moneyMovedBy } from '../../src/withdrawal/outcome/money-moved.ts';
import { reconcile } from '../../src/withdrawal/reconcile.ts';
import { resolve } from '../../src/withdrawal/resolve.ts';
import { withdraw } from '../../src/withdrawal/withdraw.ts';
import { memoryLedger } from '../support/memory-ledger.ts';
import {
  accepted,
  codes,
  desk,
  key,
  lost,
  order,
  refused,
  replied,
  scope,
  sendAndLose,
  shown,
  unreached,
  withdrawal,
} from './desk.ts';
import { at, idempotencyKey, is, notSent, sitAt } from './own-desk.ts';

describe('resolve', () => {
  it('finds in the list what a read by id does not show: the amount and the key', async () => {
    await sendAndLose(at);
    at.service.withdrawal = async (id) => ({ id, status: 'COMPLETED' });
    at.listed?.push(
      withdrawal('w1', { pixKey: 'a**@example.com' }),
      withdrawal('w7', { amount: 7, pixKey: 'a**@example.com' }),
    );
    expect(await is('w9')).toMatchObject({ exit: 'unexpected', code: 'NO_AMOUNT' });
    expect(await codes(is('w7'))).toEqual(['usage', 'NOT_THIS_ONE']);
    expect(await codes(is('w1'))).toEqual(['ok', 'COMPLETED']);
    expect(await codes(follow(at, { scope, idempotencyKey, timeoutMs: 0 }))).toEqual(['ok', 'COMPLETED']);
  });

  it('takes no list for the word of a read by id that answers with another one', async () => {
    await sendAndLose(at);
    at.service.withdrawal = async () => ({ id: 'w7', status: 'COMPLETED' });
    at.listed?.push(withdrawal('w1', { pixKey: 'a**@example.com' }));
    expect(await is('w1')).toMatchObject({ exit: 'unexpected', code: 'NO_AMOUNT' });
    expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({ state: 'UNKNOWN' });
  });

  it.each([
    ['a refusal that the list, being behind, agreed with', () => refused(400, 'BAD_REQUEST')(), 'REFUSED'],
    ['a send that a person took for one that never left', lost, 'NOT_SENT'],
  ])('corrects %s, which held a rerun up', async (_, answer, state) => {
    at.answers.push(answer);
    await withdraw(at, order());
    at.time += 200_000;
    if (state === 'NOT_SENT') expect((await notSent()).exit).toBe('ok');
    expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({ state });
    at.listed?.push(
      withdrawal('w1', { status: 'COMPLETED' }),
      withdrawal('w7', { amount: 7, status: 'COMPLETED' }),
      withdrawal('w8', { status: 'FAILED' }),
    );
    const held = await withdraw(at, order());
    expect(held.code).toBe('POSSIBLE_DUPLICATE');
    // No full stop after the id: pasted with the command, it would be part of it.
    expect(held.hint).toBe(
      'w1 was not listed yet when this key was sent, so it may be this withdrawal itself. Only if it is another withdrawal, confirm with --allow-duplicate. If w1 is this same withdrawal: pixctl withdrawal resolve K1 --withdrawal w1',
    );
    const findings = (await audit(at, scope)).map(({ code, message }) => [code, message]);
    expect(findings).toEqual([
      [
        'UNCLAIMED',
        `w1 (R$ 10,50, COMPLETED) belongs to no key of this ledger; it may be that of K1, which is ${state} here. If it is: pixctl withdrawal resolve K1 --withdrawal w1`,
      ],
      [
        'UNCLAIMED',
        'w7 (R$ 0,07, COMPLETED) belongs to no key of this ledger: it was sent by other means, or by an earlier send of a key that was sent again since',
      ],
      [
        'UNCLAIMED',
        'w8 (R$ 10,50, FAILED) belongs to no key of this ledger: it was sent by other means, or by an earlier send of a key that was sent again since',
      ],
    ]);
    expect(await codes(is('w7'))).toEqual(['usage', 'NOT_THIS_ONE']);
    expect(await codes(is('w1'))).toEqual(['ok', 'COMPLETED']);
    expect(await codes(withdraw(at, order()))).toEqual(['ok', 'COMPLETED']);
    expect(at.posts).toHaveLength(1);
  });

  it.each([
    ['a refusal', () => refused(400, 'BAD_REQUEST')(), 'REFUSED'],
    ['a send that a person took for one that never left', lost, 'NOT_SENT'],
  ])('corrects %s even if a later try did not reach the service', async (_, answer, state) => {
    at.answers.push(answer, unreached);
    await withdraw(at, order());
    at.time += 200_000;
    if (state === 'NOT_SENT') expect((await notSent()).exit).toBe('ok');
    expect((await withdraw(at, order())).code).toBe('NOT_SENT');
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    expect((await withdraw(at, order())).hint).toContain('pixctl withdrawal resolve K1 --withdrawal w1');
    expect(await codes(is('w1'))).toEqual(['ok', 'COMPLETED']);
    expect(at.posts).toHaveLength(1);
  });

  it.each([
    ['a key that never left, and was paid by hand', () => withdraw(at, order())],
    ['a key that a restored ledger does not know', async () => {}],
  ])("adopts, on a person's word, the one that holds up %s", async (_, before) => {
    at.answers.push(unreached);
    await before();
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    const held = await withdraw(at, order());
    expect([held.code, held.intent?.resourceId, moneyMovedBy(held)]).toEqual([
      'POSSIBLE_DUPLICATE',
      null,
      'maybe',
    ]);
    expect(held.hint).toBe(
      'If it is another withdrawal, confirm with --allow-duplicate. If w1 is this same withdrawal: pixctl withdrawal resolve K1 --withdrawal w1',
    );
    expect((await audit(at, scope)).map(({ message }) => message)).toEqual([
      expect.stringContaining('it may be that of K1'),
    ]);
    expect(await codes(is('w1'))).toEqual(['ok', 'COMPLETED']);
    expect(await codes(withdraw(at, order()))).toEqual(['ok', 'COMPLETED']);
    expect(await codes(withdraw(at, order({ idempotencyKey: key('K2') })))).toEqual(['later', 'NOT_SENT']);
    expect(at.posts).toHaveLength(0);
  });

  it('gives a key that was only planned none that another key claims, or of another amount', async () => {
    at.answers.push(accepted('w2'));
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    await withdraw(at, order());
    await withdraw(at, order({ idempotencyKey: key('K2'), amount: 7 as Cents }));
    at.listed?.push(withdrawal('w2', { amount: 7, status: 'COMPLETED' }), withdrawal('w3', { amount: 8 }));
    expect(await codes(is('w3'))).toEqual(['usage', 'NOT_THIS_ONE']);
    at.listed?.push(withdrawal('w4', { status: 'COMPLETED' }));
    const k3 = order({ idempotencyKey: key('K3') });
    await withdraw(at, k3);
    expect(await codes(is('w4'))).toEqual(['ok', 'COMPLETED']);
    const also = { scope, idempotencyKey: key('K3'), verdict: { kind: 'withdrawal', id: 'w4' } } as const;
    expect(await codes(resolve(at, also))).toEqual(['usage', 'NOT_THIS_ONE']);
    expect(await at.ledger.find(scope, key('K3'))).toMatchObject({ state: 'PLANNED', resourceId: null });
  });

  it('leaves it to a person which of several holds up a key', async () => {
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }), withdrawal('w2', { status: 'COMPLETED' }));
    const { code, hint, correction, candidates } = await withdraw(at, order());
    expect([code, candidates?.map(({ id }) => id)]).toEqual(['POSSIBLE_DUPLICATE', ['w1', 'w2']]);
    const word = ' If one of them is this same withdrawal: pixctl withdrawal resolve K1 --withdrawal <id>';
    expect([hint, correction]).toEqual([
      `If it is another withdrawal, confirm with --allow-duplicate.${word}`,
      word,
    ]);
  });

  it('says of a key that is held up which other key of the same order may have made the twin', async () => {
    at.answers.push(refused(400, 'BAD_REQUEST'));
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }), withdrawal('w2', { status: 'COMPLETED' }));
    expect((await withdraw(at, order({ idempotencyKey: key('K2') }))).hint).toBe(
      'w1, w2 were not listed yet when the key K1 was sent, so one of them may be that of K1, which is REFUSED here. Only if it is another withdrawal, confirm with --allow-duplicate. If one of them is this same withdrawal: pixctl withdrawal resolve K2 --withdrawal <id>',
    );
  });

  it('does not point to a twin that existed before the refused send', async () => {
    const createdAt = new Date(at.time).toISOString();
    at.listed?.push(withdrawal('w0', { status: 'COMPLETED', createdAt }));
    at.answers.push(() => refused(400, 'BAD_REQUEST')());
    expect((await withdraw(at, order({ allowDuplicate: true }))).code).toBe('REFUSED');
    const held = async () => (await withdraw(at, order())).hint;
    expect(await held()).toBe('If it is another withdrawal, confirm with --allow-duplicate.');
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    expect(await held()).toContain('pixctl withdrawal resolve K1 --withdrawal w1');
  });

  it('is no other withdrawal by the word that was said before it showed, however often the same line is run', async () => {
    at.listed?.push(withdrawal('d1', { status: 'COMPLETED' }));
    expect((await withdraw(at, order())).code).toBe('POSSIBLE_DUPLICATE');
    at.answers.push(() => refused(400, 'BAD_REQUEST')(), accepted('w2'));
    const allowed = () => withdraw(at, order({ allowDuplicate: true }));
    expect((await allowed()).code).toBe('REFUSED');
    // The refusal was that of a second copy, and the list was behind.
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    for (const _ of [1, 2]) {
      const { code, hint, candidates } = await allowed();
      expect([code, candidates?.map(({ id }) => id)]).toEqual(['POSSIBLE_DUPLICATE', ['w1']]);
      expect(hint).toContain('run the command once without that flag, which shows it, and then with it.');
      expect(hint).toContain('pixctl withdrawal resolve K1 --withdrawal w1');
    }
    expect((await preview(at, order({ allowDuplicate: true }))).obstacle?.code).toBe('POSSIBLE_DUPLICATE');
    expect((await shown(withdraw(at, order()))).candidates).toHaveLength(1);
    const { version } = (await at.ledger.find(scope, idempotencyKey)) ?? {};
    await shown(withdraw(at, order()));
    expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({ state: 'REFUSED', version });
    expect(at.posts).toHaveLength(1);
    expect(await codes(allowed())).toEqual(['ok', 'ACCEPTED']);
  });

  it('does not give a refused key what another key of unknown outcome would find', async () => {
    at.answers.push(() => refused(400, 'BAD_REQUEST')(), lost);
    await withdraw(at, order());
    await withdraw(at, order({ idempotencyKey: key('K2') }));
    at.listed?.push(withdrawal('w2', { status: 'COMPLETED' }));
    const outcome = await resolve(at, { scope, idempotencyKey, verdict: { kind: 'withdrawal', id: 'w2' } });
    expect([outcome.exit, outcome.code, outcome.hint]).toEqual([
      'blocked',
      'BLOCKED',
      'Settle that one first: pixctl withdrawal reconcile K2',
    ]);
    expect(await codes(reconcile(at, { scope, idempotencyKey: key('K2') }))).toEqual(['ok', 'COMPLETED']);
    expect(await codes(is('w2'))).toEqual(['usage', 'NOT_THIS_ONE']);
    expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({ state: 'REFUSED', resourceId: null });
  });

  it.each([
    ['whose PIX key is not written out', {}, { pixKey: 'a***@example.com' }],
    [
      'that reads as the order of that one, and as this one with its fee',
      { amount: 1150 as Cents },
      { amount: 1150 },
    ],
  ])('does not give it one either %s', async (_, other, found) => {
    at.answers.push(() => refused(400, 'BAD_REQUEST')(), lost);
    await withdraw(at, order());
    await withdraw(at, order({ idempotencyKey: key('K2'), ...other }));
    at.listed?.push(withdrawal('w2', { status: 'COMPLETED', ...found }));
    expect(await codes(is('w2'))).toEqual(['blocked', 'BLOCKED']);
  });

  it('gives a refused key its own if it existed before the send whose outcome is unknown', async () => {
    at.answers.push(() => refused(400, 'BAD_REQUEST')(), lost);
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    await withdraw(at, order({ idempotencyKey: key('K2'), allowDuplicate: true }));
    expect(await codes(is('w1'))).toEqual(['ok', 'COMPLETED']);
    expect(await at.ledger.find(scope, key('K2'))).toMatchObject({ state: 'UNKNOWN' });
  });

  it('gives a key that was only planned its own, even if another key was sent after that was listed', async () => {
    at.answers.push(accepted('w2'));
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    expect((await withdraw(at, order())).code).toBe('POSSIBLE_DUPLICATE');
    await withdraw(at, order({ idempotencyKey: key('K2'), pixKey: 'bia@example.com' }));
    expect(await codes(is('w1'))).toEqual(['ok', 'COMPLETED']);
  });

  it('gives a refused key its own while another order is unknown', async () => {
    at.answers.push(() => refused(400, 'BAD_REQUEST')(), lost);
    await withdraw(at, order());
    await withdraw(at, order({ idempotencyKey: key('K2'), pixKey: 'bia@example.com' }));
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    expect(await codes(is('w1'))).toEqual(['ok', 'COMPLETED']);
  });

  it('takes "never sent" only after the settle time, and then the key may be sent again', async () => {
    await sendAndLose(at);
    expect(await codes(notSent())).toEqual(['later', 'NOT_SETTLED']);
    at.time += 500;
    const early = await notSent();
    expect([early.hint, moneyMovedBy(early)]).toEqual(['Ask again in 91 s.', 'maybe']);
    at.time += 90_500;
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
    at.answers[0] = accepted('w2');
    expect(await codes(withdraw(at, order()))).toEqual(['ok', 'ACCEPTED']);
  });

  it.each([
    ['never sent', { kind: 'not-sent' }],
    ['this withdrawal', { kind: 'withdrawal', id: 'w1' }],
  ] as const)('does not take "%s", said of one send, for a word about the next', async (_, verdict) => {
    await sendAndLose(at);
    const asked = await at.ledger.find(scope, idempotencyKey);
    at.time += 200_000;
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
    await withdraw(at, order());
    at.time += 200_000;
    at.listed?.push(
      ...(verdict.kind === 'withdrawal' ? [withdrawal('w1', { pixKey: 'a***@example.com' })] : []),
    );
    const word = { scope, idempotencyKey, verdict };
    expect(await codes(resolve(at, { ...word, fence: asked?.fence ?? null }))).toEqual([
      'later',
      'SENT_SINCE',
    ]);
    expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({ state: 'UNKNOWN', fence: 2 });
    expect((await resolve(at, { ...word, fence: 2 })).exit).toBe('ok');
  });

  it('does not say "later" if the word cannot be written, or names an impossible id', async () => {
    await sendAndLose(at);
    at.listed?.push(withdrawal('w1', { pixKey: 'a***@example.com' }));
    const { record } = at.ledger;
    at.ledger.record = () => Promise.reject(storageError('The disk is full.'));
    expect((await is('w1')).exit).toBe('storage');
    at.ledger.record = record;
    const { service } = at;
    const climbing = { ...service, withdrawal: () => Promise.reject(usageError('The path climbs.')) };
    const verdict = { kind: 'withdrawal', id: '.' } as const;
    expect((await resolve({ ...at, service: climbing }, { scope, idempotencyKey, verdict })).exit).toBe(
      'usage',
    );
    expect(await codes(is('w1'))).toEqual(['ok', 'ACCEPTED']);
  });

  it('measures the settle time, on the same machine, by a clock that nobody can set', async () => {
    await sendAndLose(at);
    at.time += 3_600_000;
    at.setAhead += 3_600_000;
    expect(await codes(notSent())).toEqual(['later', 'NOT_SETTLED']);
    at.time += 90_000;
    expect(await codes(notSent())).toEqual(['later', 'NOT_SETTLED']);
    at.time += 5_000;
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
  });

  it('measures it from the last send of a key that was refused before', async () => {
    at.answers.push(refused(400, 'BAD_REQUEST'));
    await withdraw(at, order());
    at.answers.length = 0;
    at.time += 3_600_000;
    await sendAndLose(at);
    at.time += 3_600_000;
    at.setAhead += 3_600_000;
    expect(await codes(notSent())).toEqual(['later', 'NOT_SETTLED']);
  });

  it("measures it by the time of day too if the machine's uptime counts more", async () => {
    await sendAndLose(at);
    at.setAhead -= 3_600_000;
    at.time += 90_000;
    expect(await codes(notSent())).toEqual(['later', 'NOT_SETTLED']);
    at.time += 5_000;
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
  });

  it('is not held up by a clock that was set back', async () => {
    await sendAndLose(at);
    at.time -= 3_600_000;
    at.setAhead -= 3_600_000;
    at.time += 95_000;
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
  });

  it('measures it by the time of day once the machine has been restarted', async () => {
    await sendAndLose(at);
    const after = {
      ...at,
      owners: { ...at.owners, self: { ...at.owners.self, boot: 'b2' }, uptime: () => 1 },
    };
    const word = () => resolve(after, { scope, idempotencyKey, verdict: { kind: 'not-sent' } });
    at.time += 90_000;
    expect(await codes(word())).toEqual(['later', 'NOT_SETTLED']);
    at.time += 5_000;
    expect(await codes(word())).toEqual(['ok', 'NOT_SENT']);
  });

  const tooRecent = (seconds: number) => [
    'it was sent too recently to say that it never arrived; nothing was changed',
    `Ask again in ${seconds} s.`,
  ];

  it("says by the machine's uptime how long it is too recent, whatever the clock says", async () => {
    await sendAndLose(at);
    at.time -= 3_600_000;
    at.setAhead -= 3_600_000;
    at.time += 60_000;
    const { message, hint } = await notSent();
    expect([message, hint]).toEqual(tooRecent(31));
  });

  describe('once its clock, which was an hour ahead, is set right and the machine started again', () => {
    const wordAfter = (uptimeMs: number, self: Partial<Owner> = {}) => {
      at.time -= 3_600_000;
      const owner = { ...at.owners.self, boot: 'b2', ...self };
      const owners = { ...at.owners, self: owner, uptime: () => uptimeMs };
      return resolve({ ...at, owners }, { scope, idempotencyKey, verdict: { kind: 'not-sent' } });
    };

    it.each([
      [94_999, ['later', 'NOT_SETTLED']],
      [95_000, ['ok', 'NOT_SENT']],
    ])('measures it by the time since that start: after %i ms %j', async (uptimeMs, told) => {
      await sendAndLose(at);
      const outcome = await wordAfter(uptimeMs);
      expect([outcome.exit, outcome.code]).toEqual(told);
      if (outcome.exit === 'later') expect([outcome.message, outcome.hint]).toEqual(tooRecent(1));
    });

    const days = 864_000_000;
    it.each([
      ['another machine', days, true, {}, { host: 'x' }],
      ['another machine, where neither tells its start', days, true, { boot: '' }, { host: 'x', boot: '' }],
      ['a machine that tells no start', days, true, {}, { boot: '' }],
      ['a machine that told no start when it sent', days, true, { boot: '' }, {}],
      ['one that was not started again, and counts less than it did', -1, true, {}, { boot: 'b' }],
      ['one of several that share a ledger, and may have one name', days, false, {}, {}],
    ])('measures nothing on %s, and says what can be done', async (_, more, departs, sender, self) => {
      sitAt(desk(memoryLedger({ departs })));
      Object.assign(at.owners.self, sender);
      const before = at.owners.uptime();
      await sendAndLose(at);
      const told = await wordAfter(before + more, self);
      expect([told.exit, told.code]).toEqual(['later', 'NOT_SETTLED']);
      expect(told.message).toBe(
        "it was sent at 2026-03-10T12:00:00.000Z, which is in the future by this machine's clock, so nobody can tell how long ago that was; nothing was changed",
      );
      expect(told.hint).toBe(
        'If the clock is behind now, correct it and ask again. If it was ahead then, this can be said from 2026-03-10T12:01:35.000Z on. Sooner, if neither the dashboard nor the bank statement shows it: pay it in the dashboard, and name that withdrawal: pixctl withdrawal resolve K1 --withdrawal <id>',
      );
    });
  });

  it('waits for the exchange of the sender, however short its own is', async () => {
    await sendAndLose(at);
    at.time += 90_000;
    const hasty = { ...at, requestTimeoutMs: 1_000 };
    const verdict = { kind: 'not-sent' } as const;
    expect(await codes(resolve(hasty, { scope, idempotencyKey, verdict }))).toEqual(['later', 'NOT_SETTLED']);
  });

  it('does not accept "never sent" from a list that has lost its past', async () => {
    at.listed = [withdrawal('old', { status: 'COMPLETED', amount: 9 })];
    await sendAndLose(at);
    at.time += 95_000;
    at.listed = [];
    expect(await codes(notSent())).toEqual(['later', 'LIST_NOT_WHOLE']);
    const verdict = { kind: 'not-sent', shortList: true } as const;
    expect(await codes(resolve(at, { scope, idempotencyKey, verdict }))).toEqual(['ok', 'NOT_SENT']);
  });

  it('does not accept a withdrawal other than the named one', async () => {
    await sendAndLose(at);
    at.service.withdrawal = async () => withdrawal('w1');
    expect(await codes(is('w2'))).toEqual(['usage', 'NOT_THIS_ONE']);
  });

  it('accepts the named one even if its record does not repeat the id', async () => {
    await sendAndLose(at);
    at.service.withdrawal = async () => withdrawal('w1', { id: undefined, status: 'COMPLETED' });
    expect(await codes(is('w1'))).toEqual(['ok', 'COMPLETED']);
    expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({ resourceId: 'w1' });
  });

  it.each([
    ['COMPLETED', ['ok', 'COMPLETED']],
    ['FAILED', ['endedBadly', 'FAILED']],
  ])('reports one as %s even if only the word about it could be written', async (status, expected) => {
    await sendAndLose(at);
    at.listed?.push(withdrawal('w1', { status }));
    const { record } = at.ledger;
    at.ledger.record = (intent, change, event) =>
      change.state === status
        ? Promise.reject(storageError('The disk is full.'))
        : record(intent, change, event);
    const outcome = await is('w1');
    expect([outcome.exit, outcome.code]).toEqual(expected);
    expect(outcome.message).toContain(
      'The ledger still says accepted: it could not be written (The disk is full)',
    );
    expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({
      state: 'ACCEPTED',
      resourceId: 'w1',
    });
  });

  it('says that another process was first if that has changed it meanwhile', async () => {
    await sendAndLose(at);
    at.time += 95_000;
    at.listed?.push(withdrawal('w1'));
    at.ledger.record = async () => null;
    expect(await codes(is('w1'))).toEqual(['later', 'BUSY']);
    at.listed?.pop();
    expect(await codes(notSent())).toEqual(['later', 'BUSY']);
  });

  it('distinguishes a withdrawal that does not exist from one that cannot be read', async () => {
    await sendAndLose(at);
    expect(await codes(is('w_x'))).toEqual(['notFound', 'NO_SUCH_WITHDRAWAL']);
    at.service.withdrawal = () => Promise.reject(new PixctlError('later', 'NOT_REACHED', 'not reached'));
    expect(await codes(is('w_x'))).toEqual(['later', 'NOT_REACHED']);
    expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({ state: 'UNKNOWN' });
  });

  it('does not take "never sent" against the list, or without it', async () => {
    await sendAndLose(at);
    at.time += 95_000;
    at.listed?.push(withdrawal('w1'));
    expect(await codes(notSent())).toEqual(['duplicate', 'CANDIDATES']);
    at.listed = null;
    expect(await codes(notSent())).toEqual(['later', 'NOT_REACHED']);
  });

  it.each([
    ['of another amount', withdrawal('w1', { amount: 1 }), ['usage', 'NOT_THIS_ONE']],
    ['of another PIX key', withdrawal('w1', { pixKey: 'bia@example.com' }), ['usage', 'NOT_THIS_ONE']],
    ['that fits', withdrawal('w1'), ['ok', 'ACCEPTED']],
    ['that fits and failed', withdrawal('w1', { status: 'FAILED' }), ['endedBadly', 'FAILED']],
  ])('with a withdrawal %s', async (_, found, expected) => {
    await sendAndLose(at);
    at.listed?.push(found);
    expect(await codes(is('w1'))).toEqual(expected);
  });

  it('accepts the one that the answer itself named, however its PIX key is written there', async () => {
    const named = withdrawal('w1', { pixKey: 'Ana <ana@example.com>' });
    at.answers.push(() => replied(201, { data: named, error: null, success: true }));
    expect(await codes(withdraw(at, order()))).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
    at.time += 95_000;
    const { message, hint } = await withdraw(at, order());
    expect(message).toContain('the answer does not show that it belongs to this withdrawal');
    expect(hint).toContain(
      '(the answer named w1): pixctl withdrawal resolve K1 --withdrawal w1; if it is in neither:',
    );
    at.listed?.push(named, withdrawal('w2', { pixKey: 'bia@example.com' }));
    expect(await codes(is('w2'))).toEqual(['usage', 'NOT_THIS_ONE']);
    expect(await codes(is('w1'))).toEqual(['ok', 'ACCEPTED']);
    expect((await audit(at, scope)).map(({ code }) => code)).toEqual(['INFERRED', 'UNCLAIMED']);
    at.listed?.splice(0, 1, withdrawal('w1', { pixKey: 'bia@example.com' }));
    expect((await audit(at, scope)).map(({ code }) => code)).toContain('DIFFERS');
    at.listed?.splice(0, 1, { ...named, status: 'COMPLETED' });
    expect(await codes(follow(at, { scope, idempotencyKey, timeoutMs: 0 }))).toEqual(['ok', 'COMPLETED']);
  });

  it('accepts one with another PIX key only if the answer to this very send named it', async () => {
    const named = withdrawal('w1', { pixKey: 'bia@example.com' });
    at.service.withdrawal = async () => ({ ...named, id: undefined });
    at.answers.push(() => replied(201, { data: named, error: null, success: true }), lost);
    await withdraw(at, order());
    at.time += 95_000;
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
    await withdraw(at, order());
    expect(await codes(is('w1'))).toEqual(['usage', 'NOT_THIS_ONE']);
    at.answers.unshift(() => replied(201, { data: named, error: null, success: true }));
    at.time += 95_000;
    await notSent();
    await withdraw(at, order());
    expect(await codes(is('w1'))).toEqual(['ok', 'ACCEPTED']);
  });

  it('leaves one whose PIX key is not written out to a person', async () => {
    await sendAndLose(at);
    at.time += 95_000;
    at.listed?.push(withdrawal('w1', { pixKey: 'a***@example.com' }));
    const outcome = await withdraw(at, order());
    expect([outcome.exit, outcome.candidates?.map(({ id }) => id)]).toEqual(['unknown', ['w1']]);
    expect(outcome.message).toContain('the service lists one that may be this one');
    expect(await codes(notSent())).toEqual(['duplicate', 'CANDIDATES']);
    expect(await codes(is('w1'))).toEqual(['ok', 'ACCEPTED']);
    expect(at.posts.length).toBe(1);
  });

  it('accepts "never sent" if what the list masks is read by its id as another key', async () => {
    await sendAndLose(at);
    at.time += 95_000;
    at.listed?.push(withdrawal('w1', { pixKey: '***@example.com' }));
    at.service.withdrawal = async () => withdrawal('w1', { pixKey: 'bia@example.com' });
    expect(await codes(is('w1'))).toEqual(['usage', 'NOT_THIS_ONE']);
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
  });

  it.each([
    ['the list writes out', {}, lost],
    [
      'the answer named',
      { pixKey: '***@example.com' },
      () =>
        replied(201, { data: withdrawal('w1', { pixKey: 'a***@example.com' }), error: null, success: true }),
    ],
  ])('does not take it for one that %s, however it reads by its id', async (_, listed, answer) => {
    at.answers.push(answer);
    await withdraw(at, order());
    at.time += 95_000;
    at.listed?.push(withdrawal('w1', listed));
    at.service.withdrawal = async () => withdrawal('w1', { pixKey: 'bia@example.com' });
    expect(await codes(notSent())).toEqual(['duplicate', 'CANDIDATES']);
  });

  it('does not accept it if, read by its id, only the amount differs', async () => {
    await sendAndLose(at);
    at.time += 95_000;
    at.listed?.push(withdrawal('w1', { pixKey: '***@example.com' }));
    at.service.withdrawal = async () => withdrawal('w1', { pixKey: undefined, amount: 1_150, fee: null });
    expect(await codes(notSent())).toEqual(['duplicate', 'CANDIDATES']);
  });

  it('does not take "never sent" against what the answer itself named', async () => {
    const named = withdrawal('w1', { pixKey: 'a***@example.com' });
    at.answers.push(() => replied(201, { data: named, error: null, success: true }));
    await withdraw(at, order());
    at.time += 95_000;
    at.service.withdrawal = async () => named;
    const outcome = await notSent();
    expect([outcome.code, outcome.candidates?.map(({ id }) => id)]).toEqual(['CANDIDATES', ['w1']]);
    // The line can be pasted: a full stop would be part of the id.
    expect(outcome.hint).toMatch(/--withdrawal w1$/);
    expect(await codes(is('w1'))).toEqual(['ok', 'ACCEPTED']);
  });

  it('is not "never sent", but may be named, if the answer named it with its fee in the amount', async () => {
    const named = withdrawal('w1', { amount: 1_150, fee: 100 });
    at.answers.push(() => replied(201, { data: named, error: null, success: true }));
    await withdraw(at, order());
    at.time += 95_000;
    at.listed?.push(named);
    expect(await codes(notSent())).toEqual(['duplicate', 'CANDIDATES']);
    expect(await codes(is('w1'))).toEqual(['ok', 'ACCEPTED']);
    expect(at.posts.length).toBe(1);
  });

  it.each([
    ['of another whole key', { pixKey: 'bia@example.com' }],
    ['of another type', { pixKey: '12345678909', pixKeyType: 'CPF' }],
    ['of another amount', { amount: 1 }],
  ])('takes "never sent" where the answer named a withdrawal %s', async (_, more) => {
    const named = withdrawal('w1', more);
    at.answers.push(() => replied(201, { data: named, error: null, success: true }));
    await withdraw(at, order());
    at.time += 95_000;
    at.listed?.push(named);
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
  });

  it.each([
    ['was there before the send', true],
    ['is that of another key', false],
  ])('takes "never sent" where the answer named a withdrawal that %s', async (_, before) => {
    const named = withdrawal('w1', {
      pixKey: 'a***@example.com',
      status: 'COMPLETED',
      createdAt: '2026-01-01T00:00:00Z',
    });
    at.service.withdrawal = async () => named;
    if (before) {
      at.listed?.push(named);
    } else {
      at.answers.push(accepted('w1'));
      await withdraw(at, order({ idempotencyKey: key('K0') }));
      at.answers.length = 0;
    }
    at.answers.push(() => replied(201, { data: named, error: null, success: true }));
    expect(await codes(withdraw(at, order()))).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
    at.time += 95_000;
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
  });

  it.each([
    ['amount', { amount: 1 }],
    ['type', { pixKey: '12345678909', pixKeyType: 'CPF' }],
  ] as const)('does not accept the one that the answer named if it has another %s', async (_, more) => {
    const named = withdrawal('w1', more);
    at.answers.push(() => replied(201, { data: named, error: null, success: true }));
    await withdraw(at, order());
    at.listed?.push(named);
    expect(await codes(is('w1'))).toEqual(['usage', 'NOT_THIS_ONE']);
    expect((await at.ledger.find(scope, idempotencyKey))?.state).toBe('UNKNOWN');
  });

  it('can be settled by a person even if the answer named another one', async () => {
    const named = withdrawal('w1', { pixKey: 'bia@example.com', amount: 1 });
    at.answers.push(() => replied(201, { data: named, error: null, success: true }));
    await withdraw(at, order());
    at.time += 95_000;
    at.listed?.push(withdrawal('w2', { pixKey: 'a***@example.com' }));
    expect(await codes(notSent())).toEqual(['duplicate', 'CANDIDATES']);
    expect(await codes(is('w2'))).toEqual(['ok', 'ACCEPTED']);
  });

  it.each([
    '***mple.com',
    'a***@example.com',
    'a\u2022\u2022@example.com',
    'a...@example.com',
    'xxx@example.com',
  ])(
    'believes no refusal while the list shows a new one whose PIX key is not written out: %s',
    async (pixKey) => {
      at.answers.push(() => {
        at.listed?.push(withdrawal('w1', { pixKey }));
        return refused(409, 'CONFLICT')();
      });
      expect(await codes(withdraw(at, order()))).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
      expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({ reason: 'REFUSED_BUT_LISTED' });
    },
  );

  it.each([
    ['reads once the pause that it asks for is over', 60_000, 60_000, ['later', 'REFUSED'], [60_000]],
    ['asks for one again', 20_000, 25_000, ['later', 'REFUSED'], [20_000, 20_000]],
    ['asks for none, and goes on', 0, 2_500, ['later', 'REFUSED'], [1_000, 1_000, 1_000]],
    ['asks for longer than a run may wait', 61_000, 61_000, ['unknown', 'OUTCOME_UNKNOWN'], []],
    ['asks without an end', 25_000, 1e9, ['unknown', 'OUTCOME_UNKNOWN'], [25_000, 25_000]],
  ])(
    'checks a rate-limited refusal against a list that %s',
    async (_, retryAfterMs, heldMs, expected, paused) => {
      const { withdrawals } = at.service;
      let from = 0;
      at.service.withdrawals = () => {
        if (at.time < from) throw new PixctlError('later', 'RATE_LIMITED', 'slow down', { retryAfterMs });
        return withdrawals();
      };
      at.answers.push(() => {
        from = at.time + heldMs;
        return refused(429, 'RATE_LIMITED')();
      });
      const pauses: number[] = [];
      const outcome = await codes(withdraw({ ...at, onPause: (ms) => pauses.push(ms) }, order()));
      expect(outcome).toEqual(expected);
      expect(pauses).toEqual(paused);
      expect(at.posts).toHaveLength(1);
    },
  );

  it('asks no longer than a minute for a list that is slow to say that it may not be read', async () => {
    at.service.withdrawals = () => {
      if (at.posts.length === 0) return (async function* () {})();
      at.time += 40_000;
      throw new PixctlError('later', 'RATE_LIMITED', 'slow down', { retryAfterMs: 9_000 });
    };
    at.answers.push(refused(429, 'RATE_LIMITED'));
    const pauses: number[] = [];
    await withdraw({ ...at, onPause: (ms) => pauses.push(ms) }, order());
    expect(pauses).toEqual([9_000, 9_000]);
  });

  it('stops asking for it once the run is stopped', async () => {
    const stop = new AbortController();
    const { withdrawals } = at.service;
    at.service.withdrawals = () => {
      if (at.posts.length === 0) return withdrawals();
      throw new PixctlError('later', 'RATE_LIMITED', 'slow down', { retryAfterMs: 9_000 });
    };
    at.answers.push(refused(429, 'RATE_LIMITED'));
    const pauses: number[] = [];
    const onPause = (ms: number) => {
      pauses.push(ms);
      stop.abort('SIGINT');
    };
    expect(await codes(withdraw({ ...at, signal: stop.signal, onPause }, order()))).toEqual([
      'unknown',
      'OUTCOME_UNKNOWN',
    ]);
    expect(pauses).toEqual([9_000]);
  });

  it('refuses one that existed before the send', async () => {
    at.listed?.push(withdrawal('old', { status: 'COMPLETED', createdAt: '2026-01-01T00:00:00Z' }));
    await sendAndLose(at);
    expect(await codes(is('old'))).toEqual(['usage', 'NOT_THIS_ONE']);
  });

  it('refuses one that belongs to another key', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order({ idempotencyKey: key('K0') }));
    at.answers[0] = lost;
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1'));
    expect(await codes(is('w1'))).toEqual(['usage', 'NOT_THIS_ONE']);
  });

  it('does not overrule what is known', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    expect(await codes(notSent())).toEqual(['usage', 'NOT_THIS_ONE']);
    expect(await codes(is('w2'))).toEqual(['usage', 'NOT_THIS_ONE']);
    expect(await codes(is('w1'))).toEqual(['ok', 'ACCEPTED']);
  });

  it('agrees with what is already known as not sent, and does not overrule a refusal', async () => {
    at.answers.push(unreached);
    await withdraw(at, order());
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
    expect(await codes(is('w1'))).toEqual(['notFound', 'NO_SUCH_WITHDRAWAL']);
    at.answers[0] = refused(400, 'BAD_REQUEST');
    await withdraw(at, order());
    expect(await codes(notSent())).toEqual(['usage', 'NOT_THIS_ONE']);
  });
});
