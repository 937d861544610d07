/** One service under two addresses: what was sent under one is not sent under the other, however long ago that was. */
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/api/exchange.ts';
import type { Cents } from '../../../src/contract/brand.ts';
import { storageError } from '../../../src/errors.ts';
import type { Scope } from '../../../src/ledger/intent.ts';
import { preview } from '../../../src/withdrawal/dry-run.ts';
import type { WithdrawRequest } from '../../../src/withdrawal/request.ts';
import { resolve } from '../../../src/withdrawal/resolve.ts';
import { withdraw } from '../../../src/withdrawal/withdraw.ts';
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
  shown,
  withdrawal,
} from '../desk.ts';

const here = 'loja http://localhost:4011' as Scope;

describe('an order that this label has paid at another address', () => {
  /** Says so of the key K1 at each of these addresses, then asks for it at the desk's own. */
  async function paidAt(addresses: readonly string[], more: Partial<Desk> = {}) {
    const it = Object.assign(desk(), more);
    for (const [at, scope] of addresses.entries()) {
      it.answers.splice(0, 1, accepted(`w${at}`));
      const outcome = await withdraw(it, order({ scope: scope as Scope, allowDuplicate: true }));
      expect(outcome.exit).toBe('ok');
    }
    it.answers.splice(0, 1, accepted('w9'));
    return { it, ask: (request: Partial<WithdrawRequest> = {}) => shown(withdraw(it, order(request))) };
  }

  it('is not sent there, unless it is confirmed', async () => {
    const { it, ask } = await paidAt(['loja https://old.example']);
    const held = await ask();
    expect([held.exit, held.code, held.intent?.state]).toEqual([
      'duplicate',
      'POSSIBLE_DUPLICATE',
      'PLANNED',
    ]);
    expect(held.message).toBe(
      'this same withdrawal (key K1, R$ 10,50) was accepted at another address, https://old.example (w0); nothing was sent',
    );
    expect(held.hint).toBe(
      'If they are two services, or it is to be paid again, confirm with --allow-duplicate. If both addresses are one service: pixctl withdrawal resolve K1 --withdrawal w0',
    );
    expect(await preview(it, order())).toMatchObject({ obstacle: { exit: 'duplicate' } });
    expect(it.posts).toHaveLength(1);
    expect((await ask({ allowDuplicate: true })).exit).toBe('ok');
    expect(it.posts).toHaveLength(2);
  });

  it('is not sent there with a word that was given before a run had reported the payment', async () => {
    const { it, ask } = await paidAt(['loja https://old.example']);
    for (let run = 0; run < 2; run++) {
      const held = await ask({ allowDuplicate: true });
      expect([held.exit, held.hint]).toEqual([
        'duplicate',
        expect.stringMatching(
          / run the command once without --allow-duplicate, which reports this, and then/,
        ),
      ]);
    }
    expect(await preview(it, order({ allowDuplicate: true }))).toMatchObject({
      obstacle: { exit: 'duplicate' },
    });
    expect(it.posts).toHaveLength(1);
  });

  it('is not sent there by a word about what no run has said to its end', async () => {
    const { it } = await paidAt(['loja https://old.example']);
    expect((await withdraw(it, order())).exit).toBe('duplicate');
    expect((await withdraw(it, order({ allowDuplicate: true }))).exit).toBe('duplicate');
    expect(it.posts).toHaveLength(1);
  });

  it('is reported together with an equal one that the list shows, so that one word is about both', async () => {
    const { it, ask } = await paidAt(['loja https://old.example']);
    it.listed = [withdrawal('w5', { status: 'COMPLETED' })];
    const held = await ask();
    expect([held.exit, held.message, held.hint]).toEqual([
      'duplicate',
      'this same withdrawal (key K1, R$ 10,50) was accepted at another address, https://old.example (w0), and the service lists w5 with the same amount and PIX key, unknown to this ledger; nothing was sent',
      'If they are two services, or it is to be paid again, confirm with --allow-duplicate. If both addresses are one service: pixctl withdrawal resolve K1 --withdrawal w0. If w5 is this same withdrawal: pixctl withdrawal resolve K1 --withdrawal w5',
    ]);
    expect((await ask({ allowDuplicate: true })).exit).toBe('ok');
  });

  it('is not called unknown where the list shows it beside another one', async () => {
    const { it, ask } = await paidAt(['loja https://old.example']);
    it.listed = [withdrawal('w0', { status: 'COMPLETED' }), withdrawal('w5', { status: 'COMPLETED' })];
    const { message, candidates, elsewhere } = await ask();
    expect(message).toContain('https://old.example (w0), and the service lists w5 with the same amount');
    expect(candidates).toEqual(it.listed);
    expect(elsewhere).toEqual([
      {
        ...{ withdrawalId: 'w0', merchant: 'loja', baseUrl: 'https://old.example' },
        ...{ idempotencyKey: 'K1', state: 'ACCEPTED' },
      },
    ]);
  });

  it('is named as such where the list shows it, so that both addresses are one service', async () => {
    const { it, ask } = await paidAt(['loja https://old.example']);
    it.listed = [withdrawal('w0', { status: 'COMPLETED' })];
    const { message, hint } = await ask();
    expect(message).toMatch(
      /^this same withdrawal .* at another address, https:\/\/old.example \(w0\); nothing/,
    );
    expect(hint).toContain('pixctl withdrawal resolve K1 --withdrawal w0');
  });

  it('is reported by a rehearsal without advice that works only after a real run', async () => {
    const { it } = await paidAt(['loja https://old.example']);
    const { obstacle } = await preview(it, order());
    expect(obstacle?.hint).toMatch(/If both addresses are one service, it is not to be sent again\.$/);
    expect(await it.ledger.find(order().scope, key('K1'))).toBe(null);
  });

  it.each([
    ['COMPLETED', 'ok'],
    ['FAILED', 'endedBadly'],
  ] as const)('counts for this key here too once a person says so: %s', async (status, exit) => {
    const { it, ask } = await paidAt(['loja https://old.example']);
    await ask();
    it.listed = [withdrawal('w0', { status, createdAt: '2026-01-01T00:00:00Z' })];
    const word = { kind: 'withdrawal', id: 'w0' } as const;
    const said = await resolve(it, { scope: order().scope, idempotencyKey: key('K1'), verdict: word });
    expect(said).toMatchObject({ exit, intent: { state: status } });
    expect((await ask()).exit).toBe(exit);
    expect(it.posts).toHaveLength(1);
  });

  it('is reported as paid once that is known', async () => {
    const { it, ask } = await paidAt(['loja https://old.example']);
    const [intent] = await it.ledger.inEveryScope(key('K1'));
    if (intent === undefined) throw new Error('no intent');
    await it.ledger.record(intent, { state: 'COMPLETED' }, { id: 'e', at: it.time, what: 'ended' });
    expect((await ask()).message).toContain('was paid at another address');
  });

  it('is sent if it failed there', async () => {
    const { it, ask } = await paidAt(['loja https://old.example']);
    const [intent] = await it.ledger.inEveryScope(key('K1'));
    if (intent === undefined) throw new Error('no intent');
    await it.ledger.record(intent, { state: 'FAILED' }, { id: 'e', at: it.time, what: 'ended' });
    expect((await ask()).exit).toBe('ok');
  });

  it.each<[string, string, Partial<WithdrawRequest>, Partial<Desk>]>([
    ['under another label', 'outra https://old.example', {}, {}],
    ['as another order', 'loja https://old.example', { amount: 1051 as Cents }, {}],
    ['under another key', 'loja https://old.example', { idempotencyKey: key('K2') }, {}],
    ['as a rehearsal on this machine', 'loja http://127.0.0.1:4010', {}, {}],
    [
      'and a sandbox moves no money',
      'loja http://127.0.0.1:4010',
      { scope: here },
      { isSandbox: async () => true },
    ],
  ])('is sent if that was %s', async (_, address, request, more) => {
    const { it, ask } = await paidAt([address], more);
    expect((await ask(request)).exit).not.toBe('duplicate');
    expect(it.posts).toHaveLength(2);
  });

  it('is held up at another machine whichever key is stored now: a sandbox key is never sent there', async () => {
    const { ask } = await paidAt(['loja https://old.example'], { isSandbox: async () => true });
    expect((await ask()).exit).toBe('duplicate');
  });

  it('is held up on this machine by a real payment to another of its addresses', async () => {
    const { ask } = await paidAt(['loja http://127.0.0.1:4010']);
    expect((await ask({ scope: here })).exit).toBe('duplicate');
  });
});

