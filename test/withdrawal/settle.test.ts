/** Reconcile, resolve, follow, audit: what happens to a withdrawal after its run. */
import { beforeEach, describe, expect, it } from 'vitest';
import { PixctlError, storageError, usageError } from '../../src/errors.ts';
import { audit } from '../../src/withdrawal/audit.ts';
import type { Dependencies } from '../../src/withdrawal/dependencies.ts';
import { asItStands, follow } from '../../src/withdrawal/follow.ts';
import { reconcile } from '../../src/withdrawal/reconcile.ts';
import { resolve } from '../../src/withdrawal/resolve.ts';
import { withdraw } from '../../src/withdrawal/withdraw.ts';
import { memoryLedger } from '../support/memory-ledger.ts';
import {
  accepted,
  type Desk,
  desk,
  key,
  lost,
  order,
  refused,
  replied,
  scope,
  unreached,
  withdrawal,
} from './desk.ts';

let at: Desk;
const idempotencyKey = key('K1');
beforeEach(() => {
  at = desk();
});
const sendAndLose = async () => {
  at.answers.push(lost);
  await withdraw(at, order());
};
const codes = async (promise: Promise<{ exit: string; code: string }>) => {
  const { exit, code } = await promise;
  return [exit, code];
};

describe('reconcile', () => {
  it('says so when nothing is open, and when the ledger does not know the key', async () => {
    expect(await codes(reconcile(at, { scope }))).toEqual(['ok', 'NOTHING_OPEN']);
    expect(await codes(reconcile(at, { scope, idempotencyKey }))).toEqual(['notFound', 'UNKNOWN_KEY']);
  });

  it('adopts the one that is new, and marks it as inferred', async () => {
    await sendAndLose();
    expect(await codes(reconcile(at, { scope }))).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
    at.listed?.push(withdrawal('w1'));
    expect(await codes(reconcile(at, { scope }))).toEqual(['ok', 'ACCEPTED']);
    expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({ resourceId: 'w1', inferred: true });
  });

  it.each([
    ['refused', () => refused(400, 'BAD_REQUEST')(), ['refused', 'REFUSED']],
    ['refused for its key', () => refused(403, 'FORBIDDEN')(), ['auth', 'REFUSED']],
    ['not sent', unreached, ['later', 'NOT_SENT']],
  ])('of a key that was %s ends as its run did, never with 0', async (_, answer, expected) => {
    at.answers.push(answer);
    expect(await codes(withdraw(at, order()))).toEqual(expected);
    expect(await codes(reconcile(at, { scope, idempotencyKey }))).toEqual(expected);
    expect(await codes(follow(at, { scope, idempotencyKey, timeoutMs: 0 }))).toEqual(expected);
    expect(await codes(reconcile(at, { scope }))).toEqual(['ok', 'NOTHING_OPEN']);
  });

  it('of the key of a charge asks for nothing and changes nothing, and nor does a word about it', async () => {
    const charge = {
      id: 'c1',
      kind: 'charge',
      scope,
      idempotencyKey,
      amount: order().amount,
      request: '{}',
    } as const;
    const { intent } = await at.ledger.plan(charge, { id: 'e1', at: 0, what: 'planned' });
    const options = { owner: at.owners.self, at: 0, expectedFence: 0, baseline: [] };
    const begun = await at.ledger.send(intent, options, { id: 'e2', at: 0, what: 'sending' });
    if (begun.kind === 'sending')
      await at.ledger.record(begun.intent, { state: 'UNKNOWN' }, { id: 'e3', at: 0, what: 'unknown' });
    at.listed = null;
    at.time += 95_000;
    const verdict = { kind: 'not-sent' } as const;
    const wrong = ['notFound', 'NOT_A_WITHDRAWAL'];
    expect(await codes(reconcile(at, { scope, idempotencyKey }))).toEqual(wrong);
    expect(await codes(resolve(at, { scope, idempotencyKey, verdict }))).toEqual(wrong);
    expect((await at.ledger.find(scope, idempotencyKey))?.state).toBe('UNKNOWN');
  });

  it('does not say of what was sent that nothing was, where the list cannot be read', async () => {
    const { service } = at;
    at.answers.push(lost);
    let reads = 0;
    async function* withdrawals() {
      if (reads++ > 0) throw new PixctlError('interrupted', 'INTERRUPTED', 'Stopped. Nothing was sent.');
      yield* service.withdrawals();
    }
    const outcome = await withdraw({ ...at, service: { ...service, withdrawals } }, order());
    expect([outcome.exit, outcome.message]).toEqual([
      'unknown',
      expect.stringContaining('the list could not be read (Stopped). It is not sent again.'),
    ]);
  });

  it('finds what another host has adopted since, instead of nothing that it can be', async () => {
    await sendAndLose();
    at.listed?.push(withdrawal('w1'));
    let others = 0;
    const slow: Desk = {
      ...at,
      ledger: {
        ...at.ledger,
        // The other host's claim is committed before this one asks what is claimed.
        claimed: async (...asked) => {
          if (others++ === 0) expect(await codes(reconcile(at, { scope }))).toEqual(['ok', 'ACCEPTED']);
          return at.ledger.claimed(...asked);
        },
      },
    };
    expect(await codes(withdraw(slow, order()))).toEqual(['ok', 'ACCEPTED']);
    expect(others).toBe(1);
    expect(at.posts).toHaveLength(1);
  });

  it.each([
    ['alive', false, ['later', 'BUSY']],
    ['gone', true, ['ok', 'ACCEPTED']],
  ])('of a send whose process is %s', async (_, gone, expected) => {
    at.answers.push(() => new Promise(() => {}));
    void withdraw(at, order());
    await expect.poll(() => at.posts.length).toBe(1);
    at.listed?.push(withdrawal('w1'));
    if (gone) at.gone.add(1);
    expect(await codes(reconcile(at, { scope }))).toEqual(expected);
  });
});

