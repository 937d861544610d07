/** What other processes write between two steps of a run: it is neither overwritten nor paid again. */
import { describe, expect, it } from 'vitest';
import type { Cents } from '../../src/contract/brand.ts';
import { PixctlError, storageError } from '../../src/errors.ts';
import type { Intent } from '../../src/ledger/intent.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { describeOutcome, moneyMovedBy } from '../../src/withdrawal/outcome/money-moved.ts';
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
  shown,
  withdrawal,
} from './desk.ts';

const idempotencyKey = key('K1');
const own = async (ledger: Ledger) => ledger.find(scope, idempotencyKey);
const codes = async (promise: Promise<{ exit: string; code: string }>) => {
  const { exit, code } = await promise;
  return [exit, code];
};
/** Another process on the same ledger and service, with its own clock and scripted answers. */
const besides = (it: Desk): Desk => ({
  ...desk(it.ledger),
  newId: () => `other-${it.newId()}`,
  owners: { ...it.owners, self: { ...it.owners.self, pid: 2 } },
});

describe('a twin that another process is paying right now', () => {
  const twin = withdrawal('w1', { status: 'COMPLETED' });

  it('asks nobody anything while it is being sent', async () => {
    const it = desk();
    const other = besides(it);
    other.answers.push(() => new Promise(() => {}));
    async function* withdrawals() {
      void withdraw(other, order({ idempotencyKey: key('K2') }));
      await expect.poll(() => other.posts.length).toBe(1);
      yield [twin];
    }
    const outcome = await withdraw({ ...it, service: { ...it.service, withdrawals } }, order());
    expect([outcome.exit, outcome.message]).toEqual([
      'later',
      expect.stringContaining('another process is sending a withdrawal right now'),
    ]);
  });

  it('asks nobody anything once its key has claimed it', async () => {
    const it = desk();
    const other = besides(it);
    other.answers.push(() => replied(201, { data: twin, error: null, success: true }));
    const { findClaimedIds } = it.ledger;
    let reads = 0;
    it.ledger.findClaimedIds = async (...given) => {
      const before = await findClaimedIds(...given);
      if (reads++ === 0) await withdraw(other, order({ idempotencyKey: key('K2') }));
      return before;
    };
    it.listed?.push(twin);
    expect(await codes(withdraw(it, order()))).toEqual(['later', 'BUSY']);
    expect([it.posts, other.posts.length]).toEqual([[], 1]);
  });
});

describe('this very key, sent by another process while the list is read', () => {
  const paid = withdrawal('w1', { status: 'PROCESSING' });

  it.each([
    ['is in flight', async () => [paid]],
    [
      'cannot be listed',
      async () => {
        throw new PixctlError('later', 'NOT_REACHED', 'not reached');
      },
    ],
  ])('is not reported as having moved no money if it %s', async (_, page) => {
    const it = desk();
    const other = besides(it);
    other.answers.push(() => replied(201, { data: paid, error: null, success: true }));
    async function* withdrawals() {
      if (other.posts.length === 0) await withdraw(other, order());
      yield await page();
    }
    const outcome = await withdraw({ ...it, service: { ...it.service, withdrawals } }, order());
    expect([outcome.exit, outcome.code, moneyMovedBy(outcome)]).toEqual(['ok', 'ACCEPTED', 'on-its-way']);
    expect([it.posts.length, other.posts.length]).toEqual([0, 1]);
  });
});

it('this very key, sent by another process since it was looked up, may have moved money', async () => {
  const it = desk();
  const other = besides(it);
  other.answers.push(() => new Promise(() => {}));
  const { find } = it.ledger;
  it.ledger.find = async (...given) => {
    const before = await find(...given);
    if (other.posts.length === 0) {
      void withdraw({ ...other, ledger: { ...it.ledger, find } }, order());
      await expect.poll(() => other.posts.length).toBe(1);
    }
    return before;
  };
  const outcome = await withdraw(it, order());
  expect([outcome.exit, outcome.intent?.state, moneyMovedBy(outcome)]).toEqual(['later', 'SENDING', 'maybe']);
  expect(outcome.message).toContain('this same withdrawal is being sent by another process');
});