describe('an order whose outcome at another address has become unknown since the run began', () => {
  it('is not sent, even where duplicates are allowed, and says what settles it', async () => {
    const it = desk();
    it.answers.push(lost);
    const old = 'loja https://old.example' as Scope;
    expect((await withdraw(it, order({ scope: old }))).exit).toBe('unknown');
    it.answers.splice(0, 1, accepted('w9'));
    for (const allowDuplicate of [false, true]) {
      const held = await withdraw(it, order({ allowDuplicate }));
      expect([held.exit, held.code]).toEqual(['config', 'OTHER_ADDRESS']);
      expect(held.hint).toContain(
        'Settle it first with PIXCTL_MERCHANT=loja: pixctl withdrawal reconcile K1 --base-url https://old.example.',
      );
    }
    expect(await preview(it, order())).toMatchObject({ obstacle: { code: 'OTHER_ADDRESS' } });
    expect(it.posts).toHaveLength(1);
    const sandbox = Object.assign(it, { isSandbox: async () => true });
    expect((await withdraw(sandbox, order({ scope: here }))).exit).toBe('ok');
  });
});

describe('an order that another run begins at another address, once both have looked', () => {
  const old = 'loja https://old.example' as Scope;

  /** Just before the desk's own send is begun, the other run does all that it does. */
  function overtakenBy(answer: () => Exchange | Promise<Exchange>) {
    const it = desk();
    it.answers.push(accepted('w1'));
    const other = { ...desk(it.ledger), newId: () => `other-${it.newId()}` };
    other.answers.push(answer);
    const { markSending } = it.ledger;
    it.ledger.markSending = async (...given) => {
      it.ledger.markSending = markSending;
      void withdraw(other, order({ scope: old }));
      await expect.poll(() => other.posts.length).toBe(1);
      await expect
        .poll(async () => (await it.ledger.find(old, key('K1')))?.state)
        .toBe(answer === forEver ? 'SENDING' : 'ACCEPTED');
      return markSending(...given);
    };
    return it;
  }
  const forEver = () => new Promise<Exchange>(() => {});

  it.each([
    ['being sent', forEver, {}, ['config', 'OTHER_ADDRESS'], 'NOT_SENT', 0],
    ['being sent', forEver, { allowDuplicate: true }, ['config', 'OTHER_ADDRESS'], 'NOT_SENT', 0],
    ['accepted', accepted('w0'), {}, ['duplicate', 'POSSIBLE_DUPLICATE'], 'NOT_SENT', 0],
    [
      'accepted',
      accepted('w0'),
      { allowDuplicate: true },
      ['duplicate', 'POSSIBLE_DUPLICATE'],
      'NOT_SENT',
      0,
    ],
  ] as const)('is not sent while it is %s there', async (_, answer, more, code, state, posts) => {
    const it = overtakenBy(answer);
    expect(await codes(withdraw(it, order(more)))).toEqual(code);
    expect(it.posts).toHaveLength(posts);
    expect(await it.ledger.find(scope, key('K1'))).toMatchObject({ state });
  });

  it('is reported even if the ledger cannot keep that it was, and a word about it then counts only later', async () => {
    const it = overtakenBy(accepted('w0'));
    const { events } = it.ledger;
    it.ledger.events = () => Promise.reject(storageError('The disk is gone.'));
    expect(await codes(shown(withdraw(it, order())))).toEqual(['duplicate', 'POSSIBLE_DUPLICATE']);
    it.ledger.events = events;
    for (const [allowDuplicate, exit] of [
      [true, 'duplicate'],
      [false, 'duplicate'],
      [true, 'ok'],
    ] as const)
      expect((await shown(withdraw(it, order({ allowDuplicate })))).exit).toBe(exit);
    expect(it.posts).toHaveLength(1);
  });

  it('is reported as the ledger has it where somebody has taken its sender for gone by then', async () => {
    const it = overtakenBy(forEver);
    const { inEveryScope } = it.ledger;
    it.ledger.inEveryScope = async (name) => {
      const own = await it.ledger.find(scope, name);
      const event = { id: 'gone', at: it.time, what: 'owner-gone' };
      if (own?.state === 'SENDING')
        await it.ledger.record(own, { state: 'UNKNOWN', reason: 'OWNER_GONE' }, event);
      return inEveryScope(name);
    };
    expect(await codes(withdraw(it, order()))).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
    expect(it.posts).toHaveLength(0);
    expect(await it.ledger.find(scope, key('K1'))).toMatchObject({ state: 'UNKNOWN' });
  });

  it('is called off where that cannot be looked up any more', async () => {
    const it = desk();
    it.answers.push(accepted('w1'));
    const { markSending, inEveryScope } = it.ledger;
    it.ledger.markSending = async (...given) => {
      it.ledger.inEveryScope = () => Promise.reject(storageError('The disk is gone.'));
      return markSending(...given);
    };
    expect((await withdraw(it, order())).exit).toBe('storage');
    expect(await it.ledger.find(scope, key('K1'))).toMatchObject({ state: 'NOT_SENT', reason: 'STORAGE' });
    expect(it.posts).toHaveLength(0);
    it.ledger.inEveryScope = inEveryScope;
    it.ledger.markSending = markSending;
    expect(await codes(withdraw(it, order()))).toEqual(['ok', 'ACCEPTED']);
  });
});

