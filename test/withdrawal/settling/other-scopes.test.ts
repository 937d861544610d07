/** A listed withdrawal that another key of this ledger has, or may have made, is not taken for this one's by itself. */
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/api/exchange.ts';
import type { Cents } from '../../../src/contract/brand.ts';
import type { Scope } from '../../../src/ledger/intent.ts';
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
  shown,
  unreached,
  withdrawal,
} from '../desk.ts';

const idempotencyKey = key('K1');
const otherScopes = [
  ['label', 'filial http://service'],
  ['address', 'loja https://other.example'],
  ['label at another address', 'filial https://other.example'],
] as const;

/** A process of another scope on the same ledger. */
const besides = (it: Desk): Desk =>
  Object.assign(desk(it.ledger), {
    newId: () => `other-${it.newId()}`,
    owners: { ...it.owners, self: { ...it.owners.self, pid: 2 } },
  });
const theirs = (other: string, more = {}) =>
  order({ scope: other as Scope, idempotencyKey: key('K2'), ...more });
const unansweredYet = () => new Promise<Exchange>(() => {});

describe.each(otherScopes)('under another %s', (_, other) => {
  it('what a key has as its payment is left to a person', async () => {
    const it = desk();
    await sendAndLose(it);
    const second = besides(it);
    second.answers.push(accepted('w1'));
    expect((await withdraw(second, theirs(other))).exit).toBe('ok');
    it.listed = [withdrawal('w1')];

    const left = await reconcile(it, { scope, idempotencyKey });
    expect([left.exit, moneyMovedBy(left), left.candidates]).toEqual(['unknown', 'maybe', it.listed]);
    expect((await withdraw(it, order())).exit).toBe('unknown');
    expect((await withdraw(it, order({ idempotencyKey: key('K3') }))).exit).toBe('blocked');
    expect(it.posts).toHaveLength(1);
    const verdict = { kind: 'withdrawal', id: 'w1' } as const;
    expect(await codes(resolve(it, { scope, idempotencyKey, verdict }))).toEqual(['ok', 'ACCEPTED']);
  });

  it('what a key may be making right now is looked for again, and is its own once its answer says so', async () => {
    const it = desk();
    await sendAndLose(it);
    const second = besides(it);
    const answer = Promise.withResolvers<Exchange>();
    second.answers.push(() => answer.promise);
    const paying = withdraw(second, theirs(other));
    await expect.poll(() => second.posts.length).toBe(1);
    it.listed = [withdrawal('w1')];

    const left = await reconcile(it, { scope });
    expect([left.exit, left.hint]).toEqual([
      'unknown',
      expect.stringMatching(
        /^An equal withdrawal is being sent under the merchant label .*PIXCTL_MERCHANT=\w+: pixctl/,
      ),
    ]);
    answer.resolve(accepted('w1')());
    expect((await paying).exit).toBe('ok');
    expect((await reconcile(it, { scope })).hint).toContain('This ledger has it');
    expect((await it.ledger.find(scope, idempotencyKey))?.state).toBe('UNKNOWN');
  });

  it('what a key of unknown outcome may have made is left to a person, whose word settles both', async () => {
    const it = desk();
    await sendAndLose(it);
    const second = besides(it);
    second.answers.push(lost);
    expect((await withdraw(second, theirs(other))).exit).toBe('unknown');
    it.listed = [withdrawal('w1')];
    second.listed = it.listed;

    const left = await reconcile(it, { scope });
    expect([left.exit, left.hint]).toEqual([
      'unknown',
      expect.stringMatching(
        /^It may as well be an equal withdrawal under .* \(key K2\), whose outcome is not known/,
      ),
    ]);
    expect((await reconcile(second, { scope: other as Scope })).exit).toBe('unknown');
    const verdict = { kind: 'withdrawal', id: 'w1' } as const;
    const said = await resolve(second, { scope: other as Scope, idempotencyKey: key('K2'), verdict });
    expect(said.exit).toBe('ok');
    expect((await reconcile(it, { scope })).hint).toContain('This ledger has it');
  });
});