it('this very key, refused to another process since it was looked up, is not paid again by a word from before', async () => {
  const it = desk();
  const other = besides(it);
  it.answers.push(accepted('w2'));
  other.answers.push(refused(409, 'CONFLICT'));
  const { findOpen } = it.ledger;
  it.ledger.findOpen = async (...given) => {
    const before = await findOpen(...given);
    if (other.posts.length === 0) {
      expect((await withdraw({ ...other, ledger: { ...it.ledger, findOpen } }, order())).exit).toBe(
        'refused',
      );
      // Of two copies of that request the first was accepted, which the list shows too late to tell.
      it.listed?.push(withdrawal('w1', { status: 'COMPLETED' }));
    }
    return before;
  };
  const asked = order({ allowDuplicate: true });
  expect(await codes(withdraw(it, asked))).toEqual(['duplicate', 'POSSIBLE_DUPLICATE']);
  expect([other.posts.length, it.posts.length]).toEqual([1, 0]);
});

describe('a word from before another process reported what holds this key up is not about that', () => {
  const refusedKey = async () => {
    const it = desk();
    it.answers.push(refused(429, 'RATE_LIMITED'), accepted('w2'));
    await withdraw(it, order());
    const { findOpen } = it.ledger;
    /** Of two copies of that request the first was accepted: the list shows it only now, and another run says so. */
    const report = async (behindMs = 0) => {
      it.listed?.splice(0, 1, withdrawal('w1', { status: 'COMPLETED' }));
      const other = { ...besides(it), ledger: { ...it.ledger, findOpen }, service: serviceOf(it) };
      other.clock = { ...it.clock, now: () => it.time - behindMs };
      expect(await codes(shown(withdraw(other, order())))).toEqual(['duplicate', 'POSSIBLE_DUPLICATE']);
    };
    return { it, report, findOpen };
  };
  const worded = order({ allowDuplicate: true, ifBusy: 'wait' });

  it('while the run looks', async () => {
    const { it, report, findOpen } = await refusedKey();
    it.ledger.findOpen = async (...given) => {
      if (it.listed?.length === 0) await report();
      return findOpen(...given);
    };
    expect(await codes(withdraw(it, worded))).toEqual(['duplicate', 'POSSIBLE_DUPLICATE']);
    expect(it.posts).toHaveLength(1);
    // Whoever says it now has been told.
    expect(await codes(withdraw(it, worded))).toEqual(['ok', 'ACCEPTED']);
  });

  it.each([
    ['', 0],
    [', by a clock that is behind', 3_600_000],
  ])('while the run waits for another withdrawal%s', async (_, behindMs) => {
    const { it, report } = await refusedKey();
    it.listed?.push(withdrawal('w0', { amount: 9 }));
    const { sleep } = it.clock;
    const reporting = async (ms: number) => {
      await sleep(ms);
      if (ms === 2_000) await report(behindMs);
    };
    const outcome = withdraw({ ...it, clock: { ...it.clock, sleep: reporting } }, worded);
    expect(await codes(outcome)).toEqual(['duplicate', 'POSSIBLE_DUPLICATE']);
    expect(it.posts).toHaveLength(1);
  });

  it('before the run has read anything', async () => {
    const { it, report } = await refusedKey();
    const { find } = it.ledger;
    it.ledger.find = async (...given) => {
      it.ledger.find = find;
      it.time += 1;
      await report();
      return find(...given);
    };
    expect(await codes(withdraw(it, worded))).toEqual(['duplicate', 'POSSIBLE_DUPLICATE']);
    expect(it.posts).toHaveLength(1);
    expect(await codes(withdraw(it, worded))).toEqual(['ok', 'ACCEPTED']);
  });

  it('before the command has loaded what sends', async () => {
    const { it, report } = await refusedKey();
    const begunAt = it.time;
    it.time += 1;
    await report();
    expect(await codes(withdraw(it, { ...worded, begunAt }))).toEqual(['duplicate', 'POSSIBLE_DUPLICATE']);
  });

  it('by a clock that was ahead, until it is reported by one that is right', async () => {
    const { it, report } = await refusedKey();
    it.time += 3_600_000;
    await report();
    it.time -= 3_600_000;
    expect(await codes(withdraw(it, worded))).toEqual(['duplicate', 'POSSIBLE_DUPLICATE']);
    expect(await codes(shown(withdraw(it, order())))).toEqual(['duplicate', 'POSSIBLE_DUPLICATE']);
    expect(await codes(withdraw(it, worded))).toEqual(['ok', 'ACCEPTED']);
    expect(it.posts).toHaveLength(2);
  });
});

