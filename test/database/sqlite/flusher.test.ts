import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFlusher } from '../../../src/database/sqlite/flusher.ts';

type Done = (cause: NodeJS.ErrnoException | null) => void;

/** A flusher over a real file, whose disk ends each flush when the test says so. */
function onSlowDisk() {
  const path = join(mkdtempSync(join(tmpdir(), 'pixctl-flush-')), 'x.db');
  writeFileSync(`${path}-wal`, '');
  const flushes: Done[] = [];
  const flusher = createFlusher(path, (_file, done) => flushes.push(done));
  const told: string[] = [];
  const ask = (name: string) =>
    flusher.flush().then(
      () => void told.push(name),
      (cause: Error) => void told.push(`${name}: ${cause.message.replace(path, 'x.db')}`),
    );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { flusher, flushes, told, ask, turn };
}

describe('a log that cannot be written', () => {
  it('is told as what it is (74), as on a disk that is read-only', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'pixctl-flush-')), 'x.db');
    mkdirSync(`${path}-wal`);
    expect(() => createFlusher(path)).toThrow(
      expect.objectContaining({ kind: 'storage', message: `the database ${path} cannot be written: EISDIR` }),
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

  it('serves who asks while one is under way by one more flush, begun after it', async () => {
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

  it('trusts the disk no more once a flush has failed', async () => {
    const { flushes, told, ask, turn } = onSlowDisk();
    const first = [ask('a'), ask('b')];
    await turn();
    flushes[0]?.(Object.assign(new Error('I/O error'), { code: 'EIO' }));
    await Promise.all(first);
    await ask('c');
    expect(flushes).toHaveLength(1);
    expect(told).toEqual(
      ['a', 'b', 'c'].map((name) => `${name}: the database x.db could not be put on the disk: EIO`),
    );
  });

  it('lets what was asked for end before it closes the file', async () => {
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
});
