import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWalFlusher } from '../../../src/sandbox/store/wal-flush.ts';

describe('the flush of a log behind its writer', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pixctl-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const times = (count: number, act: () => void) => {
    for (let at = 0; at < count; at++) act();
  };

  it('begins after 64 commits, is never under way twice, and comes again once it has ended', async () => {
    const log = join(folder, 'state.db-wal');
    writeFileSync(log, 'log');
    const ends: (() => void)[] = [];
    const never = () => {};
    const committed = createWalFlusher(log, (_, done) => ends.push(done), never);
    times(63, committed);
    expect(ends).toHaveLength(0);
    times(1, committed);
    await expect.poll(() => ends.length).toBe(1);
    times(300, committed);
    ends[0]?.();
    await expect
      .poll(() => {
        committed();
        return ends.length;
      })
      .toBe(2);
    ends[1]?.();
  });

  it('comes a moment after a single commit, for all since, and after those that came during a flush', async () => {
    const log = join(folder, 'state.db-wal');
    writeFileSync(log, 'log');
    const ends: (() => void)[] = [];
    let planned: (() => void)[] = [];
    const committed = createWalFlusher(
      log,
      (_, done) => ends.push(done),
      (work) => planned.push(work),
    );
    const moment = () => {
      const works = planned;
      planned = [];
      for (const work of works) work();
      return works.length;
    };
    times(3, committed);
    expect(ends).toHaveLength(0);
    expect(moment()).toBe(1);
    await expect.poll(() => ends.length).toBe(1);
    times(2, committed);
    expect(planned).toHaveLength(0);
    ends[0]?.();
    await expect.poll(() => planned.length).toBe(1);
    moment();
    await expect.poll(() => ends.length).toBe(2);
    ends[1]?.();
  });

  it('that 64 commits have begun is not begun again a moment later', async () => {
    const log = join(folder, 'state.db-wal');
    writeFileSync(log, 'log');
    const planned: (() => void)[] = [];
    let flushed = 0;
    const sync = (_: number, done: () => void) => {
      flushed += 1;
      done();
    };
    times(
      64,
      createWalFlusher(log, sync, (work) => planned.push(work)),
    );
    await expect.poll(() => flushed).toBe(1);
    for (const work of planned) work();
    await new Promise((resolve) => setImmediate(resolve));
    expect([planned.length, flushed]).toEqual([1, 1]);
  });

  it('tries again later where the log cannot be opened', async () => {
    const log = join(folder, 'state.db-wal');
    let flushed = 0;
    const committed = createWalFlusher(log, (_, done) => {
      flushed += 1;
      done();
    });
    times(64, committed);
    writeFileSync(log, 'log');
    await expect
      .poll(() => {
        times(64, committed);
        return flushed;
      })
      .toBeGreaterThan(0);
  });
});
