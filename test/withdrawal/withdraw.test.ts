/** What a run says and leaves behind, case by case; the simulation proves what holds in all of them. */
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/api/create-client.ts';
import { systemClock } from '../../src/clock.ts';
import type { Cents } from '../../src/contract/brand.ts';
import { type ErrorDetails, type ExitName, PixctlError, storageError } from '../../src/errors.ts';
import { intentId } from '../../src/ledger/intent-id.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { serviceOf } from '../../src/withdrawal/dependencies.ts';
import { moneyMovedBy } from '../../src/withdrawal/outcome/money-moved.ts';
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

const stateOf = async (it: Desk, name = 'K1') => (await it.ledger.find(scope, key(name)))?.state;
const told = async (it: Desk, more: Parameters<typeof order>[0] = {}) => {
  const { exit, code, replayed } = await withdraw(it, order(more));
  return [exit, code, replayed];
};

/** The list has it once so many milliseconds have passed. */
const shownAfter = (it: Desk, ms: number, listed: ReturnType<typeof withdrawal>) => {
  const from = it.time + ms;
  const { sleep } = it.clock;
  Object.assign(it.clock, {
    sleep: async (asked: number) => {
      await sleep(asked);
      if (it.time >= from) it.listed = [listed];
    },
  });
};

describe('a withdrawal', () => {
  it('is sent once, and answered from the ledger ever after', async () => {
    const it = desk();
    it.answers.push(accepted('w1'));
    expect(await told(it)).toEqual(['ok', 'ACCEPTED', false]);
    expect(await told(it)).toEqual(['ok', 'ACCEPTED', true]);
    // Where the index of the keys has lost it, it is found by this.
    expect((await it.ledger.find(scope, key('K1')))?.id).toBe(intentId(scope, key('K1')));
    expect(it.posts.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/withdrawals', '{"amount":1050,"pixKey":"ana@example.com","pixKeyType":"EMAIL"}'],
    ]);
  });

  it.each([
    ['another amount', { amount: 1051 as Cents }],
    ['another PIX key', { pixKey: 'bia@example.com' }],
  ])('of a key that stands for %s is exit 85, even before anything was accepted', async (_, more) => {
    const it = desk();
    it.answers.push(unreached);
    await withdraw(it, order());
    expect(await told(it, more)).toEqual(['keyReused', 'KEY_REUSED', false]);
    expect(it.tries).toBe(3);
  });

  it('is not accepted by an answer that names a withdrawal from before it', async () => {
    const it = desk();
    it.listed?.push(withdrawal('old', { status: 'COMPLETED', createdAt: '2026-01-01T00:00:00Z' }));
    it.answers.push(accepted('old'));
    expect(await told(it)).toEqual(['unknown', 'OUTCOME_UNKNOWN', false]);
    expect(await it.ledger.find(scope, key('K1'))).toMatchObject({
      state: 'UNKNOWN',
      reason: 'ID_SEEN_BEFORE',
      resourceId: null,
    });
  });

  it('that never left is tried three times, then left for later, and may be run again', async () => {
    const it = desk();
    it.answers.push(unreached);
    expect(await told(it)).toEqual(['later', 'NOT_SENT', false]);
    expect([it.tries, it.posts.length, await stateOf(it)]).toEqual([3, 0, 'NOT_SENT']);
    it.answers[0] = accepted('w1');
    expect(await told(it)).toEqual(['ok', 'ACCEPTED', false]);
  });

  it.each([
    [400, 'BAD_REQUEST', 'refused'],
    [409, 'CONFLICT', 'refused'],
    [401, 'UNAUTHORIZED', 'auth'],
    [403, 'FORBIDDEN', 'auth'],
    [429, 'RATE_LIMITED', 'later'],
  ])('refused with %i %s ends as %s, and may be run again', async (status, code, exit) => {
    const it = desk();
    it.answers.push(refused(status, code), accepted('w1'));
    expect(await told(it)).toEqual([exit, 'REFUSED', false]);
    expect(await stateOf(it)).toBe('REFUSED');
    expect(await told(it)).toEqual(['ok', 'ACCEPTED', false]);
  });

  it('refused while the list shows it is adopted: a proxy answered for its second copy', async () => {
    const it = desk();
    it.answers.push(() => {
      it.listed?.push(withdrawal('w1'));
      return refused(409, 'CONFLICT')();
    });
    expect(await told(it)).toEqual(['ok', 'ACCEPTED', false]);
    expect((await it.ledger.find(scope, key('K1')))?.inferred).toBe(true);
  });

  it('refused as a duplicate of one that the list shows only later is adopted as well', async () => {
    const it = desk();
    const { sleep } = it.clock;
    it.answers.push(() => {
      Object.assign(it.clock, {
        sleep: async (ms: number) => {
          await sleep(ms);
          it.listed = [withdrawal('w1')];
        },
      });
      return refused(409, 'CONFLICT')();
    });
    expect(await told(it)).toEqual(['ok', 'ACCEPTED', false]);
    expect(it.posts).toHaveLength(1);
  });

  it('refused as a duplicate of one in a list that has since lost everything else is unknown', async () => {
    const it = desk();
    it.listed = [withdrawal('w0', { amount: 7, status: 'COMPLETED' })];
    const { sleep } = it.clock;
    it.answers.push(() => {
      Object.assign(it.clock, {
        sleep: async (ms: number) => {
          await sleep(ms);
          it.listed = [withdrawal('w1')];
        },
      });
      return refused(409, 'CONFLICT')();
    });
    expect(await told(it)).toEqual(['unknown', 'OUTCOME_UNKNOWN', false]);
    expect(await stateOf(it)).toBe('UNKNOWN');
  });

  it('refused because of a conflict that the list explains is not searched for any longer', async () => {
    const it = desk();
    it.answers.push(() => {
      it.listed?.push(withdrawal('w8', { amount: 7, status: 'PENDING' }));
      return refused(409, 'CONFLICT')();
    });
    const before = it.time;
    expect(await told(it)).toEqual(['refused', 'REFUSED', false]);
    expect(it.time).toBe(before);
  });

  it('refused because of a conflict stays refused if the list, read once, cannot be read again', async () => {
    const it = desk();
    const { sleep } = it.clock;
    it.answers.push(() => {
      Object.assign(it.clock, {
        sleep: async (ms: number) => {
          await sleep(ms);
          it.listed = null;
        },
      });
      return refused(409, 'CONFLICT')();
    });
    expect(await told(it)).toEqual(['refused', 'REFUSED', false]);
    expect(await stateOf(it)).toBe('REFUSED');
  });

  it.each([
    ['the same key', 'K1'],
    ['another key', 'K2'],
  ])(
    'refused while the list is behind, and run again at once under %s, is not sent again',
    async (_, name) => {
      const it = desk();
      it.answers.push(refused(400, 'BAD_REQUEST'), accepted('w2'));
      expect(await told(it)).toEqual(['refused', 'REFUSED', false]);
      it.time += 500;
      shownAfter(it, 3_000, withdrawal('w1', { status: 'COMPLETED' }));
      expect(await told(it, { idempotencyKey: key(name) })).toEqual([
        'duplicate',
        'POSSIBLE_DUPLICATE',
        false,
      ]);
      expect(it.posts).toHaveLength(1);
    },
  );

  it('refused makes only the same order wait, and not for long', async () => {
    const it = desk();
    it.answers.push(refused(400, 'BAD_REQUEST'));
    await told(it);
    const slept = [it.time];
    await told(it, { idempotencyKey: key('K2'), amount: 7 as Cents });
    slept.push(it.time);
    await told(it);
    slept.push(it.time);
    it.time += 3_999;
    await told(it);
    slept.push(it.time);
    it.time += 4_000;
    await told(it);
    slept.push(it.time);
    expect(slept.map((time) => time - (slept[0] ?? 0))).toEqual([0, 0, 4_000, 8_000, 12_000]);
  });

  it('refused, and held up since, makes no run wait again: what counts is when it was refused', async () => {
    const it = desk();
    it.answers.push(refused(400, 'BAD_REQUEST'));
    await told(it);
    it.time += 4_000;
    it.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    const before = it.time;
    for (let run = 1; run <= 2; run++)
      expect(await told(it)).toEqual(['duplicate', 'POSSIBLE_DUPLICATE', false]);
    expect(it.time).toBe(before);
  });

  it('refused by a clock that was set back since makes a rerun wait no longer than that', async () => {
    const it = desk();
    it.answers.push(refused(400, 'BAD_REQUEST'), accepted('w1'));
    await told(it);
    it.time -= 3_600_000;
    const before = it.time;
    expect(await told(it)).toEqual(['ok', 'ACCEPTED', false]);
    expect(it.time - before).toBe(4_000);
  });

  it.each([
    ['this machine, whose clock was set ahead', 3_600_000, {}],
    ['another host, whose clock is ahead', 20_000, { host: 'h2', boot: 'b2' }],
    ['this machine, restarted, by a clock that is ahead', 20_000, { boot: 'b2' }],
  ])(
    'refused while the list is behind, and run again at once from %s, is not sent again',
    async (_, aheadMs, self) => {
      const it = desk();
      it.answers.push(refused(400, 'BAD_REQUEST'), accepted('w2'));
      expect(await told(it)).toEqual(['refused', 'REFUSED', false]);
      it.time += aheadMs;
      it.setAhead = aheadMs;
      shownAfter(it, 3_000, withdrawal('w1', { status: 'COMPLETED' }));
      const next = { ...it, owners: { ...it.owners, self: { ...it.owners.self, ...self } } };
      expect((await withdraw(next, order())).code).toBe('POSSIBLE_DUPLICATE');
      expect(it.posts).toHaveLength(1);
    },
  );

  it('refused by another host makes a rerun wait in full, unless clocks cannot differ that much', async () => {
    const it = desk();
    it.answers.push(refused(400, 'BAD_REQUEST'));
    await told(it);
    for (const [passed, rest] of [
      [29_000, 4_000],
      [31_000, 3_000],
      [34_000, 0],
    ] as const) {
      it.time += passed;
      const before = it.time;
      const boot = `b${passed}`;
      await withdraw({ ...it, owners: { ...it.owners, self: { ...it.owners.self, boot } } }, order());
      expect(it.time - before).toBe(rest);
    }
  });

  it('refused, and stopped while the list is given time, is not sent', async () => {
    const it = desk();
    it.answers.push(refused(400, 'BAD_REQUEST'), accepted('w1'));
    await told(it);
    const stop = new AbortController();
    const { sleep } = it.clock;
    Object.assign(it.clock, {
      sleep: async (ms: number) => {
        stop.abort();
        await sleep(ms);
      },
    });
    expect((await withdraw({ ...it, signal: stop.signal }, order())).exit).not.toBe('ok');
    expect(it.posts).toHaveLength(1);
  });

  it('refused while the list cannot be read is unknown', async () => {
    const it = desk();
    it.answers.push(() => {
      it.listed = null;
      return refused(400, 'BAD_REQUEST')();
    });
    const outcome = await withdraw(it, order());
    expect([outcome.exit, outcome.code]).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
    expect(outcome.message).toContain('the service refused it, and its list could not confirm that');
  });

  it.each(['baseline', 'findClaimedIds'] as const)(
    'refused while the ledger cannot say which listed ones it knows (%s) is unknown',
    async (name) => {
      const ledger = memoryLedger();
      let fails = false;
      const read = () => Promise.reject(storageError('The disk does not answer.'));
      const it = desk({
        ...ledger,
        [name]: (...given: never[]) =>
          fails ? read() : (ledger[name] as (...all: never[]) => unknown)(...given),
      });
      it.answers.push(() => {
        fails = true;
        return refused(400, 'BAD_REQUEST')();
      });
      expect(await told(it)).toEqual(['unknown', 'OUTCOME_UNKNOWN', false]);
      expect(await stateOf(it)).toBe('UNKNOWN');
    },
  );

  it.each(['BAD_REQUEST', 'CONFLICT'])(
    'refused with %s while the run is being stopped is still refused: the list is read to its end',
    async (code) => {
      const plain = desk();
      const stop = new AbortController();
      plain.answers.push(() => {
        stop.abort('SIGTERM');
        return refused(400, code)();
      });
      const withdrawals: Desk['service']['withdrawals'] = (options) => {
        if (stop.signal.aborted && options?.uninterrupted !== true)
          throw new PixctlError('terminated', 'TERMINATED', 'stopped');
        return plain.service.withdrawals(options);
      };
      const it: Desk = { ...plain, signal: stop.signal, service: { ...plain.service, withdrawals } };
      expect(await told(it)).toEqual(['refused', 'REFUSED', false]);
      expect(await stateOf(it)).toBe('REFUSED');
    },
  );

  it('refused because of a conflict while the run is being stopped is searched for as long as without that', async () => {
    const it = desk();
    const stop = new AbortController();
    it.answers.push(() => {
      stop.abort('SIGTERM');
      return refused(409, 'CONFLICT')();
    });
    const { sleep } = it.clock;
    const begun = it.time;
    // The refusal was that of a second copy, and the list is two seconds behind.
    Object.assign(it.clock, {
      sleep: async (ms: number, signal?: AbortSignal) => {
        if (signal?.aborted) return;
        await sleep(ms);
        if (it.time >= begun + 2_000) it.listed = [withdrawal('w1')];
      },
    });
    const { exit, withdrawal: its } = await withdraw({ ...it, signal: stop.signal }, order());
    expect([exit, its?.id]).toEqual(['ok', 'w1']);
  });

  it('refused because of a conflict is searched for again after one and three seconds', async () => {
    const it = desk();
    const reads: number[] = [];
    const { withdrawals } = it.service;
    it.service.withdrawals = () => {
      reads.push(it.time);
      return withdrawals();
    };
    it.answers.push(refused(409, 'CONFLICT'));
    const sent = it.time;
    expect(await told(it)).toEqual(['refused', 'REFUSED', false]);
    expect(reads.map((at) => at - sent)).toEqual([0, 0, 1_000, 4_000]);
  });

  it('whose answer is lost is unknown, blocks other keys, and is found by the next run without a second send', async () => {
    const it = desk();
    it.answers.push(lost);
    expect(await told(it)).toEqual(['unknown', 'OUTCOME_UNKNOWN', false]);
    expect(await told(it, { idempotencyKey: key('K2') })).toEqual(['blocked', 'BLOCKED', false]);
    it.listed?.push(withdrawal('w9', { amount: 1 }), withdrawal('w1', { status: 'COMPLETED' }));
    expect(await told(it)).toEqual(['ok', 'COMPLETED', true]);
    expect(it.posts.length).toBe(1);
  });

  it('is not taken for one that was listed before it was sent', async () => {
    const it = desk();
    it.listed?.push(withdrawal('old', { status: 'COMPLETED', createdAt: '2026-01-01T00:00:00Z' }));
    it.answers.push(() => replied(500, ''));
    expect(await told(it)).toEqual(['unknown', 'OUTCOME_UNKNOWN', false]);
  });

  it('that may be any of several in the list is left to a person', async () => {
    const it = desk();
    it.answers.push(() => {
      it.listed?.push(withdrawal('w1', { status: 'COMPLETED' }), withdrawal('w2'));
      return lost();
    });
    const outcome = await withdraw(it, order());
    expect([outcome.exit, outcome.candidates?.map(({ id }) => id)]).toEqual(['unknown', ['w1', 'w2']]);
    expect(await stateOf(it)).toBe('UNKNOWN');
  });

  it('is not adopted from a list that has forgotten what it showed before', async () => {
    const it = desk();
    it.listed?.push(withdrawal('old', { amount: 7, status: 'COMPLETED' }));
    it.answers.push(() => {
      it.listed = [withdrawal('w1')];
      return lost();
    });
    expect(await told(it)).toEqual(['unknown', 'OUTCOME_UNKNOWN', false]);
  });

  it('is not sent while the list cannot be read', async () => {
    const it = desk();
    it.listed = null;
    expect(await told(it)).toEqual(['later', 'NOT_REACHED', false]);
    expect(await stateOf(it)).toBeUndefined();
  });

  const lasts =
    'Nothing is sent while the list cannot be read, and waiting will not change that: ask whoever runs the service. If you withdraw in its dashboard instead, never run this idempotency key again: it would pay a second time.';
  it.each<[string, ExitName, ErrorDetails, [ExitName, string | undefined]]>([
    ['for now', 'refused', { httpStatus: 409, hint: 'Look.' }, ['later', 'Look.']],
    [
      'for good',
      'refused',
      { httpStatus: 404, isPermanent: true, hint: 'Look.' },
      ['unexpected', `Look. ${lasts}`],
    ],
    ['for good, with no other hint', 'unexpected', { isPermanent: true }, ['unexpected', lasts]],
    ['because a gateway forbids it', 'refused', { httpStatus: 403, isPermanent: true }, ['auth', lasts]],
    ['with this key', 'auth', { httpStatus: 401, hint: 'Log in.' }, ['auth', 'Log in.']],
  ])(
    'is not sent while the list cannot be read %s: in the code that helps',
    async (_, kind, details, expected) => {
      const it = desk();
      it.service.withdrawals = () => {
        throw new PixctlError(kind, 'NO_LIST', 'no list', details);
      };
      const { exit, hint } = await withdraw(it, order());
      expect([exit, hint]).toEqual(expected);
      expect(it.tries).toBe(0);
    },
  );

  it('is neither sent nor called refused if the list shows withdrawals without ids', async () => {
    const nameless = withdrawal('', { amount: 7, status: 'COMPLETED' });
    const it = desk();
    it.listed?.push(nameless);
    it.answers.push(accepted('w1'));
    expect(await told(it)).toEqual(['unexpected', 'NO_WITHDRAWAL_ID', false]);
    expect(it.posts).toEqual([]);
    it.listed = [];
    it.answers[0] = () => {
      it.listed = [nameless];
      return refused(400, 'BAD_REQUEST')();
    };
    expect(await told(it)).toEqual(['unknown', 'OUTCOME_UNKNOWN', false]);
    const again = await withdraw(it, order());
    expect(again.hint).toContain('until a person decides');
    expect(again.hint).toContain('pixctl withdrawal resolve K1 --withdrawal <id>.');
  });

  it('is not sent if the list has no pagination, and is not told to wait', async () => {
    const sandbox = await startSandbox({ assume: { 'withdrawal-list-shape': 'unpaged' } });
    const api = createClient({
      baseUrl: sandbox.url,
      apiKey: async () => sandbox.apiKey,
      timeoutMs: 5_000,
      clock: systemClock,
      environment: {},
    });
    try {
      const service = serviceOf(api);
      const outcome = await withdraw({ ...desk(), service }, order());
      expect([outcome.exit, outcome.code, moneyMovedBy(outcome)]).toEqual([
        'unexpected',
        'NO_PAGINATION',
        'no',
      ]);
      expect(sandbox.requests().map(({ method }) => method)).toEqual(['GET']);
    } finally {
      await api.close();
      await sandbox.close();
    }
  });

  it('is not sent while the service works on another one, or after waiting when it stays so', async () => {
    const it = desk();
    it.listed?.push(withdrawal('w0', { amount: 9 }));
    expect(await told(it)).toEqual(['later', 'BUSY', false]);
    const before = it.time;
    expect(await told(it, { ifBusy: 'wait', busyTimeoutMs: 9_000 })).toEqual(['later', 'BUSY', false]);
    expect(it.time - before).toBe(10_000);
  });

  it('is not sent next to a twin that nobody claims, unless it is confirmed', async () => {
    const it = desk();
    it.listed?.push(withdrawal('w0', { status: 'COMPLETED', createdAt: '2026-03-10T11:00:00Z' }));
    it.answers.push(accepted('w1'));
    expect(await told(it)).toEqual(['duplicate', 'POSSIBLE_DUPLICATE', false]);
    expect(await told(it, { allowDuplicate: true })).toEqual(['ok', 'ACCEPTED', false]);
  });

  it('is not paid again from a ledger that was restored from before it, however long ago that is', async () => {
    const createdAt = '2026-01-01T00:00:00Z';
    const it = desk();
    it.answers.push(accepted('w1'));
    const other = { idempotencyKey: key('K0'), pixKey: 'ana@example.com' };
    expect(await told(it, other)).toEqual(['ok', 'ACCEPTED', false]);
    // What the backup does not know: K1 was paid.
    it.listed?.push(withdrawal('w2', { status: 'COMPLETED', pixKey: 'bia@example.com', createdAt }));
    expect(await told(it, { pixKey: 'bia@example.com' })).toEqual(['duplicate', 'POSSIBLE_DUPLICATE', false]);
    expect(it.posts).toHaveLength(1);
    // Nor after another order has seen it in its baseline.
    it.answers.push(accepted('w3'));
    const third = { idempotencyKey: key('K3'), amount: 1051 as Cents };
    expect((await told(it, third))[0]).toBe('unknown');
    it.listed?.push(withdrawal('w3', { amount: 1051, status: 'COMPLETED' }));
    expect(await told(it, third)).toEqual(['ok', 'COMPLETED', true]);
    expect(await told(it, { pixKey: 'bia@example.com' })).toEqual(['duplicate', 'POSSIBLE_DUPLICATE', false]);
    expect(it.posts).toHaveLength(2);
  });

  it('refused is held up by what was listed after its own send, even if the same order was sent since', async () => {
    const it = desk();
    it.answers.push(refused(400, 'BAD_REQUEST'), accepted('w2'));
    await withdraw(it, order());
    const createdAt = new Date(it.time).toISOString();
    it.listed?.push(withdrawal('w1', { status: 'COMPLETED', createdAt }));
    const again = await withdraw(it, order({ idempotencyKey: key('K2'), allowDuplicate: true }));
    expect(again.code).toBe('ACCEPTED');
    it.listed?.push(withdrawal('w2', { status: 'COMPLETED', createdAt }));
    it.time += 48 * 3_600_000;
    const { code, candidates } = await withdraw(it, order());
    expect([code, candidates?.map(({ id }) => id)]).toEqual(['POSSIBLE_DUPLICATE', ['w1']]);
  });

  it('made by hand is asked about once, not with every later one like it', async () => {
    const createdAt = '2026-01-01T00:00:00Z';
    const it = desk();
    it.answers.push(accepted('w1'), accepted('w3'), accepted('w4'));
    expect((await told(it, { idempotencyKey: key('January') }))[0]).toBe('ok');
    it.listed?.push(withdrawal('w2', { status: 'COMPLETED', createdAt }));
    const february = { idempotencyKey: key('February') };
    expect((await told(it, february))[0]).toBe('duplicate');
    expect((await told(it, { ...february, allowDuplicate: true }))[0]).toBe('ok');
    expect((await told(it, { idempotencyKey: key('March') }))[0]).toBe('ok');
  });

  it('like one that existed before the ledger is sent', async () => {
    const it = desk();
    it.listed?.push(withdrawal('old', { status: 'COMPLETED', createdAt: '2026-01-01T00:00:00Z' }));
    it.answers.push(accepted('w1'), accepted('w2'));
    const other = { idempotencyKey: key('K0'), pixKey: 'bia@example.com' };
    expect((await told(it, other))[0]).toBe('unknown');
    it.listed?.push(withdrawal('w1', { pixKey: 'bia@example.com', status: 'COMPLETED' }));
    expect((await told(it, other))[0]).toBe('ok');
    expect((await told(it))[0]).toBe('ok');
  });

  it('is held to the policy before anything is asked or sent', async () => {
    const it = desk();
    it.listed = null;
    const policy = { ...order().policy, maxPerWithdrawal: 1000 as Cents };
    expect(await told(it, { policy })).toEqual(['policy', 'POLICY_MAX_PER_WITHDRAWAL', false]);
  });

  it("answered with another one's id is unknown", async () => {
    const it = desk();
    it.answers.push(accepted('w1'));
    await withdraw(it, order());
    expect(await told(it, { idempotencyKey: key('K2') })).toEqual(['unknown', 'OUTCOME_UNKNOWN', false]);
    expect(await it.ledger.find(scope, key('K2'))).toMatchObject({
      state: 'UNKNOWN',
      reason: 'ID_CLAIMED',
      resourceId: null,
    });
    expect(it.rescued).toEqual([]);
  });

  it.each([
    ['took long, for a name server that did not answer', 30_000, 19_000, 'ACCEPTED'],
    ['took so long that hardly any time is left for the answer', 30_000, 21_000, 'NOT_SENT'],
    ['took long for an exchange that has little time', 6_000, 4_900, 'ACCEPTED'],
    ['took longer than that', 6_000, 5_100, 'NOT_SENT'],
  ])('whose connection %s', async (_, requestTimeoutMs, connectMs, state) => {
    const plain = desk();
    const send: Desk['service']['send'] = (request) => {
      plain.time += connectMs;
      return plain.service.send(request);
    };
    plain.answers.push(accepted('w1'));
    const it: Desk = { ...plain, requestTimeoutMs, service: { ...plain.service, send } };
    const outcome = await withdraw(it, order());
    expect([outcome.intent?.state, it.posts.length]).toEqual([state, state === 'ACCEPTED' ? 1 : 0]);
    expect(outcome.intent?.reason).toBe(state === 'ACCEPTED' ? null : 'LATE');
    expect(outcome.message.includes('it took too long to connect')).toBe(state === 'NOT_SENT');
  });

  it('does not leave when the process was held up after the commit', async () => {
    const ledger = memoryLedger();
    const it = desk({
      ...ledger,
      markSending: async (...given) => {
        const result = await ledger.markSending(...given);
        it.time += 21_000;
        return result;
      },
    });
    it.answers.push(accepted('w1'));
    expect(await told(it)).toEqual(['later', 'NOT_SENT', false]);
    expect([it.posts.length, await stateOf(it)]).toEqual([0, 'NOT_SENT']);
  });

  it.each([
    ['the machine slept meanwhile, whose own clock stands still then', 21_000, 0],
    ['the time of day was set back meanwhile', -3_600_000, 21_000],
  ])('does not leave when %s', async (_, day, own) => {
    const ledger = memoryLedger();
    const passed = { day: 0, own: 0 };
    const plain = desk({
      ...ledger,
      markSending: async (...given) => {
        const result = await ledger.markSending(...given);
        passed.day += day;
        passed.own += own;
        return result;
      },
    });
    const { clock } = plain;
    const it: Desk = {
      ...plain,
      clock: {
        ...clock,
        now: () => clock.now() + passed.day,
        monotonic: () => clock.monotonic() + passed.own,
      },
    };
    it.answers.push(accepted('w1'));
    expect(await told(it)).toEqual(['later', 'NOT_SENT', false]);
    expect([it.posts.length, await stateOf(it)]).toEqual([0, 'NOT_SENT']);
  });

  it('does not leave when the machine slept after the commit and its clock is behind when it wakes', async () => {
    const it = desk(memoryLedger({ departs: false }));
    it.answers.push(accepted('w1'));
    const { service } = it;
    const send: typeof service.send = async (request) => {
      it.setAhead -= 600_000;
      it.time -= 3_600_000;
      it.setAhead -= 3_600_000;
      return service.send(request);
    };
    const outcome = await withdraw({ ...it, service: { ...service, send } }, order());
    expect([outcome.exit, outcome.intent?.state, it.posts.length]).toEqual(['later', 'NOT_SENT', 0]);
  });

  it('does not leave when the process was held up while it marked its departure', async () => {
    const ledger = memoryLedger();
    const it = desk({
      ...ledger,
      markDeparted: (...given) => {
        it.time += 21_000;
        return ledger.markDeparted?.(...given) ?? given[0];
      },
    });
    it.answers.push(accepted('w1'));
    expect(await told(it)).toEqual(['later', 'NOT_SENT', false]);
    expect([it.posts.length, await stateOf(it)]).toEqual([0, 'NOT_SENT']);
  });

  it('does not leave when the run was told to stop', async () => {
    const stop = new AbortController();
    const ledger = memoryLedger();
    const it: Desk = {
      ...desk({
        ...ledger,
        markSending: async (...given) => {
          stop.abort('SIGTERM');
          return ledger.markSending(...given);
        },
      }),
      signal: stop.signal,
    };
    it.answers.push(accepted('w1'));
    expect(await told(it)).toEqual(['terminated', 'INTERRUPTED', false]);
    expect([it.posts.length, await stateOf(it)]).toEqual([0, 'NOT_SENT']);
  });
});