describe('an order that was refused at another address, perhaps as the second copy of its request', () => {
  const old = 'loja https://old.example' as Scope;
  const w1 = withdrawal('w1', { status: 'COMPLETED', createdAt: '2026-03-10T12:00:00Z' });

  /** The list shows what the first copy has made, four seconds later at most. */
  async function refusedThere() {
    const it = desk();
    it.answers.push(refused(429, 'RATE_LIMITED'));
    expect((await withdraw(it, order({ scope: old }))).code).toBe('REFUSED');
    const shownAt = it.time + 4_000;
    it.answers.splice(0, 1, accepted('w9'));
    async function* withdrawals() {
      yield it.time < shownAt ? [] : [w1];
    }
    return Object.assign(it, { service: { ...it.service, withdrawals } });
  }

  it('is not sent before the list must show it, and is then held up by it', async () => {
    const it = await refusedThere();
    const held = await withdraw(it, order());
    expect([held.exit, held.candidates]).toEqual(['duplicate', [w1]]);
    expect(it.posts).toHaveLength(1);
  });

  it('is sent by a word that was said once that had been reported, and not by one from before', async () => {
    const it = await refusedThere();
    for (const [allowDuplicate, exit] of [
      [true, 'duplicate'],
      [true, 'duplicate'],
      [false, 'duplicate'],
      [true, 'ok'],
    ] as const)
      expect((await shown(withdraw(it, order({ allowDuplicate })))).exit).toBe(exit);
  });

  it('is held up by it for good, even if it was listed before an equal order was sent here', async () => {
    const it = await refusedThere();
    it.time += 10_000;
    expect((await withdraw(it, order({ idempotencyKey: key('K2'), allowDuplicate: true }))).exit).toBe('ok');
    it.time += 30 * 24 * 3_600_000;
    expect((await withdraw(it, order())).candidates).toEqual([w1]);
    it.answers.splice(0, 1, accepted('w10'));
    expect((await withdraw(it, order({ idempotencyKey: key('K3') }))).exit).toBe('ok');
  });

  it('is not sent on a list that was read before that refusal', async () => {
    const it = desk();
    it.answers.push(accepted('w9'));
    const other = desk(it.ledger);
    Object.assign(other, { newId: () => `other-${it.newId()}` });
    other.answers.push(refused(429, 'RATE_LIMITED'));
    async function* withdrawals() {
      await withdraw(other, order({ scope: old }));
      yield [];
    }
    const run = withdraw({ ...it, service: { ...it.service, withdrawals } }, order());
    expect(await codes(run)).toEqual(['later', 'BUSY']);
    expect(it.posts).toEqual([]);
  });

  it.each([
    ['a rehearsal on this machine', 'loja https://service.example' as Scope, false],
    ['a sandbox, which moves no money', here, true],
  ])('does not wait after %s', async (_, from, isSandbox) => {
    const it = Object.assign(desk(), { isSandbox: async () => isSandbox });
    it.answers.push(refused(429, 'RATE_LIMITED'), accepted('w1'));
    await withdraw(it, order({ scope: 'loja http://127.0.0.1:4010' as Scope }));
    const before = it.time;
    expect((await withdraw(it, order({ scope: from }))).exit).toBe('ok');
    expect(it.time - before).toBeLessThan(4_000);
  });
});
