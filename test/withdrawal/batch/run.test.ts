import { describe, expect, it } from 'vitest';
import type { Cents, IdempotencyKey } from '../../../src/contract/brand.ts';
import { configError, type ExitName, storageError } from '../../../src/errors.ts';
import type { Intent, IntentState } from '../../../src/ledger/intent.ts';
import type { BatchLine } from '../../../src/withdrawal/batch/line.ts';
import type { ResultRow } from '../../../src/withdrawal/batch/result.ts';
import { type BatchSteps, isWorse, runBatch } from '../../../src/withdrawal/batch/run.ts';
import { bodyText } from '../../../src/withdrawal/matching/body.ts';
import type { Outcome } from '../../../src/withdrawal/outcome/outcome.ts';

const line = (n: number): BatchLine => ({
  line: n + 1,
  idempotencyKey: `k-${n}` as IdempotencyKey,
  amount: 1_000 as Cents,
  pixKey: 'maria@example.com',
  pixKeyType: 'EMAIL',
});

/** What the ledger holds of `one`. */
const intentOf = (one: BatchLine, state: IntentState): Intent =>
  ({
    ...{ kind: 'withdrawal', state, resourceId: 'wd_1', reason: null, result: null },
    ...{ idempotencyKey: one.idempotencyKey, amount: one.amount, request: bodyText(one) },
  }) as Intent;

const stateOf: Partial<Record<ExitName, IntentState>> = {
  ok: 'COMPLETED',
  endedBadly: 'FAILED',
  refused: 'REFUSED',
  unknown: 'UNKNOWN',
  pending: 'ACCEPTED',
  keyReused: 'COMPLETED',
};

const outcome = (exit: ExitName, one: BatchLine): Outcome => {
  const state = stateOf[exit];
  const order = exit === 'keyReused' ? { ...one, amount: 1 as Cents } : one;
  return {
    exit,
    code: exit.toUpperCase(),
    message: 'as scripted',
    intent: state === undefined ? null : intentOf(order, state),
    withdrawal: null,
    replayed: false,
  };
};

function scripted(exits: readonly ExitName[], options: Partial<BatchSteps> = {}) {
  const paid: string[] = [];
  const saved: ResultRow[][] = [];
  const steps: BatchSteps = {
    pay: async (one) => {
      paid.push(one.idempotencyKey);
      return outcome(exits[paid.length - 1] ?? 'ok', one);
    },
    find: async () => null,
    save: async (rows) => void saved.push([...rows]),
    continueOnFailed: false,
    ...options,
  };
  return {
    paid,
    saved,
    run: (count: number) =>
      runBatch(
        Array.from({ length: count }, (_, n) => line(n + 1)),
        steps,
      ),
  };
}

const states = (rows: readonly ResultRow[] | undefined) => rows?.map(({ state }) => state).join(' ');