it('this very key, sent by another process while the write that begins it fails, is not called off', async () => {
  const it = desk();
  const other = besides(it);
  other.answers.push(() => new Promise(() => {}));
  const { markSending } = it.ledger;
  it.ledger.markSending = async () => {
    void withdraw({ ...other, ledger: { ...it.ledger, markSending } }, order());
    await expect.poll(() => other.posts.length).toBe(1);
    throw storageError('The disk is full.');
  };
  const outcome = await withdraw(it, order());
  expect([outcome.exit, it.posts.length, other.posts.length]).toEqual(['unknown', 0, 1]);
  expect(await own(it.ledger)).toMatchObject({ state: 'SENDING', owner: { pid: 2 } });
});

it.each([
  ['new', { idempotencyKey: key('K2'), amount: 2 as Cents }, [1, 2]],
  ['sent before', { idempotencyKey: key('K2'), allowDuplicate: true }, [1, 1]],
])(
  'an order that is %s is looked up once in all that was sent, and then only in what came after',
  async (_, more, froms) => {
    const it = desk();
    it.answers.push(accepted('w1'), accepted('w2'));
    await withdraw(it, order());
    it.answers.shift();
    it.answers[0] = () => replied(201, { data: withdrawal('w2', more), error: null, success: true });
    const asked: number[] = [];
    const { lastSent } = it.ledger;
    it.ledger.lastSent = (of, request, from = 1) => {
      asked.push(from);
      return lastSent(of, request, from);
    };
    expect(await codes(withdraw(it, order(more)))).toEqual(['ok', 'ACCEPTED']);
    expect(asked).toEqual(froms);
  },
);

it('a list read while another order was sent and paid is read again before anything is sent', async () => {
  const it = desk();
  const other = besides(it);
  const paid = withdrawal('w2', { pixKey: 'bia@example.com', status: 'COMPLETED' });
  other.answers.push(() => replied(201, { data: paid, error: null, success: true }));
  it.answers.push(accepted('w1'));
  let reads = 0;
  async function* withdrawals() {
    reads += 1;
    const page = [...(it.listed ?? [])];
    if (reads === 1) {
      await withdraw(other, order({ idempotencyKey: key('K2'), pixKey: 'bia@example.com' }));
      it.listed?.push(paid);
    }
    yield page;
  }
  const outcome = await withdraw({ ...it, service: { ...it.service, withdrawals } }, order());
  expect([outcome.exit, outcome.code, reads]).toEqual(['ok', 'ACCEPTED', 2]);
  // What was there before a send can never be taken for what it made.
  expect([...(await it.ledger.baseline(scope, outcome.intent?.fence ?? 0))]).toEqual(['w2']);
});