describe('where a key stands', () => {
  it.each([
    ['FAILED', ['endedBadly', 'FAILED']],
    ['COMPLETED', ['ok', 'COMPLETED']],
    ['PENDING', ['ok', 'ACCEPTED']],
    ['LIMBO', ['pending', 'PENDING']],
  ])('is told alike by reconcile and by status, once what was accepted is %s', async (status, expected) => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed = [withdrawal('w1', { status })];
    expect(await codes(reconcile(at, { scope, idempotencyKey }))).toEqual(expected);
    expect(await codes(asItStands(at, { scope, idempotencyKey }))).toEqual(expected);
    expect(at.posts).toHaveLength(1);
  });

  it('stays what was accepted, where the service cannot be asked', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed = [];
    expect(await codes(reconcile(at, { scope, idempotencyKey }))).toEqual(['ok', 'ACCEPTED']);
  });
});

describe('a process that is gone before its first byte', () => {
  const dieBeforeTheByte = async (departs: boolean) => {
    at = desk(memoryLedger({ departs }));
    const { service } = at;
    const dying = { ...at, service: { ...service, send: () => new Promise<never>(() => {}) } };
    void withdraw(dying, order());
    await expect.poll(async () => (await at.ledger.find(scope, idempotencyKey))?.state).toBe('SENDING');
    at.gone.add(1);
    at.answers.push(accepted('w1'));
  };

  it('sent nothing, which the ledger proves where it marks departures: the next run pays', async () => {
    await dieBeforeTheByte(true);
    expect(await codes(withdraw(at, order()))).toEqual(['ok', 'ACCEPTED']);
  });

  it.each([
    ['its key', { scope, idempotencyKey }],
    ['whatever is open', { scope }],
  ])('is told at once by reconcile of %s, and nothing else is taken for it', async (_, asked) => {
    await dieBeforeTheByte(true);
    at.listed?.push(withdrawal('w1'));
    expect(await codes(reconcile(at, asked))).toEqual(['later', 'NOT_SENT']);
  });

  it.each([
    [{ kind: 'not-sent' }, ['ok', 'NOT_SENT']],
    [{ kind: 'withdrawal', id: 'w1' }, ['usage', 'NOT_THIS_ONE']],
  ] as const)('needs no word of a person: %j', async (verdict, expected) => {
    await dieBeforeTheByte(true);
    at.listed?.push(withdrawal('w1'));
    expect(await codes(resolve(at, { scope, idempotencyKey, verdict }))).toEqual(expected);
    expect((await at.ledger.find(scope, idempotencyKey))?.state).toBe('NOT_SENT');
  });

  it('may have sent, where the ledger cannot mark departures: the next run does not', async () => {
    await dieBeforeTheByte(false);
    expect(await codes(withdraw(at, order()))).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
    expect(at.posts).toEqual([]);
  });

  it('cannot send after all once somebody called it off', async () => {
    at.answers.push(accepted('w1'));
    const { service } = at;
    const late = Promise.withResolvers<void>();
    const slow = {
      ...at,
      service: {
        ...service,
        send: async (request: Parameters<typeof service.send>[0]) => {
          await late.promise;
          return service.send(request);
        },
      },
    };
    const first = withdraw(slow, order());
    await expect.poll(async () => (await at.ledger.find(scope, idempotencyKey))?.state).toBe('SENDING');
    // Wrongly taken for gone: its pid is seen from another container.
    at.gone.add(1);
    expect(await codes(withdraw(at, order()))).toEqual(['ok', 'ACCEPTED']);
    late.resolve();
    expect(await codes(first)).toEqual(['ok', 'ACCEPTED']);
    expect(at.posts.length).toBe(1);
  });
});

