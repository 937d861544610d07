import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFlusher } from '../../../src/database/sqlite/flusher.ts';

type Done = (cause: NodeJS.ErrnoException | null) => void;

const failing = () => Object.assign(new Error('I/O error'), { code: 'EIO' });

/** A flusher over a real file, whose disk ends each flush of another thread when the test says so. */
function onSlowDisk() {
  const path = join(mkdtempSync(join(tmpdir(), 'pixctl-flush-')), 'x.db');
  writeFileSync(`${path}-wal`, '');
  const flushes: Done[] = [];
  const disk = { ms: 0, here: 0, failure: null as Error | null };
  const flusher = createFlusher(path, {
    sync: (_file, done) => void flushes.push(done),
    syncHere() {
      disk.here += 1;
      if (disk.failure !== null) throw disk.failure;
    },
    monotonic: () => disk.ms,
  });
  const told: string[] = [];
  const ask = (name: string, alone?: boolean | (() => boolean)) =>
    flusher.flush(typeof alone === 'boolean' ? () => alone : alone).then(
      () => void told.push(name),
      (cause: Error) => void told.push(`${name}: ${cause.message.replace(path, 'x.db')}`),
    );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { flusher, flushes, told, ask, turn, disk };
}

describe('a log that cannot be written', () => {
  // Windows opens a folder for writing too.
  it.skipIf(process.platform === 'win32')('is reported as such (74), as on a read-only disk', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'pixctl-flush-')), 'x.db');
    mkdirSync(`${path}-wal`);
    expect(() => createFlusher(path)).toThrow(
      expect.objectContaining({
        kind: 'storage',
        message: `the database ${path} cannot be written: EISDIR`,
      }),
    );
  });
});

describe('a shared flush', () => {
  it('resolves nobody before the disk has answered', async () => {
    const { flushes, told, ask, turn } = onSlowDisk();
    const asked = ask('a');
    await turn();
    expect({ flushes: flushes.length, told }).toEqual({ flushes: 1, told: [] });
    flushes[0]?.(null);
    await asked;
    expect(told).toEqual(['a']);
  });

  it('serves callers that come while one is under way with one more flush, begun after it', async () => {
    const { flushes, told, ask, turn } = onSlowDisk();
    const all = [ask('a'), ask('b'), ask('c')];
    await turn();
    expect(flushes).toHaveLength(1);
    flushes[0]?.(null);
    await turn();
    expect({ flushes: flushes.length, told }).toEqual({ flushes: 2, told: ['a'] });
    flushes[1]?.(null);
    await Promise.all(all);
    expect({ flushes: flushes.length, told }).toEqual({ flushes: 2, told: ['a', 'b', 'c'] });
  });

  it('never runs twice at once, even if a caller asks again the moment it is served', async () => {
    const { flushes, ask, turn } = onSlowDisk();
    let ended = 0;
    const asked: Promise<void>[] = [];
    const again = (left: number): void => {
      asked.push(
        ask('a').then(async () => {
          for (let later = 0; left > 0 && later < 4; later++) {
            again(left - 1);
            await Promise.resolve();
          }
        }),
      );
    };
    again(3);
    again(3);
    while (ended < flushes.length) {
      expect(flushes.length - ended).toBe(1);
      flushes[ended++]?.(null);
      await turn();
    }
    await Promise.all(asked);
    expect(ended).toBeGreaterThan(4);
  });

  it('trusts the disk no more once a flush has failed', async () => {
    const { flushes, told, ask, turn } = onSlowDisk();
    const first = [ask('a'), ask('b')];
    await turn();
    flushes[0]?.(failing());
    await Promise.all(first);
    await ask('c');
    expect(flushes).toHaveLength(1);
    expect(told).toEqual(
      ['a', 'b', 'c'].map((name) => `${name}: the database x.db could not be written to the disk: EIO`),
    );
  });

  it('finishes what was asked for before it closes the file', async () => {
    const { flusher, flushes, told, ask, turn } = onSlowDisk();
    void ask('a');
    let closed = false;
    const closing = flusher.close().then(() => {
      closed = true;
    });
    await turn();
    expect(closed).toBe(false);
    flushes[0]?.(null);
    await closing;
    expect(told).toEqual(['a']);
  });

  it('finishes the next one, too, for those who wait for it before it closes the file', async () => {
    const { flusher, flushes, told, ask, turn } = onSlowDisk();
    void ask('a');
    void ask('b');
    let closed = false;
    const closing = flusher.close().then(() => {
      closed = true;
    });
    flushes[0]?.(null);
    await turn();
    expect({ closed, told }).toEqual({ closed: false, told: ['a'] });
    flushes[1]?.(null);
    await closing;
    expect(told).toEqual(['a', 'b']);
  });
});