it('a send that another process called off and sent itself is reported as that one left it, even in a stopped run', async () => {
  const it = desk();
  const other = besides(it);
  const stop = new AbortController();
  other.answers.push(lost);
  it.answers.push(accepted('w1'));
  const { markSending } = it.ledger;
  it.ledger.markSending = async (...given) => {
    it.ledger.markSending = markSending;
    const begun = await markSending(...given);
    it.gone.add(1);
    await withdraw(other, order());
    stop.abort('SIGTERM');
    return begun;
  };
  const outcome = await withdraw({ ...it, signal: stop.signal }, order());
  expect([outcome.exit, outcome.code, moneyMovedBy(outcome)]).toEqual([
    'unknown',
    'OUTCOME_UNKNOWN',
    'maybe',
  ]);
  expect([it.posts.length, other.posts.length]).toEqual([0, 1]);
});

it('a run whose every look is out of date gives up after a while, and sends nothing', async () => {
  const it = desk({ ...memoryLedger(), markSending: async () => ({ kind: 'stale' }) });
  expect(await codes(withdraw(it, order()))).toEqual(['later', 'BUSY']);
  expect(it.posts).toEqual([]);
});

it('a key that another process has just used for another order sends neither', async () => {
  const it = desk();
  it.answers.push(accepted('w1'));
  const { fence } = it.ledger;
  it.ledger.fence = async (...given) => {
    const other = {
      id: 'i0',
      kind: 'withdrawal',
      scope,
      idempotencyKey,
      amount: 9 as Cents,
      request: '{}',
    } as const;
    await it.ledger.plan(other, { id: 'e0', at: 0, what: 'planned' });
    return fence(...given);
  };
  expect((await withdraw(it, order())).exit).toBe('keyReused');
  expect([it.posts, (await own(it.ledger))?.state]).toEqual([[], 'PLANNED']);
});

it('a daily limit that others have used up since the check is a breach of the policy', async () => {
  const it = desk();
  it.answers.push(accepted('w0'));
  await withdraw(it, order({ idempotencyKey: key('K0'), pixKey: 'bia@example.com' }));
  it.listed?.push(withdrawal('w0', { pixKey: 'bia@example.com', status: 'COMPLETED' }));
  it.ledger.spentSince = async () => 0;
  const policy = { ...order().policy, maxPerDay: 2000 as Cents };
  const outcome = await withdraw(it, order({ policy }));
  expect([outcome.exit, outcome.code]).toEqual(['policy', 'POLICY_MAX_PER_DAY']);
  expect(outcome.message).toContain('R$ 20,00, of which R$ 10,50 is spent or may be');
  expect([it.posts.length, (await own(it.ledger))?.state]).toEqual([1, 'PLANNED']);
});

it('a clock set back over midnight since the check does not grant the day a second limit', async () => {
  const it = desk();
  it.time = Date.parse('2026-03-10T23:30:00-03:00');
  it.answers.push(accepted('w0'));
  await withdraw(it, order({ idempotencyKey: key('K0'), pixKey: 'bia@example.com' }));
  it.listed?.push(withdrawal('w0', { pixKey: 'bia@example.com', status: 'COMPLETED' }));
  it.time = Date.parse('2026-03-11T00:00:10-03:00');
  const { plan } = it.ledger;
  it.ledger.plan = (...given) => {
    it.time = Date.parse('2026-03-10T23:59:50-03:00');
    return plan(...given);
  };
  const policy = { ...order().policy, maxPerDay: 2000 as Cents };
  const outcome = await withdraw(it, order({ policy }));
  expect([outcome.exit, outcome.code, it.posts.length]).toEqual(['policy', 'POLICY_MAX_PER_DAY', 1]);
  expect(outcome.message).toContain('R$ 20,00, of which R$ 10,50 is spent or may be');
});