describe('what is told of an outcome that stays unknown', () => {
  const rerun = async () => {
    const { code, message, hint } = await withdraw(at, order());
    return { code, message, hint };
  };

  it('at first: that a rerun looks again, and from when on a person decides', async () => {
    await sendAndLose();
    expect(await rerun()).toEqual({
      code: 'OUTCOME_UNKNOWN',
      message:
        'the withdrawal of R$ 10,50 may have happened: its answer was lost (sent 2026-03-10T12:00:00.000Z), and none of the 0 that the service lists can be this one. It is not sent again.',
      hint: 'Run the same withdraw command again, or pixctl withdrawal reconcile K1: it checks whether it happened, and does not send. If it still does not show after 2026-03-10T12:01:35.000Z, a person decides.',
    });
  });

  it('once it can only stay so: which two commands end it, and after which look', async () => {
    await sendAndLose();
    at.time += 95_000;
    const ends =
      'Running it again is safe, and ends the same way until a person decides. Check the dashboard and the bank statement. If it is there: pixctl withdrawal resolve K1 --withdrawal <id>. If it is in neither: pixctl withdrawal resolve K1 --not-sent; then run its withdraw command again to send it.';
    expect((await rerun()).hint).toBe(ends);
    const other = await withdraw(at, order({ idempotencyKey: key('K2') }));
    expect([other.exit, other.hint]).toEqual(['blocked', ends]);
  });

  it('to another key, before that: to reconcile', async () => {
    await sendAndLose();
    const other = await withdraw(at, order({ idempotencyKey: key('K2') }));
    expect([other.exit, other.hint]).toEqual(['blocked', 'pixctl withdrawal reconcile K1']);
  });

  it('of several: to choose', async () => {
    await sendAndLose();
    at.listed?.push(withdrawal('w1'), withdrawal('w2'));
    expect((await rerun()).hint).toBe(
      'Choose which one it is: pixctl withdrawal resolve K1 --withdrawal <id>.',
    );
  });

  it('of a send from another host, as long as it may go on: until when', async () => {
    at.answers.push(() => new Promise(() => {}));
    const elsewhere = {
      ...at,
      owners: { ...at.owners, self: { ...at.owners.self, host: 'h2', boot: 'b2' } },
    };
    void withdraw(elsewhere, order());
    await expect.poll(() => at.posts.length).toBe(1);
    expect(await rerun()).toMatchObject({
      code: 'BUSY',
      message:
        'this very withdrawal is being sent by another process, on another host or in another container: it cannot be seen from here, and counts as ended after 2026-03-10T12:01:05.000Z; nothing was sent',
    });
  });
});