describe('a flush for a single caller', () => {
  /** Whose disk has shown that it is quick. */
  async function onQuickDisk() {
    const slow = onSlowDisk();
    const first = slow.ask('first', true);
    slow.flushes[0]?.(null);
    await first;
    slow.told.length = 0;
    return slow;
  }

  it('runs in this thread once the disk has proved quick', async () => {
    const { flushes, told, ask, disk } = await onQuickDisk();
    expect(disk.here).toBe(0);
    await ask('a', true);
    expect({ here: disk.here, elsewhere: flushes.length, told }).toEqual({
      here: 1,
      elsewhere: 1,
      told: ['a'],
    });
    const crowded = ask('b');
    expect({ here: disk.here, elsewhere: flushes.length }).toEqual({ here: 1, elsewhere: 2 });
    flushes[1]?.(null);
    await crowded;
  });

  it('runs in another thread if somebody has come by the time it begins', async () => {
    const { flushes, told, ask, turn, disk } = await onQuickDisk();
    let asked = 0;
    const alone = () => {
      asked += 1;
      return false;
    };
    const flushed = ask('a', alone);
    expect(asked).toBe(0);
    await turn();
    expect({ asked, here: disk.here, elsewhere: flushes.length, told }).toEqual({
      ...{ asked: 1, here: 0, elsewhere: 2, told: [] },
    });
    // It has begun: what was written since needs another.
    const later = ask('b', true);
    flushes[1]?.(null);
    await flushed;
    expect(told).toEqual(['a']);
    flushes[2]?.(null);
    await later;
    expect(told).toEqual(['a', 'b']);
  });

  it('runs in another thread again after the disk has taken long', async () => {
    const { flushes, ask, disk } = await onQuickDisk();
    const crowded = ask('a');
    disk.ms += 10;
    flushes[1]?.(null);
    await crowded;
    const alone = ask('b', true);
    expect({ here: disk.here, elsewhere: flushes.length }).toEqual({ here: 0, elsewhere: 3 });
    flushes[2]?.(null);
    await alone;
  });

  it('lets others have their turn first, and serves those who ask until it begins', async () => {
    const { flushes, told, ask, disk } = await onQuickDisk();
    const both = [ask('a', true), ask('b')];
    expect(disk.here).toBe(0);
    await Promise.all(both);
    expect({ here: disk.here, elsewhere: flushes.length, told }).toEqual({
      here: 1,
      elsewhere: 1,
      told: ['a', 'b'],
    });
  });

  it('trusts the disk no more once it has failed', async () => {
    const { flushes, told, ask, disk } = await onQuickDisk();
    disk.failure = failing();
    await ask('a', true);
    await ask('b', true);
    await ask('c');
    expect({ here: disk.here, elsewhere: flushes.length }).toEqual({ here: 1, elsewhere: 1 });
    expect(told).toEqual(
      ['a', 'b', 'c'].map((name) => `${name}: the database x.db could not be written to the disk: EIO`),
    );
  });

  it('ends before the file is closed', async () => {
    const { flusher, told, ask } = await onQuickDisk();
    void ask('a', true);
    await flusher.close();
    expect(told).toEqual(['a']);
  });
});