describe('an answer that comes after its sender was taken for gone', () => {
  const answeredLate = async (adopted: string) => {
    const it = desk();
    const other = besides(it);
    it.answers.push(async () => {
      other.gone.add(1);
      other.listed?.push(withdrawal('w1', { status: adopted }));
      expect(
        (await reconcile({ ...other, owners: { ...other.owners, liveness: async () => 'gone' } }, { scope }))
          .exit,
      ).toBe('ok');
      return accepted('w2')();
    });
    const { exit, intent } = await withdraw(it, order());
    return { it, told: [exit, intent?.state, intent?.resourceId, intent?.inferred] };
  };

  it('outranks what was adopted from the list', async () => {
    const { it, told } = await answeredLate('PENDING');
    expect(told).toEqual(['ok', 'ACCEPTED', 'w2', false]);
    expect(it.rescued).toEqual([]);
  });

  /** Called off, called never sent by a person, and sent again, all while the first answer is on its way. */
  const sendAgain = async (it: Desk): Promise<Intent | null> => {
    const sending = await own(it.ledger);
    const off = { state: 'UNKNOWN' } as const;
    const unknown =
      sending && (await it.ledger.record(sending, off, { id: 'off', at: 0, what: 'owner-gone' }));
    const word = { state: 'NOT_SENT' } as const;
    const left = unknown && (await it.ledger.record(unknown, word, { id: 'word', at: 0, what: 'resolved' }));
    const again = { owner: it.owners.self, at: it.time, expectedFence: 1, baseline: [] };
    if (left) await it.ledger.markSending(left, again, { id: 'again', at: 0, what: 'sending' });
    return own(it.ledger);
  };

  it('does not end another withdrawal that the key was sent again for', async () => {
    const it = desk();
    it.answers.push(async () => {
      const resent = await sendAgain(it);
      const answered = { state: 'ACCEPTED', resourceId: 'w1' } as const;
      if (resent) await it.ledger.record(resent, answered, { id: 'w1', at: 0, what: 'answered' });
      const late = withdrawal('w2', { status: 'COMPLETED' });
      return replied(201, { data: late, error: null, success: true });
    });
    const { exit, intent } = await withdraw(it, order());
    expect([exit, intent?.state, intent?.resourceId]).toEqual(['ok', 'ACCEPTED', 'w1']);
    expect(it.rescued.join()).toContain('the ledger says ACCEPTED w1');
  });

  it.each([
    ['accepts it', accepted('w2')],
    ['refuses it', refused(400, 'BAD_REQUEST')],
  ])('and %s says nothing of the second send of the key, which is under way', async (_, answer) => {
    const it = desk();
    it.answers.push(async () => {
      await sendAgain(it);
      return answer();
    });
    const outcome = await withdraw(it, order());
    expect([outcome.exit, moneyMovedBy(outcome)]).toEqual(['unknown', 'maybe']);
    expect(await own(it.ledger)).toMatchObject({ state: 'SENDING', fence: 2, resourceId: null });
  });

  it('tells how it has ended where another process has written that first', async () => {
    const ledger = memoryLedger();
    const failed = { state: 'FAILED', reason: 'closed' } as const;
    const record: Ledger['record'] = async (intent, change, event) => {
      if (change.state === 'FAILED')
        await ledger.record(intent, failed, { id: 'other', at: 0, what: 'failed' });
      return ledger.record(intent, change, event);
    };
    const it = desk({ ...ledger, record });
    it.answers.push(() =>
      replied(201, { data: withdrawal('w1', { status: 'FAILED' }), error: null, success: true }),
    );
    expect(await codes(withdraw(it, order()))).toEqual(['endedBadly', 'FAILED']);
  });

  it.each([
    ['FAILED', ['endedBadly', 'FAILED']],
    ['COMPLETED', ['ok', 'COMPLETED']],
  ] as const)(
    'tells that what reconcile adopts is %s, though only the adoption is written',
    async (status, told) => {
      const ledger = memoryLedger();
      const record: Ledger['record'] = async (intent, change, event) => {
        if (change.state === status) throw new PixctlError('storage', 'STORAGE', 'the disk is full');
        return ledger.record(intent, change, event);
      };
      const it = desk({ ...ledger, record });
      it.answers.push(lost);
      expect(await codes(withdraw(it, order()))).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
      it.listed?.push(withdrawal('w1', { status }));
      const outcome = await reconcile(it, { scope, idempotencyKey });
      expect([outcome.exit, outcome.code]).toEqual(told);
      expect(outcome.message).toContain(
        'The ledger still says accepted: it could not be written (the disk is full).',
      );
      expect((await own(ledger))?.state).toBe('ACCEPTED');
    },
  );

  it('is on stderr and in the history where what was adopted has ended', async () => {
    const { it, told } = await answeredLate('COMPLETED');
    expect(told).toEqual(['ok', 'COMPLETED', 'w1', true]);
    expect(it.rescued.join()).toContain('the ledger says COMPLETED w1');
    expect(it.rescued.join()).toContain('"id":"w2"');
    const intent = await own(it.ledger);
    const history = intent === null ? [] : await it.ledger.events(intent);
    expect(history.map(({ what }) => what).at(-1)).toBe('late-answered');
  });
});

