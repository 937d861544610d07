import { describe, expect, it } from 'vitest';
import { createCommitQueue } from '../../src/inbox/commit-queue.ts';

describe('group commit', () => {
  it('commits what is asked for in one turn together', async () => {
    const batches: number[][] = [];
    const queue = createCommitQueue<number, number>(async (batch) => {
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
    const queue = createCommitQueue<string, string>(async (batch) => {
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

  it('fails everybody in a batch that failed, and goes on with the next', async () => {
    let fail = true;
    const queue = createCommitQueue<number, number>(async (batch) => {
      if (fail) throw new Error('disk full');
      return batch;
    });
    await expect(Promise.allSettled([queue.push(1), queue.push(2)])).resolves.toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ]);
    fail = false;
    expect(await queue.push(3)).toBe(3);
    await queue.idle();
  });

  it('keeps a batch within its bound', async () => {
    const sizes: number[] = [];
    const queue = createCommitQueue<number, number>(
      async (batch) => {
        sizes.push(batch.length);
        return batch;
      },
      { largest: 4 },
    );
    await Promise.all([1, 2, 3, 4, 5, 6].map((item) => queue.push(item)));
    expect(sizes).toEqual([4, 2]);
  });
});
