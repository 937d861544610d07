import { describe, expect, it } from 'vitest';
import { createCommitQueue } from '../../src/inbox/commit-queue.ts';

/** A clock whose time passes when the test says so. */
function standingClock() {
  const sleepers: (() => void)[] = [];
  const sleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      sleepers.push(resolve);
      signal?.addEventListener('abort', () => resolve());
    });
  const pass = () => {
    for (const wake of sleepers.splice(0)) wake();
  };
  return { clock: { sleep }, pass };
}

const queueOf = <T, R>(
  commit: (batch: readonly T[]) => Promise<readonly R[]>,
  { largest = 256, clock = standingClock().clock } = {},
) => createCommitQueue<T, R>({ commit, largest, clock });

describe('group commit', () => {
  it('commits what is asked for in one turn together', async () => {
    const batches: number[][] = [];
    const queue = queueOf<number, number>(async (batch) => {
      batches.push([...batch]);
      return batch.map((item) => item * 10);
    });
    expect(await Promise.all([1, 2, 3].map((item) => queue.push(item)))).toEqual([10, 20, 30]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('gathers what comes while a commit is under way into the next', async () => {
    const batches: string[][] = [];
    let release = () => {};
    const started = Promise.withResolvers<void>();
    const queue = queueOf<string, string>(async (batch) => {
      batches.push([...batch]);
      started.resolve();
      if (batches.length === 1) await new Promise<void>((resolve) => (release = resolve));
      return batch;
    });
    const first = queue.push('a');
    await started.promise;
    const rest = [queue.push('b'), queue.push('c')];
    release();
    expect(await Promise.all([first, ...rest])).toEqual(['a', 'b', 'c']);
    expect(batches).toEqual([['a'], ['b', 'c']]);
  });

  it('gathers what comes until it may begin', async () => {
    const batches: string[][] = [];
    const ready = Promise.withResolvers<void>();
    const queue = createCommitQueue<string, string>({
      commit: async (batch) => {
        batches.push([...batch]);
        return batch;
      },
      ready: () => ready.promise,
      clock: standingClock().clock,
    });
    const all = [queue.push('a')];
    await new Promise((resolve) => setImmediate(resolve));
    all.push(queue.push('b'));
    ready.resolve();
    await Promise.all(all);
    expect(batches).toEqual([['a', 'b']]);
  });

  it('fails everybody in a batch that failed, and goes on with the next', async () => {
    let fail = true;
    const queue = queueOf<number, number>(async (batch) => {
      if (fail) throw new Error('disk full');
      return batch;
    });
    await expect(Promise.allSettled([queue.push(1), queue.push(2)])).resolves.toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ]);
    fail = false;
    expect(await queue.push(3)).toBe(3);
    await queue.drain();
  });

  it('keeps a batch within its bound', async () => {
    const sizes: number[] = [];
    const queue = queueOf<number, number>(
      async (batch) => {
        sizes.push(batch.length);
        return batch;
      },
      { largest: 4 },
    );
    await Promise.all([1, 2, 3, 4, 5, 6].map((item) => queue.push(item)));
    expect(sizes).toEqual([4, 2]);
  });

  describe('of what is in no hurry', () => {
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    function setUp() {
      const batches: string[][] = [];
      const { clock, pass } = standingClock();
      const queue = queueOf<string, string>(
        async (batch) => {
          batches.push([...batch]);
          return batch;
        },
        { clock },
      );
      return { batches, pass, queue, push: (item: string) => queue.push(item, { urgent: false }) };
    }

    it('waits a moment, and goes then', async () => {
      const { batches, pass, push } = setUp();
      const all = [push('a')];
      await turn();
      all.push(push('b'));
      await turn();
      expect(batches).toEqual([]);
      pass();
      await Promise.all(all);
      expect(batches).toEqual([['a', 'b']]);
    });

    it('holds up nobody else', async () => {
      const { batches, push, queue, pass } = setUp();
      const patient = push('a');
      await queue.push('b');
      expect(batches).toEqual([['b']]);
      pass();
      expect(await patient).toBe('a');
      expect(batches).toEqual([['b'], ['a']]);
    });

    it('goes at once when there is much of it', async () => {
      const { batches, push } = setUp();
      await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(push));
      expect(batches).toHaveLength(1);
    });

    it('goes at once when the end is near', async () => {
      const { batches, push, queue } = setUp();
      const answer = push('a');
      await queue.drain();
      expect({ batches, answer: await answer }).toEqual({ batches: [['a']], answer: 'a' });
    });
  });
});