it('a refusal confirmed after another host took the sender for gone still counts', async () => {
  const it = desk();
  it.answers.push(refused(400, 'BAD_REQUEST'));
  const near = besides(it);
  const later = { ...near.clock, now: () => it.time + 66_000 };
  const self = { ...it.owners.self, host: 'far', boot: 'f' };
  const far = {
    ...near,
    clock: later,
    owners: { ...near.owners, self, liveness: async () => 'elsewhere' },
  } as Desk;
  const told: unknown[] = [];
  let reads = 0;
  async function* withdrawals() {
    // The one after the answer, which the service may ask to wait for.
    if (++reads === 2)
      told.push(
        ...(await codes(withdraw(far, order({ idempotencyKey: key('K2') })))),
        (await own(it.ledger))?.reason,
      );
    yield [];
  }
  const outcome = await withdraw({ ...it, service: { ...it.service, withdrawals } }, order());
  expect(told).toEqual(['blocked', 'BLOCKED', 'OWNER_GONE']);
  expect([outcome.exit, outcome.code]).toEqual(['refused', 'REFUSED']);
  expect(await own(it.ledger)).toMatchObject({ state: 'REFUSED', reason: 'BAD_REQUEST' });
  expect(await codes(reconcile(far, { scope }))).toEqual(['ok', 'NOTHING_OPEN']);
});

it('a run whose lost answer a person calls never sent does not report that no money moved', async () => {
  const it = desk();
  it.answers.push(lost);
  const { sleep } = it.clock;
  const held: Desk = {
    ...it,
    clock: {
      ...it.clock,
      // The second look: the process was suspended before it.
      sleep: async (ms) => {
        if (ms === 1_000) it.time += 95_000;
        if (ms === 1_000) await resolve(it, { scope, idempotencyKey, verdict: { kind: 'not-sent' } });
        return sleep(ms);
      },
    },
  };
  const outcome = await withdraw(held, order());
  expect([outcome.exit, outcome.intent?.state, moneyMovedBy(outcome)]).toEqual([
    'unknown',
    'NOT_SENT',
    'maybe',
  ]);
  expect(describeOutcome(outcome)).toBe(
    'Money may have moved. The withdrawal of R$ 10,50 may have happened: its outcome was not known, and meanwhile it was recorded as NOT_SENT.',
  );
  // A rerun believes the ledger, so that it must not be said that it only looks.
  expect(outcome.hint).toBe(
    'Look for it in the dashboard first: the same withdraw command, run again, sends it again.',
  );
  it.answers[0] = accepted('w1');
  expect((await codes(withdraw(it, order())))[1]).toBe('ACCEPTED');
});

