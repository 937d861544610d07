import { describe, expect, it, vi } from 'vitest';
import { deliveryWorld, start } from '../support/delivery-world.ts';

const recording = (world: ReturnType<typeof deliveryWorld>) => {
  const ran: [unknown, number][] = [];
  world.world.handlers.set('note', {
    run: (_, job) => {
      ran.push([job.payload, world.world.clock.now() - start]);
    },
  });
  return ran;
};

describe('the job runner', () => {
  it('runs everything due in order of due time, each at its own time', async () => {
    await using world = deliveryWorld();
    const ran = recording(world);
    for (const [name, due] of [
      ['c', 3_000],
      ['a', 1_000],
      ['d', 3_000],
      ['b', 2_000],
      ['late', 5_001],
    ] as const) {
      world.world.schedule('note', start + due, name);
    }
    expect(await world.advance(5)).toEqual({ now: start + 5_000, ran: 4, settled: true });
    expect(ran).toEqual([
      ['a', 1_000],
      ['b', 2_000],
      ['c', 3_000],
      ['d', 3_000],
    ]);
  });

  it('runs what a job makes due within the time advanced', async () => {
    await using world = deliveryWorld();
    const ran = recording(world);
    world.world.handlers.set('twice', {
      run: (it, job) => {
        it.schedule('note', it.clock.now() + 500, job.payload);
      },
    });
    world.world.schedule('twice', start + 1_000, 'x');
    world.world.schedule('note', start + 1_200, 'y');
    await world.advance(2);
    expect(ran).toEqual([
      ['y', 1_200],
      ['x', 1_500],
    ]);
  });

  it('takes two advances one after the other', async () => {
    await using world = deliveryWorld();
    const ran = recording(world);
    world.world.schedule('note', start + 5_000, 'x');
    const [first, second] = await Promise.all([world.advance(3), world.advance(3)]);
    expect([first.now - start, second.now - start, first.ran, second.ran]).toEqual([3_000, 6_000, 0, 1]);
    expect(ran).toEqual([['x', 5_000]]);
  });

  it('keeps a job whose effect failed, undoes the effect, says so, and tries again', async () => {
    await using world = deliveryWorld();
    let tries = 0;
    world.world.handlers.set('fragile', {
      run: (it) => {
        it.store.writeMeta('half', 'done');
        tries += 1;
        if (tries === 1) throw new Error('broken');
      },
    });
    world.world.schedule('fragile', start + 1_000, null);
    await world.advance(2);
    expect([tries, world.store.readMeta('half'), world.failures]).toEqual([1, null, [new Error('broken')]]);
    await world.advance(120);
    expect([tries, world.store.readMeta('half')]).toEqual([2, 'done']);
  });

  it('keeps a job that ended without having been done', async () => {
    await using world = deliveryWorld();
    world.world.handlers.set('idle', { begin: async () => {} });
    world.world.schedule('idle', start, null);
    await world.advance(1);
    expect(world.failures).toEqual([new Error('a job of kind idle ended undone')]);
    expect(world.store.get('SELECT due_at AS dueAt FROM jobs')).toEqual({ dueAt: start + 60_000 });
  });

  it('rests and tries again when a job failed and cannot even be postponed, as on a full disk', async () => {
    await using world = deliveryWorld();
    const writable = (yes: boolean) => world.store.execute(`PRAGMA query_only = ${yes ? 'OFF' : 'ON'}`);
    let tries = 0;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    world.world.handlers.set('unlucky', {
      run: () => {
        tries += 1;
        if (tries > 1) return resolve();
        writable(false);
        throw new Error('broken');
      },
    });
    world.world.schedule('unlucky', start, null);
    await expect(world.advance(1)).rejects.toThrow('readonly');
    expect([tries, world.failures]).toEqual([1, [new Error('broken')]]);
    writable(true);
    expect(await world.advance(1)).toMatchObject({ ran: 0, settled: false });
    await done;
    expect(world.store.get('SELECT count(*) AS count FROM jobs')).toEqual({ count: 0 });
  });

  it('says so when the jobs cannot be read, as on a disk that fails, and tries again', async () => {
    await using world = deliveryWorld();
    const ran = recording(world);
    const { store } = world;
    const { get } = store;
    let reads = 0;
    const failing = vi.spyOn(store, 'get').mockImplementation((sql, ...parameters) => {
      if (sql.includes('FROM jobs') && ++reads < 3) throw new Error('disk I/O error');
      return get(sql, ...parameters);
    });
    world.world.schedule('note', start, 'x');
    await expect.poll(() => ran, { timeout: 5_000 }).toEqual([['x', 0]]);
    expect(world.failures).toEqual([new Error('disk I/O error'), new Error('disk I/O error')]);
    failing.mockRestore();
  });

  it('keeps a job of a kind that nobody handles', async () => {
    await using world = deliveryWorld();
    world.world.schedule('mystery', start, null);
    await world.advance(1);
    expect(world.failures).toEqual([new Error('no handler for a job of kind mystery')]);
    expect(world.store.get('SELECT count(*) AS count FROM jobs')).toEqual({ count: 1 });
  });

  it('returns in bounded time when something under way does not end, and says so', async () => {
    await using world = deliveryWorld({ patienceMs: 50 });
    const { promise, resolve } = Promise.withResolvers<void>();
    world.world.handlers.set('slow', {
      begin: (it, job) => {
        it.unschedule(job);
        return promise;
      },
    });
    world.world.schedule('slow', start, null);
    expect(await world.advance(10)).toEqual({ now: start + 10_000, ran: 1, settled: false });
    resolve();
  });

  it('runs on the real clock by itself', async () => {
    await using world = deliveryWorld();
    const { promise, resolve } = Promise.withResolvers<void>();
    world.world.handlers.set('ring', {
      run: () => {
        resolve();
      },
    });
    world.world.schedule('ring', start + 20, null);
    world.world.clock.unfreeze();
    world.machine.now += 30;
    world.jobs.wake();
    await promise;
  });

  it('runs what became due while the machine was asleep, during which its timers stood still', async () => {
    await using world = deliveryWorld();
    const ran = recording(world);
    world.world.clock.unfreeze();
    world.world.schedule('note', start + 3_600_000, 'x');
    // The runner has looked, and waits an hour.
    await new Promise((resolve) => setImmediate(resolve));
    world.machine.now += 5 * 3_600_000;
    await expect.poll(() => ran, { timeout: 5_000 }).toEqual([['x', 5 * 3_600_000]]);
  });

  it('lets nothing run while it is paused', async () => {
    await using world = deliveryWorld();
    const ran = recording(world);
    const seen = await world.jobs.pause(() => {
      world.world.schedule('note', start, 'x');
      return ran.length;
    });
    await world.advance(0);
    expect([seen, ran.length]).toEqual([0, 1]);
  });
});