describe('when storage fails', () => {
  const failing = (method: 'plan' | 'markSending' | 'record', times = 99): Ledger => {
    const ledger = memoryLedger();
    let left = times;
    const call = ledger[method] as (...given: unknown[]) => Promise<unknown>;
    const broken = async (...given: unknown[]) => {
      if (left-- > 0) throw storageError('the disk is full');
      return call(...given);
    };
    return { ...ledger, [method]: broken };
  };

  it.each(['plan', 'markSending'] as const)('before the send (%s), nothing leaves: 74', async (method) => {
    const it = desk(failing(method));
    it.answers.push(accepted('w1'));
    const outcome = await withdraw(it, order());
    expect([outcome.exit, outcome.message]).toEqual(['storage', 'the disk is full; nothing was sent']);
    expect(it.posts.length).toBe(0);
  });

  it('after the send, the answer goes to stderr and the exit is 81; the next run sees the send', async () => {
    const ledger = failing('record');
    const it = desk(ledger);
    it.answers.push(accepted('w1'));
    expect(await told(it)).toEqual(['unknown', 'OUTCOME_UNKNOWN', false]);
    expect(it.rescued.length).toBe(1);
    const [words, line] = (it.rescued[0] ?? '').split(': {', 2);
    expect(words).toBe('pixctl could not record this outcome; keep this line');
    expect(JSON.parse(`{${line}`)).toEqual({
      scope: 'loja http://service',
      idempotencyKey: 'K1',
      request: { amount: 1050, pixKey: 'ana@example.com', pixKeyType: 'EMAIL' },
      sentAt: Date.parse('2026-03-10T12:00:00Z'),
      verdict: { kind: 'accepted', withdrawal: withdrawal('w1') },
      why: 'the disk is full',
    });
    expect(await stateOf(it)).toBe('SENDING');
    expect(await told(it)).toEqual(['later', 'BUSY', false]);
  });

  it('before the first byte, a run that could not write that still says that nothing left', async () => {
    const full = () => {
      throw storageError('the disk is full');
    };
    const it = desk({ ...failing('record'), markDeparted: full });
    it.answers.push(accepted('w1'));
    const outcome = await withdraw(it, order());
    expect([outcome.exit, outcome.message]).toEqual(['storage', 'the disk is full; nothing was sent']);
    expect(moneyMovedBy(outcome)).toBe('no');
    expect([it.posts.length, it.rescued.length, await stateOf(it)]).toEqual([0, 1, 'SENDING']);
  });

  it.each([
    ['called it unknown', 'UNKNOWN'],
    ['called it off and begun it again', 'NOT_SENT'],
  ] as const)(
    'before the first byte, and others have %s, the run does not say that nothing happened',
    async (_, state) => {
      const ledger = memoryLedger();
      const depart: Ledger['markDeparted'] = () => {
        void ledger.find(scope, key('K1')).then(async (sending) => {
          const left =
            sending && (await ledger.record(sending, { state }, { id: 'off', at: 0, what: 'called-off' }));
          const again = { owner: it.owners.self, at: it.time, expectedFence: 1, baseline: [] };
          if (left?.state === 'NOT_SENT')
            await ledger.markSending(left, again, { id: 'again', at: 0, what: 'sending' });
        });
        throw storageError('the disk is full');
      };
      const full = async () => {
        throw storageError('the disk is full');
      };
      const it = desk({ ...ledger, record: full, markDeparted: depart });
      it.answers.push(accepted('w1'));
      expect((await told(it)).slice(0, 2)).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
    },
  );

  it.each([
    ['COMPLETED', ['ok', 'COMPLETED']],
    ['FAILED', ['endedBadly', 'FAILED']],
  ])('once it is written that it was accepted, an answer of %s stays known', async (status, expected) => {
    const ledger = memoryLedger();
    const record: Ledger['record'] = (intent, change, event) =>
      change.state === status
        ? Promise.reject(storageError('The disk is full.'))
        : ledger.record(intent, change, event);
    const it = desk({ ...ledger, record });
    it.answers.push(() => replied(201, { data: withdrawal('w1', { status }), error: null, success: true }));
    const outcome = await withdraw(it, order());
    expect([outcome.exit, outcome.code]).toEqual(expected);
    expect(outcome.message).toContain(
      'The ledger still says accepted: it could not be written (The disk is full)',
    );
    expect([it.rescued, await stateOf(it)]).toEqual([[], 'ACCEPTED']);
  });

  it('for a moment after the send, the outcome is still written', async () => {
    const it = desk(failing('record', 3));
    it.answers.push(accepted('w1'));
    expect(await told(it)).toEqual(['ok', 'ACCEPTED', false]);
    expect(it.rescued).toEqual([]);
  });
});