describe('resolve', () => {
  const notSent = () => resolve(at, { scope, idempotencyKey, verdict: { kind: 'not-sent' } });
  const is = (id: string) => resolve(at, { scope, idempotencyKey, verdict: { kind: 'withdrawal', id } });

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
    expect(held.hint).toContain('pixctl withdrawal resolve K1 --withdrawal w1');
    const findings = (await audit(at, scope)).map(({ code, message }) => [code, message]);
    expect(findings).toEqual([
      [
        'UNCLAIMED',
        `w1 (R$ 10,50, COMPLETED) belongs to no key of this ledger; it can be that of K1, which is ${state} here. If it is: pixctl withdrawal resolve K1 --withdrawal w1`,
      ],
      ['UNCLAIMED', 'w7 (R$ 0,07, COMPLETED) was sent by other means: it belongs to no key of this ledger'],
      ['UNCLAIMED', 'w8 (R$ 10,50, FAILED) was sent by other means: it belongs to no key of this ledger'],
    ]);
    expect(await codes(is('w7'))).toEqual(['usage', 'NOT_THIS_ONE']);
    expect(await codes(is('w1'))).toEqual(['ok', 'COMPLETED']);
    expect(await codes(withdraw(at, order()))).toEqual(['ok', 'COMPLETED']);
    expect(at.posts).toHaveLength(1);
  });

  it.each([
    ['a refusal', () => refused(400, 'BAD_REQUEST')(), 'REFUSED'],
    ['a send that a person took for one that never left', lost, 'NOT_SENT'],
  ])('corrects %s also where a later try did not reach the service', async (_, answer, state) => {
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

  it('takes no withdrawal for that of a key which never left', async () => {
    at.answers.push(unreached);
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    expect((await withdraw(at, order())).hint).toBe(
      'If it is another withdrawal, confirm with --allow-duplicate.',
    );
    expect(await codes(is('w1'))).toEqual(['usage', 'NOT_THIS_ONE']);
  });

  it('is no hint to a twin that was there before the refused send', async () => {
    const createdAt = new Date(at.time).toISOString();
    at.listed?.push(withdrawal('w0', { status: 'COMPLETED', createdAt }));
    at.answers.push(() => refused(400, 'BAD_REQUEST')());
    expect((await withdraw(at, order({ allowDuplicate: true }))).code).toBe('REFUSED');
    const held = async () => (await withdraw(at, order())).hint;
    expect(await held()).toBe('If it is another withdrawal, confirm with --allow-duplicate.');
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    expect(await held()).toContain('pixctl withdrawal resolve K1 --withdrawal w1');
  });

  it('does not give a refused key what another one, whose outcome is not known yet, would find', async () => {
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

  it('gives a refused key its own while one of another order is unknown', async () => {
    at.answers.push(() => refused(400, 'BAD_REQUEST')(), lost);
    await withdraw(at, order());
    await withdraw(at, order({ idempotencyKey: key('K2'), pixKey: 'bia@example.com' }));
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    expect(await codes(is('w1'))).toEqual(['ok', 'COMPLETED']);
  });

  it('takes "never sent" only after the settle time, and then the key may be sent again', async () => {
    await sendAndLose();
    expect(await codes(notSent())).toEqual(['later', 'NOT_SETTLED']);
    at.time += 95_000;
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
    at.answers[0] = accepted('w2');
    expect(await codes(withdraw(at, order()))).toEqual(['ok', 'ACCEPTED']);
  });

  it('is no matter for later where the word cannot be written down, or names what no withdrawal is called', async () => {
    await sendAndLose();
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

  it('measures the settle time by a clock that nobody can set, where it is the same machine', async () => {
    await sendAndLose();
    at.time += 3_600_000;
    at.setAhead += 3_600_000;
    expect(await codes(notSent())).toEqual(['later', 'NOT_SETTLED']);
    at.time += 90_000;
    expect(await codes(notSent())).toEqual(['later', 'NOT_SETTLED']);
    at.time += 5_000;
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
  });

  it('measures it by the time of day too, where the machine counts more', async () => {
    await sendAndLose();
    at.setAhead -= 3_600_000;
    at.time += 90_000;
    expect(await codes(notSent())).toEqual(['later', 'NOT_SETTLED']);
    at.time += 5_000;
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
  });

  it('is not held up by a clock that was set back', async () => {
    await sendAndLose();
    at.time -= 3_600_000;
    at.setAhead -= 3_600_000;
    at.time += 95_000;
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
  });

  it('measures it by the time of day once the machine was started again', async () => {
    await sendAndLose();
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

  it('waits for the exchange of the sender, however short its own is', async () => {
    await sendAndLose();
    at.time += 90_000;
    const hasty = { ...at, requestTimeoutMs: 1_000 };
    const verdict = { kind: 'not-sent' } as const;
    expect(await codes(resolve(hasty, { scope, idempotencyKey, verdict }))).toEqual(['later', 'NOT_SETTLED']);
  });

  it('does not take "never sent" on the word of a list that has lost its past', async () => {
    at.listed = [withdrawal('old', { status: 'COMPLETED', amount: 9 })];
    await sendAndLose();
    at.time += 95_000;
    at.listed = [];
    expect(await codes(notSent())).toEqual(['later', 'LIST_NOT_WHOLE']);
    const verdict = { kind: 'not-sent', shortList: true } as const;
    expect(await codes(resolve(at, { scope, idempotencyKey, verdict }))).toEqual(['ok', 'NOT_SENT']);
  });

  it('does not take another withdrawal than the one that was named', async () => {
    await sendAndLose();
    at.service.withdrawal = async () => withdrawal('w1');
    expect(await codes(is('w2'))).toEqual(['usage', 'NOT_THIS_ONE']);
  });

  it('tells a withdrawal that does not exist from one that cannot be read', async () => {
    await sendAndLose();
    expect(await codes(is('w_x'))).toEqual(['notFound', 'NO_SUCH_WITHDRAWAL']);
    at.service.withdrawal = () => Promise.reject(new PixctlError('later', 'NOT_REACHED', 'not reached'));
    expect(await codes(is('w_x'))).toEqual(['later', 'NOT_REACHED']);
    expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({ state: 'UNKNOWN' });
  });

  it('does not take "never sent" against the list, or without it', async () => {
    await sendAndLose();
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
    await sendAndLose();
    at.listed?.push(found);
    expect(await codes(is('w1'))).toEqual(expected);
  });

  it('takes the one that the answer itself named, however its PIX key is written there', async () => {
    const named = withdrawal('w1', { pixKey: 'Ana <ana@example.com>' });
    at.answers.push(() => replied(201, { data: named, error: null, success: true }));
    expect(await codes(withdraw(at, order()))).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
    at.time += 95_000;
    const { message, hint } = await withdraw(at, order());
    expect(message).toContain('the answer does not belong to this withdrawal');
    expect(hint).toContain('(the answer named w1): pixctl withdrawal resolve K1 --withdrawal w1.');
    at.listed?.push(named, withdrawal('w2', { pixKey: 'bia@example.com' }));
    expect(await codes(is('w2'))).toEqual(['usage', 'NOT_THIS_ONE']);
    expect(await codes(is('w1'))).toEqual(['ok', 'ACCEPTED']);
    expect((await audit(at, scope)).map(({ code }) => code)).toEqual(['INFERRED', 'UNCLAIMED']);
    at.listed?.splice(0, 1, withdrawal('w1', { pixKey: 'bia@example.com' }));
    expect((await audit(at, scope)).map(({ code }) => code)).toContain('DIFFERS');
    at.listed?.splice(0, 1, { ...named, status: 'COMPLETED' });
    expect(await codes(follow(at, { scope, idempotencyKey, timeoutMs: 0 }))).toEqual(['ok', 'COMPLETED']);
  });

  it('leaves one whose PIX key is not written out to a person', async () => {
    await sendAndLose();
    at.time += 95_000;
    at.listed?.push(withdrawal('w1', { pixKey: 'a***@example.com' }));
    const outcome = await withdraw(at, order());
    expect([outcome.exit, outcome.candidates?.map(({ id }) => id)]).toEqual(['unknown', ['w1']]);
    expect(outcome.message).toContain('the service lists one that can be this one');
    expect(await codes(notSent())).toEqual(['duplicate', 'CANDIDATES']);
    expect(await codes(is('w1'))).toEqual(['ok', 'ACCEPTED']);
    expect(at.posts.length).toBe(1);
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
  ] as const)('does not take the one that the answer named where it is of another %s', async (_, more) => {
    const named = withdrawal('w1', more);
    at.answers.push(() => replied(201, { data: named, error: null, success: true }));
    await withdraw(at, order());
    at.listed?.push(named);
    expect(await codes(is('w1'))).toEqual(['usage', 'NOT_THIS_ONE']);
    expect((await at.ledger.find(scope, idempotencyKey))?.state).toBe('UNKNOWN');
  });

  it('is ended by a person also where the answer named another one', async () => {
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
    'holds a refusal by the rate against a list that %s',
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

  it('asks for it no more once the run is stopped', async () => {
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

  it('refuses one that was there before the send', async () => {
    at.listed?.push(withdrawal('old', { status: 'COMPLETED', createdAt: '2026-01-01T00:00:00Z' }));
    await sendAndLose();
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

  it('agrees with what is not sent already, and does not overrule a refusal', async () => {
    at.answers.push(unreached);
    await withdraw(at, order());
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
    expect(await codes(is('w1'))).toEqual(['usage', 'NOT_THIS_ONE']);
    at.answers[0] = refused(400, 'BAD_REQUEST');
    await withdraw(at, order());
    expect(await codes(notSent())).toEqual(['usage', 'NOT_THIS_ONE']);
  });
});

describe('follow', () => {
  const wait = () => follow(at, { scope, idempotencyKey, timeoutMs: 10_000 });

  it('gives no read longer than is left of the wait; one look by itself has all the time of a read', async () => {
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

  it('is not kept waiting by a PIX key that is written otherwise under its own id', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1', { status: 'FAILED', pixKey: 'a***@example.com' }));
    expect(await codes(wait())).toEqual(['endedBadly', 'FAILED']);
  });

  it('tells whether it was sent in an earlier run, also where it is pending', async () => {
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
    'tells %s where the ledger has failed meanwhile, and that it does not say so',
    async (status, expected) => {
      at.answers.push(accepted('w1'));
      const after = await withdraw(at, order());
      at.listed?.push(withdrawal('w1', { status }));
      const full = () => Promise.reject(storageError('The disk is full.'));
      at.ledger.record = full;
      for (const find of [at.ledger.find, full]) {
        at.ledger.find = find;
        const outcome = await follow(at, { scope, idempotencyKey, timeoutMs: 10_000, after });
        expect([outcome.exit, outcome.code, outcome.replayed]).toEqual([...expected, false]);
        expect(outcome.message).toContain('could not be written (The disk is full)');
      }
    },
  );

  it('goes on where the row has left the ledger that this run has written it to', async () => {
    at.answers.push(accepted('w1'));
    const after = await withdraw(at, order());
    at.listed?.push(withdrawal('w1', { status: 'PROCESSING' }));
    at.ledger.find = async () => null;
    const outcome = await follow(at, { scope, idempotencyKey, timeoutMs: 10_000, after });
    expect([outcome.exit, outcome.intent?.resourceId]).toEqual(['pending', 'w1']);
  });

  it('without a run before it, and without a ledger, says nothing of money', async () => {
    at.ledger.find = () => Promise.reject(storageError('The disk is full.'));
    expect(await wait()).toMatchObject({ exit: 'storage', intent: null, unread: true });
  });

  it('does not wait for what is unknown', async () => {
    await sendAndLose();
    expect(await codes(wait())).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
  });
});

describe('audit', () => {
  const findings = async () => (await audit(at, scope)).map(({ code, severity }) => [code, severity]);

  it('finds nothing where ledger and list agree', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1'));
    expect(await findings()).toEqual([]);
  });

  it.each([
    ['FAILED', 'COMPLETED'],
    ['COMPLETED', 'FAILED'],
    ['COMPLETED', 'PENDING'],
  ])('does not agree that what ended %s is %s', async (was, is) => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1', { status: was }));
    await follow(at, { scope, idempotencyKey, timeoutMs: 0 });
    at.listed?.splice(0, 1, withdrawal('w1', { status: is }));
    expect(await findings()).toEqual([['DIFFERS', 'problem']]);
  });

  it('finds no contradiction in what was accepted, or has ended, while the list was read', async () => {
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
    expect((await findings()).at(0)).toEqual(['UNKNOWN', 'look']);
    at.listed?.push(withdrawal('w2'));
    await reconcile(at, { scope });
    expect((await findings()).at(0)).toEqual(['INFERRED', 'note']);
  });

  it('does not say that what an unknown send can have made was sent from elsewhere', async () => {
    at.listed?.push(withdrawal('w0', { status: 'COMPLETED' }));
    at.answers.push(lost);
    await withdraw(at, order({ allowDuplicate: true }));
    at.listed?.push(withdrawal('w1', { pixKey: 'a***@example.com' }), withdrawal('w2', { amount: 5 }));
    const about = (await audit(at, scope)).map(({ code, message }) => [code, message.slice(0, 60)]);
    expect(about).toEqual([
      ['UNKNOWN', expect.stringContaining('outcome is not known')],
      ['UNCLAIMED', expect.stringContaining('w0 (R$ 10,50, COMPLETED) was sent by other means')],
      ['UNCLAIMED', expect.stringContaining('w1 (R$ 10,50, PENDING) can be that of K1, whose')],
      ['UNCLAIMED', expect.stringContaining('w2 (R$ 0,05, PENDING) was sent by other means')],
    ]);
  });
});