it.each(['PENDING', 'COMPLETED'])(
  'two runs that find one %s at the same time both report it',
  async (status) => {
    const ledger = memoryLedger();
    const { record } = ledger;
    const it = desk(ledger);
    it.answers.push(lost);
    await withdraw(it, order());
    it.listed?.push(withdrawal('w1', { status }));
    const first = { ...besides(it), service: serviceOf(it) };
    let isFirst = true;
    it.ledger.record = async (...given) => {
      if (isFirst)
        expect((await reconcile({ ...first, ledger: { ...it.ledger, record } }, { scope })).exit).toBe('ok');
      isFirst = false;
      return record(...given);
    };
    const outcome = await reconcile(it, { scope, idempotencyKey });
    expect([outcome.exit, outcome.intent?.resourceId]).toEqual(['ok', 'w1']);
  },
);

it('"never sent" does not stand against what another process has found meanwhile', async () => {
  const it = desk();
  it.answers.push(lost);
  await withdraw(it, order());
  it.time += 95_000;
  async function* withdrawals() {
    // Two servers behind one address: the other one shows it already.
    const other = { ...besides(it), listed: [withdrawal('w1')] };
    expect((await reconcile({ ...it, service: serviceOf(other) }, { scope })).exit).toBe('ok');
    yield [];
  }
  const person = { ...it, service: { ...it.service, withdrawals } };
  const verdict = { kind: 'not-sent' } as const;
  expect(await codes(resolve(person, { scope, idempotencyKey, verdict }))).toEqual(['later', 'BUSY']);
  expect(await own(it.ledger)).toMatchObject({ state: 'ACCEPTED', resourceId: 'w1' });
});

const serviceOf = ({ service, listed }: Desk): Desk['service'] => ({
  ...service,
  async *withdrawals() {
    yield listed ?? [];
  },
  withdrawal: async () => withdrawal('w1'),
});

it('a suspended sender is not taken for gone, however long ago it began', async () => {
  const it = desk();
  it.answers.push(() => new Promise(() => {}));
  void withdraw(it, order());
  await expect.poll(() => it.posts.length).toBe(1);
  it.time += 3_600_000;
  const other = { ...it, owners: { ...it.owners, self: { ...it.owners.self, pid: 2 } } };
  expect(await codes(withdraw(other, order()))).toEqual(['later', 'BUSY']);
  expect((await own(it.ledger))?.state).toBe('SENDING');
});

describe('the same order, refused by another process while the list is behind', () => {
  it.each(['K1', 'K2'])(
    'is not sent, if that came between the rest and the fence, because the list was read too early (%s)',
    async (by) => {
      const it = desk();
      const other = besides(it);
      other.answers.push(refused(429, 'RATE_LIMITED'));
      it.answers.push(accepted('w2'));
      const { fence } = it.ledger;
      let reads = 0;
      it.ledger.fence = async (given) => {
        // The first one is before the rest.
        if (reads++ === 1) await withdraw(other, order({ idempotencyKey: key(by) }));
        return fence(given);
      };
      const { sleep } = it.clock;
      const shows = async (ms: number) => {
        await sleep(ms);
        // The copy that was accepted, since four seconds after the refusal.
        if (it.time >= other.time + 4_000) it.listed = [withdrawal('w1', { status: 'COMPLETED' })];
      };
      Object.assign(it.clock, { sleep: shows });
      const outcome = await withdraw(it, order());
      expect(it.posts).toEqual([]);
      expect(outcome.code).toBe(by === 'K1' ? 'POSSIBLE_DUPLICATE' : 'BUSY');
    },
  );
});

it('an interrupt while a refused order rests leaves it refused, so that the next run rests too', async () => {
  const it = desk();
  it.answers.push(refused(429, 'RATE_LIMITED'));
  await withdraw(it, order());
  const stop = new AbortController();
  const { sleep } = it.clock;
  const interrupting = async (ms: number) => {
    stop.abort('SIGINT');
    await sleep(ms);
  };
  const run = { ...it, clock: { ...it.clock, sleep: interrupting }, signal: stop.signal };
  expect(await codes(withdraw(run, order()))).toEqual(['interrupted', 'INTERRUPTED']);
  expect((await own(it.ledger))?.state).toBe('REFUSED');
});