describe('a batch', () => {
  it('reports the lines that it did not reach as another run has since left them', async () => {
    const paidElsewhere = new Map<string, IntentState>();
    const find = async (one: BatchLine) => {
      const state = paidElsewhere.get(one.idempotencyKey);
      return state === undefined ? null : intentOf(one, state);
    };
    const pay = async (one: BatchLine) => {
      paidElsewhere.set('k-2', 'COMPLETED');
      return outcome('pending', one);
    };
    const { saved, run } = scripted([], { find, pay });
    const end = await run(3);
    expect(states(end.rows)).toBe('ACCEPTED COMPLETED NOT_STARTED');
    expect(states(saved.at(-1))).toBe('ACCEPTED COMPLETED NOT_STARTED');
    expect(end).toMatchObject({ exit: 'pending', left: 1 });
  });

  it('keeps what it knew of the lines that it did not reach if the ledger is gone', async () => {
    let reads = 0;
    const find = async () => {
      if (++reads > 3) throw new Error('gone');
      return null;
    };
    const { run } = scripted(['later'], { find });
    expect(states((await run(3)).rows)).toBe('NOT_STARTED NOT_STARTED NOT_STARTED');
    expect(reads).toBe(4);
  });

  it('does not end well if it was stopped before a line that an earlier run saw fail', async () => {
    const find = async (one: BatchLine) => intentOf(one, one.line === 2 ? 'COMPLETED' : 'FAILED');
    const { run } = scripted([], { find, signal: AbortSignal.abort('SIGTERM') });
    expect(await run(2)).toMatchObject({ exit: 'endedBadly', worst: null, left: 0 });
  });

  it('is not finished if it was stopped before a line that an earlier run saw accepted', async () => {
    const find = async (one: BatchLine) => intentOf(one, one.line === 2 ? 'COMPLETED' : 'ACCEPTED');
    const { run } = scripted([], { find, signal: AbortSignal.abort('SIGTERM') });
    expect(await run(2)).toMatchObject({ left: 1 });
  });

  it('pays its lines in order and ends with 0', async () => {
    const { paid, run } = scripted([]);
    const end = await run(3);
    expect(paid).toEqual(['k-1', 'k-2', 'k-3']);
    expect(end).toMatchObject({ exit: 'ok', left: 0, worst: null });
  });

  it('says on disk which line it is about to pay before it pays it', async () => {
    const { saved, run } = scripted([]);
    await run(2);
    expect(saved.map(states)).toEqual([
      'NOT_STARTED NOT_STARTED',
      'IN_PROGRESS NOT_STARTED',
      'COMPLETED IN_PROGRESS',
      'COMPLETED COMPLETED',
    ]);
    const { idempotencyKey, amount } = line(1);
    const row = { idempotencyKey, amount, line: 2, withdrawalId: null, reason: null };
    expect(saved[1]?.[0]).toEqual({ ...row, state: 'IN_PROGRESS' });
  });

  it('does not say so of a line that an earlier run has paid', async () => {
    const find = async (one: BatchLine) => (one.line === 2 ? intentOf(one, 'COMPLETED') : null);
    const { saved, run } = scripted([], { find });
    await run(2);
    expect(saved.map(states)).toEqual([
      'COMPLETED NOT_STARTED',
      'COMPLETED IN_PROGRESS',
      'COMPLETED COMPLETED',
    ]);
  });

  it.each<[ExitName, boolean, number]>([
    ['unknown', false, 2],
    ['unknown', true, 2],
    ['blocked', true, 2],
    ['pending', true, 2],
    ['later', true, 2],
    ['auth', true, 2],
    ['storage', true, 2],
    ['endedBadly', false, 2],
    ['endedBadly', true, 4],
    ['refused', false, 2],
    ['refused', true, 4],
    ['keyReused', false, 2],
    ['keyReused', true, 4],
    ['duplicate', true, 4],
    ['policy', true, 4],
  ])(
    'after %s on the second line, with --continue-on-failed %s, has asked for %i lines',
    async (exit, continueOnFailed, asked) => {
      const { paid, run } = scripted(['ok', exit], { continueOnFailed });
      const end = await run(4);
      expect(paid).toHaveLength(asked);
      const second = { line: { line: 3 }, outcome: { exit } };
      expect(end).toMatchObject({ exit, left: 4 - asked, worst: second });
      expect(end.stoppedAt).toEqual(asked === 2 ? end.worst : null);
    },
  );

  it.each<[ExitName[], ExitName]>([
    [['refused', 'endedBadly', 'policy'], 'endedBadly'],
    [['endedBadly', 'keyReused', 'refused'], 'keyReused'],
    [['policy', 'refused', 'unknown'], 'unknown'],
    [['refused', 'endedBadly', 'unexpected'], 'unexpected'],
    [['interrupted'], 'interrupted'],
    [['refused', 'interrupted'], 'refused'],
  ])('of %j ends with %s, the worst', async (exits, worst) => {
    const { run } = scripted(exits, { continueOnFailed: true });
    expect((await run(3)).exit).toBe(worst);
  });

  it('ranks what a person has to hear first: what may be wrong with the money, with the ledger, with the orders', () => {
    const order: readonly ExitName[] = [
      ...(['unexpected', 'unknown', 'blocked', 'storage', 'config', 'keyReused', 'duplicate'] as const),
      ...(['endedBadly', 'refused', 'policy', 'auth', 'pending', 'later', 'interrupted', 'ok'] as const),
    ];
    for (const [rank, one] of order.entries())
      for (const [other, than] of order.entries())
        expect([one, than, isWorse(one, than)]).toEqual([one, than, rank < other]);
  });

  it('names the first of two lines that ended equally badly', async () => {
    const { worst } = await scripted(['refused', 'refused'], { continueOnFailed: true }).run(2);
    expect(worst?.line.idempotencyKey).toBe('k-1');
  });

  it("reports each line's withdrawal, and why it did not end well", async () => {
    const kept = { COMPLETED: { resourceId: 'w1' }, FAILED: { resourceId: 'w2', reason: 'account closed' } };
    const pay = async (one: BatchLine): Promise<Outcome> => {
      const state = one.line === 2 ? 'COMPLETED' : 'FAILED';
      const told = outcome(state === 'FAILED' ? 'endedBadly' : 'ok', one);
      return { ...told, intent: { ...intentOf(one, state), ...kept[state] } };
    };
    const { rows } = await scripted([], { pay }).run(2);
    const { amount } = line(1);
    expect(rows).toEqual([
      { idempotencyKey: 'k-1', amount, line: 2, state: 'COMPLETED', withdrawalId: 'w1', reason: null },
      {
        ...{ idempotencyKey: 'k-2', amount, line: 3, state: 'FAILED', withdrawalId: 'w2' },
        reason: 'account closed: ENDEDBADLY (exit 83): as scripted',
      },
    ]);
  });

  it('does not call a line completed if its key belongs to another order', async () => {
    const { run } = scripted(['keyReused']);
    const { rows } = await run(1);
    expect(rows[0]).toMatchObject({ state: 'KEY_REUSED', reason: 'KEYREUSED (exit 85): as scripted' });
  });

  it('says of unreached lines whether their keys belong to another order, and which are done', async () => {
    const find = async (one: BatchLine) =>
      one.line === 2 ? null : intentOf(one.line === 3 ? { ...one, amount: 1 as Cents } : one, 'COMPLETED');
    const { run } = scripted(['unknown'], { find });
    const { rows, left } = await run(3);
    expect(states(rows)).toBe('UNKNOWN KEY_REUSED COMPLETED');
    expect(rows[1]).toMatchObject({ withdrawalId: null, reason: expect.stringContaining('was used before') });
    expect(left).toBe(1);
  });

  it('reports what it knew of a line before the ledger became unreadable', async () => {
    const find = async (one: BatchLine) => intentOf(one, 'UNKNOWN');
    const pay = async (one: BatchLine): Promise<Outcome> => ({ ...outcome('storage', one), unread: true });
    const { rows } = await scripted([], { find, pay }).run(1);
    expect(rows[0]).toMatchObject({ state: 'UNKNOWN', reason: expect.stringContaining('as scripted') });
  });

  it('says "nothing was sent" about the line alone, because earlier ones may have been paid', async () => {
    const lost = { message: 'the disk failed; nothing was sent', unread: true };
    const pay = async (one: BatchLine): Promise<Outcome> =>
      one.line === 2 ? outcome('ok', one) : { ...outcome('storage', one), ...lost };
    const told: string[] = [];
    const onLine: BatchSteps['onLine'] = (_, { message }) => told.push(message);
    const { rows, worst } = await scripted([], { pay, onLine }).run(2);
    const words = 'the disk failed; nothing was sent for this line in this run';
    expect([told.at(-1), worst?.outcome.message]).toEqual([words, words]);
    expect(rows.map(({ reason }) => reason)).toEqual([null, `STORAGE (exit 74): ${words}`]);
  });

  it.each([
    ['was paid by it before', 'it failed. Nothing was sent in this run.'],
    ['is held up', 'it is busy; nothing was sent'],
  ])('says so of one that %s', async (_, message) => {
    const pay = async (one: BatchLine): Promise<Outcome> => ({ ...outcome('endedBadly', one), message });
    const { worst } = await scripted([], { pay }).run(1);
    expect(worst?.outcome.message).toMatch(/nothing was sent for this line in this run\.?$/i);
  });

  it('does not leave a line marked as being paid if paying throws', async () => {
    const { saved, run } = scripted([], { pay: () => Promise.reject(new Error('broken')) });
    await expect(run(2)).rejects.toThrow('broken');
    expect(states(saved.at(-1))).toBe('NOT_STARTED NOT_STARTED');
    expect(saved.at(-1)?.[0]?.reason).toContain('broken');
  });

  it('stops between two lines when it is interrupted', async () => {
    const stop = new AbortController();
    const { paid, run } = scripted([], { signal: stop.signal, onLine: () => stop.abort('SIGINT') });
    expect(await run(3)).toMatchObject({ exit: 'ok', left: 2, worst: null });
    expect(paid).toEqual(['k-1']);
  });

  it.each([
    ['', Number.POSITIVE_INFINITY],
    [', also with a ledger that is gone by then', 3],
  ])(
    'stops before the next line when the result cannot be written any more, and keeps the worst%s',
    async (_, readable) => {
      let saves = 0;
      let reads = 0;
      const find = async () => {
        if (++reads > readable) throw new Error('gone');
        return null;
      };
      const save = async () => {
        saves += 1;
        if (saves === 3) throw new Error('no room');
      };
      const { paid, run } = scripted(['refused'], { save, find, continueOnFailed: true });
      const end = await run(3);
      expect(end).toMatchObject({ exit: 'refused', left: 2, unsaved: new Error('no room') });
      expect(states(end.rows)).toBe('REFUSED NOT_STARTED NOT_STARTED');
      expect(paid).toEqual(['k-1']);
    },
  );

  it('pays nothing when the result cannot be written', async () => {
    const { paid, run } = scripted([], { save: () => Promise.reject(new Error('no room')) });
    await expect(run(2)).rejects.toThrow('no room');
    expect(paid).toEqual([]);
    const full = storageError('The disk is full', { hint: 'Free some space.' });
    await expect(scripted([], { save: () => Promise.reject(full) }).run(2)).rejects.toMatchObject({
      exit: 74,
      message: 'The disk is full; nothing was sent in this run',
      hint: 'Free some space.',
    });
  });

  it('says that nothing was sent when the ledger goes away before the first line', async () => {
    for (const message of [
      'The database cannot be reached',
      'The database cannot be reached; nothing was sent',
    ]) {
      const lost = storageError(message, { hint: 'Check the server.' });
      const { paid, run } = scripted([], { find: () => Promise.reject(lost) });
      await expect(run(2)).rejects.toMatchObject({
        exit: 74,
        message: 'The database cannot be reached; nothing was sent in this run',
        hint: 'Check the server.',
      });
      expect(paid).toEqual([]);
    }
  });

  it('keeps the words of an unexpected ledger as they are', async () => {
    const other = configError('LEDGER_REPLACED', 'the ledger is not the one used before; nothing was sent');
    await expect(scripted([], { find: () => Promise.reject(other) }).run(2)).rejects.toBe(other);
  });
});
