/** Creates that come together share a commit; none is answered before it, and one that fails harms no other. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../../src/sandbox/store/store.ts';
import type { Settled } from '../../../src/sandbox/store/transactions.ts';
import { emptyHome } from '../../support/run.ts';
import { serve } from '../support/over-http.ts';

function tried(store: Store) {
  const told: string[] = [];
  const add = (key: string, fail?: 'before' | 'after') =>
    store.shareTransaction(
      () => {
        if (fail === 'before') throw new Error(`${key} refused`);
        store.append('INSERT INTO meta VALUES (?, ?)', key, key);
        if (fail === 'after') throw new Error(`${key} broke`);
        return key;
      },
      (settled: Settled<string>) => {
        told.push('value' in settled ? settled.value : (settled.error as Error).message);
      },
    );
  const kept = () => ['a', 'b', 'c'].filter((key) => store.readMeta(key) !== null);
  return { told, add, kept };
}

describe('a shared transaction', () => {
  it('notifies nobody before its commit, and everybody after it', async () => {
    const store = openStore();
    const { told, add, kept } = tried(store);
    add('a');
    add('b');
    expect(told).toEqual([]);
    await setImmediate();
    expect([told, kept()]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    store.close();
  });

  it('is committed before anybody else reads or writes', () => {
    const store = openStore();
    const { told, add } = tried(store);
    add('a');
    expect(store.readMeta('a')).toBe('a');
    expect(told).toEqual(['a']);
    add('b');
    store.transaction(() => expect(told).toEqual(['a', 'b']));
    add('c');
    store.close();
    expect(told).toEqual(['a', 'b', 'c']);
  });

  it('is committed, with what the notified then begin, before anybody else reads or writes', () => {
    const store = openStore();
    const told: string[] = [];
    const chain = (...keys: string[]) => {
      const [key, ...later] = keys;
      if (key === undefined) return;
      const write = () => store.append('INSERT INTO meta VALUES (?, ?)', key, key);
      store.shareTransaction(write, () => {
        told.push(key);
        chain(...later);
      });
    };
    chain('a', 'b', 'c');
    store.transaction(() => expect(told).toEqual(['a', 'b', 'c']));
    chain('d', 'e');
    expect(store.readMeta('e')).toBe('e');
    expect(told).toEqual(['a', 'b', 'c', 'd', 'e']);
    chain('f', 'g');
    store.close();
    expect(told).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('goes on without one that was refused before it wrote', async () => {
    const store = openStore();
    const { told, add, kept } = tried(store);
    add('a');
    add('b', 'before');
    add('c');
    await setImmediate();
    expect([told, kept()]).toEqual([
      ['a', 'b refused', 'c'],
      ['a', 'c'],
    ]);
    store.close();
  });

  it('is undone as a whole by one that wrote and failed, and notifies all of them', async () => {
    const store = openStore();
    const { version } = store;
    const { told, add, kept } = tried(store);
    add('a');
    add('b', 'after');
    add('c');
    await setImmediate();
    expect([told, kept()]).toEqual([['b broke', 'b broke', 'b broke'], []]);
    // What was read meanwhile is no longer so.
    expect(store.version).not.toBe(version);
    add('a');
    await setImmediate();
    expect(kept()).toEqual(['a']);
    store.close();
  });

  it('leaves in the file what it reported', async () => {
    const file = `${emptyHome()}/state.db`;
    const sandbox = await serve({ state: file });
    const made = await Promise.all(Array.from({ length: 40 }, (_, at) => sandbox.charge(500 + at)));
    await sandbox.close();
    const again = await serve({ state: file });
    const { body } = await again.get('/transparents/list?limit=100');
    const ids = (charges: { id: string }[]) => charges.map(({ id }) => id).sort();
    expect(ids(body.data)).toEqual(ids(made));
  });
});

describe('what is remembered of a charge', () => {
  it('is forgotten when anything that exists is changed', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge();
    const seen = async () => {
      const one = (await sandbox.get(`/transparents/check?id=${id}`)).body.data;
      const [first] = (await sandbox.get('/transparents/list')).body.data;
      expect(first).toEqual(one);
      return one.status;
    };
    expect(await seen()).toBe('PENDING');
    sandbox.pay(id);
    expect(await seen()).toBe('PAID');
    sandbox.dispute(id);
    expect(await seen()).toBe('DISPUTED');
    const late = await sandbox.charge(700, { expiresIn: 60 });
    expect((await sandbox.get('/transparents/list')).body.data[0].status).toBe('PENDING');
    await sandbox.clock.advance(60_000);
    expect((await sandbox.get('/transparents/list')).body.data[0]).toEqual({ ...late, status: 'EXPIRED' });
    sandbox.revokeKey(sandbox.apiKey);
    expect((await sandbox.get('/transparents/list')).status).toBe(401);
  });

  it('is not what a fault makes of it', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge();
    const before = (await sandbox.get(`/transparents/check?id=${id}`)).body;
    sandbox.faults.add({
      target: 'api',
      effect: { kind: 'unknown-field', name: 'extra', value: 1 },
      times: 1,
    });
    expect((await sandbox.get(`/transparents/check?id=${id}`)).body.data).toEqual({
      ...before.data,
      extra: 1,
    });
    expect((await sandbox.get(`/transparents/check?id=${id}`)).body).toEqual(before);
  });
});