describe('what was refused under another label', () => {
  /** K1 is unknown, K2 was refused so many days before or after, and the list shows w1. */
  async function refusedAfter(days: number) {
    const it = desk();
    const second = besides(it);
    second.answers.push(refused(429, 'RATE_LIMITED'));
    second.time += days * 24 * 3_600_000;
    await sendAndLose(it);
    expect((await withdraw(second, theirs('filial http://service'))).code).toBe('REFUSED');
    it.listed = [withdrawal('w1')];
    return reconcile(it, { scope });
  }

  it('may have made what the list shows, if that was a second copy of its request', async () => {
    for (const days of [0, 2]) {
      const left = await refusedAfter(days);
      expect([left.exit, left.hint]).toEqual([
        'unknown',
        expect.stringMatching(/^It may as well be .* \(key K2\), whose refusal may be that of a second copy/),
      ]);
    }
  });

  it.each([
    ['refused again', refused(429, 'RATE_LIMITED'), 'whose refusal'],
    ['accepted', accepted('w2'), 'whose earlier refusal'],
    ['not heard of again', lost, 'whose outcome is not known'],
  ])('may have made it with its first send where it was sent again and %s', async (_, answer, why) => {
    const it = desk();
    const second = besides(it);
    second.answers.push(refused(429, 'RATE_LIMITED'), answer);
    const ask = theirs('filial http://service');
    expect((await withdraw(second, ask)).code).toBe('REFUSED');
    await sendAndLose(it);
    // A copy of the first was late. It has failed, so nothing holds up the second, before which it is listed.
    it.listed = [withdrawal('w1', { status: 'FAILED' })];
    second.listed = it.listed;
    second.time += 10_000;
    await withdraw(second, ask);
    expect(second.posts).toHaveLength(2);
    const left = await reconcile(it, { scope });
    expect([left.exit, left.hint, left.elsewhere?.length]).toEqual([
      'unknown',
      expect.stringContaining(`(key K2), ${why}`),
      // Its state tells nothing of w1 where it has another.
      why === 'whose earlier refusal' ? 0 : 1,
    ]);
  });

  it.each([
    ['never left', async () => unreached(), 'NOT_SENT'],
    ['has not left yet', unansweredYet, 'SENDING'],
  ])('may have made it with its first send where a second one %s', async (_, send, state) => {
    const it = desk(memoryLedger({ departs: true }));
    const second = besides(it);
    second.answers.push(refused(429, 'RATE_LIMITED'));
    const ask = theirs('filial http://service');
    expect((await withdraw(second, ask)).code).toBe('REFUSED');
    await sendAndLose(it);
    it.listed = [withdrawal('w1', { status: 'FAILED' })];
    second.listed = it.listed;
    void withdraw({ ...second, service: { ...second.service, send } }, ask);
    const theirState = async () => (await it.ledger.find(ask.scope, ask.idempotencyKey))?.state;
    await expect.poll(theirState).toBe(state);
    const left = await reconcile(it, { scope });
    expect([left.exit, left.elsewhere]).toEqual(['unknown', [expect.objectContaining({ state })]]);
    expect(left.hint).toContain('(key K2)');
  });

  it('long before has made nothing that was not listed at the send', async () => {
    expect((await refusedAfter(-2)).exit).toBe('ok');
  });
});

describe.each([true, false])('the one that is new is adopted, where departures are marked: %s', (departs) => {
  /** K1 is unknown, then K2 is being sent under another label; the list shows w1. */
  async function whileSending(more = {}, listedForThem = false) {
    const it = desk(memoryLedger({ departs }));
    await sendAndLose(it);
    const second = besides(it);
    second.answers.push(unansweredYet);
    if (listedForThem)
      second.listed = [withdrawal('w1', { status: 'COMPLETED', createdAt: '2026-01-01T00:00:00Z' })];
    void withdraw(second, theirs('filial http://service', more));
    await expect.poll(() => second.posts.length).toBe(1);
    it.listed = [withdrawal('w1')];
    return it;
  }

  it.each([
    ['another amount', { amount: 1051 as Cents }, false],
    ['another PIX key', { pixKey: 'bia@example.com' }, false],
    ['an equal order that was sent when the list had it already', {}, true],
    ['the same order under the same key', { idempotencyKey }, false],
  ])('while another label sends %s', async (_, more, listedForThem) => {
    expect((await reconcile(await whileSending(more, listedForThem), { scope })).exit).toBe('ok');
  });

  it('not while it sends an equal order under another key', async () => {
    expect((await reconcile(await whileSending(), { scope })).exit).toBe('unknown');
  });
});

