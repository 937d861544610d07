/** What becomes of an outcome that is unknown, or that no run has ended: reconcile, and what a rerun is told. */
import { describe, expect, it } from 'vitest';
import { PixctlError } from '../../../src/errors.ts';
import type { Scope } from '../../../src/ledger/intent.ts';
import { currentOutcome, follow } from '../../../src/withdrawal/follow.ts';
import { moneyMovedBy } from '../../../src/withdrawal/outcome/money-moved.ts';
import { reconcile } from '../../../src/withdrawal/reconcile.ts';
import { resolve } from '../../../src/withdrawal/resolve.ts';
import { withdraw } from '../../../src/withdrawal/withdraw.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';
import {
  accepted,
  codes,
  type Desk,
  desk,
  key,
  lost,
  order,
  refused,
  scope,
  sendAndLose,
  unreached,
  withdrawal,
} from '../desk.ts';
import { at, idempotencyKey, sitAt } from '../own-desk.ts';

describe('reconcile', () => {
  it('says so when nothing is open, and when the ledger does not know the key', async () => {
    expect(await codes(reconcile(at, { scope }))).toEqual(['ok', 'NOTHING_OPEN']);
    expect(await codes(reconcile(at, { scope, idempotencyKey }))).toEqual(['notFound', 'UNKNOWN_KEY']);
  });

  it('adopts the one that is new, and marks it as inferred', async () => {
    await sendAndLose(at);
    expect(await codes(reconcile(at, { scope }))).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
    at.listed?.push(withdrawal('w1'));
    expect(await codes(reconcile(at, { scope }))).toEqual(['ok', 'ACCEPTED']);
    expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({ resourceId: 'w1', inferred: true });
  });

  /** Under another label at this address, `other` is the key of the withdrawal that the list shows since the send. */
  async function paidUnder(label: string, other: string) {
    await sendAndLose(at);
    at.answers.push(accepted('w1'));
    at.answers.shift();
    const elsewhere = order({ scope: `${label} http://service` as Scope, idempotencyKey: key(other) });
    expect((await withdraw(at, elsewhere)).exit).toBe('ok');
    at.listed?.push(withdrawal('w1'));
  }

  it('leaves to a person what the ledger has as another payment, under another label', async () => {
    await paidUnder('filial', 'K2');
    const left = await reconcile(at, { scope });
    expect([left.exit, moneyMovedBy(left)]).toEqual(['unknown', 'maybe']);
    expect(left.hint).toMatch(/^This ledger has it under the merchant label filial \(key K2\), so a person/);
    expect((await withdraw(at, order())).exit).toBe('unknown');
    expect(at.posts).toHaveLength(2);
    const verdict = { kind: 'withdrawal', id: 'w1' } as const;
    expect(await codes(resolve(at, { scope, idempotencyKey, verdict }))).toEqual(['ok', 'ACCEPTED']);
  });

  it.each([
    ['the same order under the same key, which is one payment', 'filial', 'K1', {}],
    ['the same number of another merchant', 'filial', 'K2', { pixKey: 'bia@example.com' }],
  ])('adopts what another label has as %s', async (_, label, other, changed) => {
    await paidUnder(label, other);
    if ('pixKey' in changed) {
      const [theirs] = await at.ledger.list(`${label} http://service` as Scope);
      at.ledger.possibleOwnersElsewhere = async () =>
        theirs === undefined ? [] : [{ ...theirs, request: JSON.stringify({ ...order(), ...changed }) }];
    }
    expect(await codes(reconcile(at, { scope }))).toEqual(['ok', 'ACCEPTED']);
  });

  it('ends like a rerun, never with 0, for one whose status the document does not show', async () => {
    await sendAndLose(at);
    at.listed?.push(withdrawal('w1', { status: 'RETURNED' }));
    for (const again of [false, true]) {
      const outcome = await reconcile(at, { scope, ...(again && { idempotencyKey }) });
      expect([outcome.exit, outcome.code, moneyMovedBy(outcome)]).toEqual(['pending', 'PENDING', 'maybe']);
      expect(outcome.message).toContain('RETURNED, a status that the document does not show');
    }
    expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({
      state: 'ACCEPTED',
      resourceId: 'w1',
    });
  });

  it('ends in the same way for one that a person named', async () => {
    await sendAndLose(at);
    at.listed?.push(withdrawal('w1', { status: 'RETURNED', pixKey: '***' }));
    const verdict = { kind: 'withdrawal', id: 'w1' } as const;
    for (let word = 1; word <= 2; word++)
      expect(await codes(resolve(at, { scope, idempotencyKey, verdict }))).toEqual(['pending', 'PENDING']);
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

  it("asks for nothing and changes nothing under the key of a charge, and neither does a person's word", async () => {
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
    const begun = await at.ledger.markSending(intent, options, { id: 'e2', at: 0, what: 'sending' });
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

  it('does not say that nothing was sent about what was sent, if the list cannot be read', async () => {
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

  it('finds what another host has adopted since, instead of finding no candidate', async () => {
    await sendAndLose(at);
    at.listed?.push(withdrawal('w1'));
    let others = 0;
    const slow: Desk = {
      ...at,
      ledger: {
        ...at.ledger,
        // The other host's claim is committed before this one asks what is claimed.
        findClaimedIds: async (...asked) => {
          if (others++ === 0) expect(await codes(reconcile(at, { scope }))).toEqual(['ok', 'ACCEPTED']);
          return at.ledger.findClaimedIds(...asked);
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
  ])(
    'is reported alike by reconcile and by status once what was accepted is %s',
    async (status, expected) => {
      at.answers.push(accepted('w1'));
      await withdraw(at, order());
      at.listed = [withdrawal('w1', { status })];
      expect(await codes(reconcile(at, { scope, idempotencyKey }))).toEqual(expected);
      expect(await codes(currentOutcome(at, { scope, idempotencyKey }))).toEqual(expected);
      expect(at.posts).toHaveLength(1);
    },
  );

  it('stays accepted if the service cannot be asked', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed = [];
    expect(await codes(reconcile(at, { scope, idempotencyKey }))).toEqual(['ok', 'ACCEPTED']);
  });
});

describe('a process that is gone before its first byte', () => {
  const dieBeforeTheByte = async (departs: boolean) => {
    sitAt(desk(memoryLedger({ departs })));
    const { service } = at;
    const dying = { ...at, service: { ...service, send: () => new Promise<never>(() => {}) } };
    void withdraw(dying, order());
    await expect.poll(async () => (await at.ledger.find(scope, idempotencyKey))?.state).toBe('SENDING');
    at.gone.add(1);
    at.answers.push(accepted('w1'));
  };

  it('sent nothing, as the ledger proves if it marks departures: the next run pays', async () => {
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
    [{ kind: 'withdrawal', id: 'w1' }, ['ok', 'ACCEPTED']],
  ] as const)("needs no person's word, but accepts one: %j", async (verdict, expected) => {
    await dieBeforeTheByte(true);
    at.listed?.push(withdrawal('w1'));
    expect(await codes(resolve(at, { scope, idempotencyKey, verdict }))).toEqual(expected);
    expect((await at.ledger.find(scope, idempotencyKey))?.state).toBe(expected[1]);
  });

  it('may have sent if the ledger cannot mark departures: the next run does not send', async () => {
    await dieBeforeTheByte(false);
    expect(await codes(withdraw(at, order()))).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
    expect(at.posts).toEqual([]);
  });

  it('cannot send any more once somebody has called it off', async () => {
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
    await sendAndLose(at);
    expect(await rerun()).toEqual({
      code: 'OUTCOME_UNKNOWN',
      message:
        'the withdrawal of R$ 10,50 may have happened: its answer was lost (sent 2026-03-10T12:00:00.000Z), and the service lists no withdrawal. It is not sent again.',
      hint: 'Run the same withdraw command again, or pixctl withdrawal reconcile K1: it checks whether it happened, and does not send. If it still does not show after 2026-03-10T12:01:35.000Z, a person decides.',
    });
  });

  it.each([
    [1, 'the only one that the service lists cannot be this one'],
    [2, 'none of the 2 that the service lists can be this one'],
  ])('how many the service lists, if none of %i can be it', async (count, words) => {
    for (let n = 0; n < count; n++)
      at.listed?.push(withdrawal(`old${n}`, { amount: 700, status: 'COMPLETED' }));
    await sendAndLose(at);
    expect((await rerun()).message).toContain(`, and ${words}. It is not sent again.`);
  });

  it('once it can only stay so: which two commands end it, and after which look', async () => {
    await sendAndLose(at);
    at.time += 95_000;
    const ends =
      'Running it again is safe, and ends the same way until a person decides. Check the dashboard and the bank statement. If it is there: pixctl withdrawal resolve K1 --withdrawal <id>; if it is in neither: pixctl withdrawal resolve K1 --not-sent; running its withdraw command again then sends it.';
    expect((await rerun()).hint).toBe(ends);
    const other = await withdraw(at, order({ idempotencyKey: key('K2') }));
    expect([other.exit, other.hint]).toEqual(['blocked', ends]);
  });

  it('while the list cannot be read, however long ago that is: that a rerun looks again, and nothing of "never sent"', async () => {
    await sendAndLose(at);
    at.time += 95_000;
    at.listed = null;
    const { message, hint } = await withdraw(at, order());
    expect(message).toContain('and the list could not be read (not reached)');
    expect(hint).toBe(
      'Run the same withdraw command again, or pixctl withdrawal reconcile K1: it checks whether it happened, and does not send.',
    );
  });

  it('to another key, before that: to reconcile', async () => {
    await sendAndLose(at);
    const other = await withdraw(at, order({ idempotencyKey: key('K2') }));
    expect([other.exit, other.hint]).toEqual(['blocked', 'pixctl withdrawal reconcile K1']);
  });

  it('of several: to choose', async () => {
    await sendAndLose(at);
    at.listed?.push(withdrawal('w1'), withdrawal('w2'));
    expect(await rerun()).toMatchObject({
      message: expect.stringContaining('the service lists several that may be this one (w1, w2)'),
      hint: 'Look at each with pixctl withdrawal get <id>, or in the dashboard, and choose which one it is: pixctl withdrawal resolve K1 --withdrawal <id>; if it is none of them: pixctl withdrawal resolve K1 --not-sent says what can be done about it, and from when.',
    });
    at.time += 95_000;
    const word = await resolve(at, { scope, idempotencyKey, verdict: { kind: 'not-sent' } });
    expect([word.code, word.message, word.hint]).toEqual([
      'CANDIDATES',
      'the service lists several withdrawals that may be this one; nothing was changed',
      'If it is none of them, and the dashboard and the bank statement do not show this one either: pay it in the dashboard, and name that withdrawal instead. If it is one of them: pixctl withdrawal resolve K1 --withdrawal <id>',
    ]);
  });

  it('of a list that the key does not open any more: what to do about the key', async () => {
    await sendAndLose(at);
    const { service } = at;
    const hint = 'Log in with a valid key: pixctl login --profile shop';
    const withdrawals = () => {
      throw new PixctlError('auth', 'UNAUTHORIZED', 'the key was revoked', { hint });
    };
    const outcome = await withdraw({ ...at, service: { ...service, withdrawals } }, order());
    expect([outcome.exit, outcome.hint]).toEqual([
      'unknown',
      `Run the same withdraw command again, or pixctl withdrawal reconcile K1: it checks whether it happened, and does not send. It needs the list for that. ${hint}`,
    ]);
  });

  it('of a list that shows nothing of what it showed before: what ends it where that is for good', async () => {
    at.listed?.push(withdrawal('w0', { status: 'COMPLETED', amount: 9_999 }));
    await sendAndLose(at);
    at.listed?.splice(0);
    const hint =
      'Run again later. If the service has dropped those for good, check the dashboard and the bank statement. If it is there: pixctl withdrawal resolve K1 --withdrawal <id>; if it is in neither: pixctl withdrawal resolve K1 --not-sent --short-list';
    expect(await rerun()).toMatchObject({ code: 'OUTCOME_UNKNOWN', hint });
    at.time += 95_000;
    const asked = { scope, idempotencyKey };
    const word = await resolve(at, { ...asked, verdict: { kind: 'not-sent' } });
    expect([word.exit, word.code, word.hint]).toEqual(['later', 'LIST_NOT_WHOLE', hint]);
    const known = await resolve(at, { ...asked, verdict: { kind: 'not-sent', shortList: true } });
    expect([known.exit, known.code]).toEqual(['ok', 'NOT_SENT']);
  });

  it.each([
    ['PIX key is not written out', { pixKey: 'a***@example.com' }],
    ['type is left out', { pixKeyType: '' }],
    ['amount has its fee in it', { amount: 1150 }],
  ])('of one whose %s: which one, and how to say that it is', async (_, more) => {
    await sendAndLose(at);
    at.listed?.push(withdrawal('w1', more as Parameters<typeof withdrawal>[1]));
    expect(await rerun()).toMatchObject({
      message: expect.stringContaining('the service lists one that may be this one (w1)'),
      hint: 'The list shows its amount, PIX key or type differently from the order, so a person has to say whether it is this one: look at it with pixctl withdrawal get w1, or in the dashboard. If it is this one: pixctl withdrawal resolve K1 --withdrawal w1; if it is not: pixctl withdrawal resolve K1 --not-sent says what can be done about it, and from when.',
    });
  });

  it('of one that by its time was there before the send, which the list had missed: nobody takes it but a person', async () => {
    const old = withdrawal('w0', { status: 'COMPLETED', createdAt: '2026-03-09T11:00:00Z' });
    await sendAndLose(at);
    at.listed?.push(old);
    expect(await rerun()).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      hint: "By its time (2026-03-09T11:00:00.000Z) it was made more than a day before this one was sent (2026-03-10T12:00:00.000Z by this machine's clock, which pixctl doctor compares with that of the service), so a person has to say whether it is this one: look at it with pixctl withdrawal get w0, or in the dashboard. If it is this one: pixctl withdrawal resolve K1 --withdrawal w0; if it is not: pixctl withdrawal resolve K1 --not-sent says what can be done about it, and from when.",
    });
    const asked = { scope, idempotencyKey };
    // What tells a person to pay by hand waits as long as what lets the key be sent again.
    const early = await resolve(at, { ...asked, verdict: { kind: 'not-sent' } });
    expect([early.code, early.hint]).toEqual([
      'NOT_SETTLED',
      expect.stringMatching(/^Ask again in \d+ s\.$/),
    ]);
    at.time += 95_000;
    const word = await resolve(at, { ...asked, verdict: { kind: 'not-sent' } });
    expect([word.code, word.hint]).toEqual([
      'CANDIDATES',
      'If it is not, and the dashboard and the bank statement do not show this one either: pay it in the dashboard, and name that withdrawal instead. If it is: pixctl withdrawal resolve K1 --withdrawal w0',
    ]);
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    expect((await rerun()).message).toContain('several that may be this one (w0, w1)');
    const named = await resolve(at, { ...asked, verdict: { kind: 'withdrawal', id: 'w1' } });
    expect([named.exit, named.intent?.resourceId]).toEqual(['ok', 'w1']);
  });

  it.each([
    ['a day older, by a time that names no zone', '2026-03-09T12:00:01'],
    ['of no time that can be read', '09/03/2026'],
    ['of no time', undefined],
  ])('of one that is not surely older is none: it is taken (%s)', async (_, createdAt) => {
    await sendAndLose(at);
    at.listed?.push(withdrawal('w1', { status: 'COMPLETED', createdAt }));
    expect((await rerun()).code).toBe('COMPLETED');
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
        'this same withdrawal is being sent by another process, on another host or in another container: it cannot be seen from here, and counts as ended after 2026-03-10T12:01:05.000Z; nothing was sent',
    });
  });

  it('of a send whose pid is in use, nobody can tell by what: until when, and after that it is not sent again', async () => {
    at.answers.push(() => new Promise(() => {}));
    void withdraw(at, order());
    await expect.poll(() => at.posts.length).toBe(1);
    const untold = {
      ...at,
      owners: { ...at.owners, self: { ...at.owners.self, pid: 2 }, liveness: async () => 'unsure' as const },
    };
    expect(await withdraw(untold, order())).toMatchObject({
      exit: 'later',
      code: 'BUSY',
      message:
        'this same withdrawal is being sent by another process, or has ended (its pid 1 is in use; this system does not say by what), and counts as ended after 2026-03-10T12:01:05.000Z; nothing was sent',
    });
    at.time += 66_000;
    expect((await withdraw(untold, order())).exit).toBe('unknown');
    at.listed?.push(withdrawal('w1'));
    expect(await withdraw(untold, order())).toMatchObject({ intent: { resourceId: 'w1' } });
    expect(at.posts).toHaveLength(1);
  });

  it('of a send that has not left, whose pid is in use: what was called unknown does not leave any more', async () => {
    const departs = Promise.withResolvers<void>();
    const { send } = at.service;
    // As on Windows.
    const owners = { ...at.owners, self: { ...at.owners.self, boot: '', started: '' } };
    const slow = {
      ...at,
      owners,
      service: {
        ...at.service,
        async send(request: Parameters<typeof send>[0]) {
          await departs.promise;
          return send(request);
        },
      },
    };
    at.answers.push(accepted('w1'));
    const first = withdraw(slow, order());
    await expect.poll(async () => (await at.ledger.findOpen(scope))?.state).toBe('SENDING');
    const untold = {
      ...at,
      owners: { ...owners, self: { ...owners.self, pid: 2 }, liveness: async () => 'unsure' as const },
    };
    at.time += 66_000;
    expect((await withdraw(untold, order())).exit).toBe('unknown');
    expect(at.posts).toHaveLength(0);
    departs.resolve();
    // It knows of itself that it was too late, and begins anew: that one may leave.
    expect(await codes(first)).toEqual(['ok', 'ACCEPTED']);
    expect(at.posts).toHaveLength(1);
  });
});