it('what this very key has paid at another address is not what it was sent again for', async () => {
  const it = desk();
  it.answers.push(accepted('w1'), lost);
  expect((await withdraw(it, order({ scope: 'loja https://other.example' as Scope }))).exit).toBe('ok');
  expect((await shown(withdraw(it, order()))).exit).toBe('duplicate');
  expect((await withdraw(it, order({ allowDuplicate: true }))).exit).toBe('unknown');
  it.listed = [withdrawal('w1')];
  const left = await reconcile(it, { scope });
  expect([left.exit, left.hint]).toEqual([
    'unknown',
    expect.stringMatching(
      /^This ledger has it under the merchant label loja at https:\/\/other.example \(key K1/,
    ),
  ]);
});

it('what this very key may have made when another address refused it is its payment', async () => {
  const it = desk();
  it.answers.push(refused(429, 'RATE_LIMITED'), lost);
  const first = await withdraw(it, order({ scope: 'loja https://other.example' as Scope }));
  expect(first.code).toBe('REFUSED');
  expect((await withdraw(it, order())).exit).toBe('unknown');
  it.listed = [withdrawal('w1')];
  expect(await codes(reconcile(it, { scope }))).toEqual(['ok', 'ACCEPTED']);
});

it('a send that has not departed explains nothing, as long as the machine runs', async () => {
  for (const boot of ['b', 'another']) {
    const it = desk();
    await sendAndLose(it);
    const planned = await it.ledger.plan(
      {
        id: 'i2',
        kind: 'withdrawal',
        scope: 'filial http://service' as Scope,
        idempotencyKey: key('K2'),
        amount: order().amount,
        request: (await it.ledger.find(scope, idempotencyKey))?.request ?? '',
      },
      { id: 'e1', at: it.time, what: 'planned' },
    );
    const owner = { ...it.owners.self, pid: 2, boot };
    const sending = { owner, at: it.time, expectedFence: 0, baseline: [] };
    await it.ledger.markSending(planned.intent, sending, { id: 'e2', at: it.time, what: 'sending' });
    it.listed = [withdrawal('w1')];
    expect((await reconcile(it, { scope })).exit).toBe(boot === 'b' ? 'ok' : 'unknown');
  }
});

it('the run that has lost an answer waits for that of the other, and takes what is left', async () => {
  const it = desk();
  const second = besides(it);
  const answer = Promise.withResolvers<Exchange>();
  second.answers.push(() => answer.promise);
  const paying = withdraw(second, theirs('loja https://other.example'));
  await expect.poll(() => second.posts.length).toBe(1);
  it.answers.push(() => {
    it.listed = [withdrawal('w1')];
    return lost();
  });
  const { sleep } = it.clock;
  Object.assign(it.clock, {
    sleep: async (ms: number) => {
      if (ms === 1_000) {
        answer.resolve(accepted('w2')());
        await paying;
      }
      await sleep(ms);
    },
  });
  expect(await codes(withdraw(it, order()))).toEqual(['ok', 'ACCEPTED']);
  expect(await it.ledger.find(scope, idempotencyKey)).toMatchObject({ resourceId: 'w1', inferred: true });
});

it('nobody is taken at their word about what may be the send of another run right now', async () => {
  const it = desk();
  await sendAndLose(it);
  const second = besides(it);
  second.answers.push(unansweredYet);
  void withdraw(second, theirs('filial http://service'));
  await expect.poll(() => second.posts.length).toBe(1);
  it.listed = [withdrawal('w1')];
  const verdict = { kind: 'withdrawal', id: 'w1' } as const;
  expect(await codes(resolve(it, { scope, idempotencyKey, verdict }))).toEqual(['later', 'BUSY']);
  // Its process has ended without an answer: now only a person can tell.
  it.gone.add(2);
  expect(await codes(resolve(it, { scope, idempotencyKey, verdict }))).toEqual(['ok', 'ACCEPTED']);
});
