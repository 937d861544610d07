/** SQLite has no index of event ids: this process knows them. So does another process, a later one, and the file. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { openDatabase } from '../../../src/database/open.ts';
import type { Database } from '../../../src/database/port.ts';
import { createClaimOwner } from '../../../src/inbox/claim-owner.ts';
import { createInbox } from '../../../src/inbox/create-inbox.ts';
import { createNumberDeduplicator } from '../../../src/inbox/dedupe/by-number.ts';
import { hashOf } from '../../../src/inbox/dedupe/id-table.ts';
import type { Inbox, NewDelivery, StoreResult } from '../../../src/inbox/inbox.ts';
import { inboxMigrations } from '../../../src/inbox/schema.ts';

const freshFile = () => join(mkdtempSync(join(tmpdir(), 'pixctl-once-')), 'inbox.sqlite');

const delivery = (eventId: string, more: Partial<NewDelivery> = {}): NewDelivery => ({
  ...{ source: 'signer-1', eventId, event: 'CHARGE_PAID', headers: [], origin: 'delivery', forward: 'none' },
  body: new TextEncoder().encode('{}'),
  ...more,
});

interface Opened {
  readonly database: Database;
  readonly inbox: Inbox;
}

async function open(
  file: string,
  idsInPage?: number,
  watched = (database: Database) => database,
): Promise<Opened> {
  const room = { room: 'inbox', migrations: inboxMigrations, clock: systemClock, flush: 'shared' } as const;
  const database = watched(await openDatabase(file, room));
  const once = createNumberDeduplicator({
    ...(idsInPage === undefined ? {} : { idsInPage }),
    onMended: nothingToMend,
  });
  return {
    database,
    inbox: createInbox(database, {
      clock: systemClock,
      owner: await createClaimOwner(true),
      deduplicator: once,
    }),
  };
}

/** Nobody damages a page here, so none may be taken for damaged. */
const nothingToMend = () => {
  throw new Error('pages were made anew');
};

/** A database whose commits fail while the disk is full. */
const on =
  (disk: { readonly isFull: boolean }) =>
  (database: Database): Database => ({
    ...database,
    write: (work) =>
      database.write(async (tx) => {
        const value = await work(tx);
        if (disk.isFull) throw new Error('the disk is full');
        return value;
      }),
  });

const addAll = (inbox: Inbox, ids: readonly string[]) =>
  Promise.all(ids.map((id) => inbox.add(delivery(id))));
const named = (count: number) => Array.from({ length: count }, () => `evt_${randomUUID()}`);
const pagesOf = (database: Database) =>
  database.query<{ last: number; bytes: number }>(
    'SELECT last, length(ids) AS bytes FROM inbox_ids ORDER BY last',
  );
/** A pair is expected among some 80,000. */
function twoOfOneHash(): [string, string] {
  const seen = new Map<number, string>();
  for (let at = 0; ; at++) {
    const id = `evt_${at}`;
    const other = seen.get(hashOf(id));
    if (other !== undefined) return [other, id];
    seen.set(hashOf(id), id);
  }
}

const settled = { state: 'NONE', before: Number.MAX_SAFE_INTEGER } as const;

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('an event of an embedded inbox', () => {
  it('is known to a later process, from pages and from the rows behind them, and found by its id', async () => {
    const file = freshFile();
    const ids = named(20_000);
    const first = await open(file);
    for (let at = 0; at < ids.length; at += 500) await addAll(first.inbox, ids.slice(at, at + 500));
    expect(await pagesOf(first.database)).toEqual([
      { last: 8_192, bytes: 65_540 },
      { last: 16_384, bytes: 65_540 },
    ]);
    await first.inbox.close();
    const { inbox } = await open(file);
    for (const id of [ids[0], ids[8_191], ids[8_192], ids[16_383], ids[16_384], ids[19_999]] as string[]) {
      expect(await inbox.find(id)).toMatchObject([{ eventId: id, duplicates: 0 }]);
      expect(await inbox.add(delivery(id))).toMatchObject({ duplicate: true });
      expect(await all(inbox.list({ id }))).toMatchObject([{ eventId: id, duplicates: 1 }]);
    }
    expect(await inbox.find('evt_unknown')).toEqual([]);
    expect(await inbox.countPrunable(settled)).toBe(20_000);
    await inbox.close();
  });

  it.each([
    ['more pages than are read at once', 40, 2],
    ['more rows behind the pages than are read at once', 9_000, 10_000],
  ])('is known to a later process with %s', async (_, events, inPage) => {
    const file = freshFile();
    const first = await open(file, inPage);
    const ids = named(events);
    await addAll(first.inbox, ids);
    await first.inbox.close();
    const { inbox } = await open(file, inPage);
    const some = [ids[0], ids[33], ids.at(-2), ids.at(-1)] as string[];
    for (const id of some) expect(await inbox.add(delivery(id))).toMatchObject({ duplicate: true });
    for (const id of some) expect(await inbox.find(id)).toMatchObject([{ eventId: id, duplicates: 1 }]);
    await inbox.close();
  });

  it('that comes again is looked for once a commit, and looked for anew in the next: it may have been removed', async () => {
    let looks = 0;
    const counting = (database: Database): Database => ({
      ...database,
      write: (work) =>
        database.write((tx) =>
          work({
            ...tx,
            query: (text, values) => {
              if (text.startsWith('SELECT 1 FROM inbox_event')) looks += 1;
              return tx.query(text, values);
            },
          }),
        ),
    });
    const file = freshFile();
    const { inbox, database } = await open(file, undefined, counting);
    const { key } = await inbox.add(delivery('evt_again'));
    expect(looks).toBe(0);
    const again = await Promise.all(Array.from({ length: 5 }, () => inbox.add(delivery('evt_again'))));
    expect(again.every((stored) => stored.duplicate && stored.key === key)).toBe(true);
    expect(looks).toBe(1);
    await inbox.add(delivery('evt_last'));
    await inbox.add(delivery('evt_again'));
    await database.query('DELETE FROM inbox_event WHERE key = $1', [key]);
    const [anew, once] = await Promise.all([1, 2].map(() => inbox.add(delivery('evt_again'))));
    expect(anew).toMatchObject({ duplicate: false });
    expect(anew?.key).not.toBe(key);
    expect(once).toMatchObject({ duplicate: true, key: anew?.key });
    await inbox.close();
  });

  it('that another process has stored is known at once', async () => {
    const file = freshFile();
    const [one, two] = [await open(file), await open(file)];
    for (const id of named(20)) {
      const { key } = await one.inbox.add(delivery(id));
      expect(await two.inbox.add(delivery(id))).toMatchObject({ key, duplicate: true });
      expect(await one.inbox.add(delivery(id))).toMatchObject({ key, duplicate: true });
    }
    await one.inbox.close();
    await two.inbox.close();
  });

  it('that came while more were stored elsewhere than a table has room for is known', async () => {
    const file = freshFile();
    const [one, two] = [await open(file), await open(file)];
    await two.inbox.add(delivery('evt_first'));
    const ids = named(30_000);
    for (let at = 0; at < ids.length; at += 1_000) await addAll(one.inbox, ids.slice(at, at + 1_000));
    expect(await two.inbox.add(delivery(ids[29_999] as string))).toMatchObject({ duplicate: true });
    expect(await two.inbox.add(delivery('evt_first'))).toMatchObject({ duplicate: true });
    expect(await one.inbox.add(delivery('evt_first'))).toMatchObject({ duplicate: true });
    await one.inbox.close();
    await two.inbox.close();
  });

  it('is another event with another signature, and so is its edited copy; all are found', async () => {
    const { inbox } = await open(freshFile());
    await inbox.add(delivery('evt_1'));
    await inbox.add(delivery('evt_1', { source: 'signer-2' }));
    const edited = { origin: 'edited', edits: 'data.amount=1' } as const;
    await inbox.add(delivery('evt_1', edited));
    await inbox.add(delivery('evt_1', edited));
    expect(await inbox.add(delivery('evt_1', { source: 'signer-2' }))).toMatchObject({ duplicate: true });
    const found = await inbox.find('evt_1');
    expect(found.map(({ source, origin, duplicates }) => [source, origin, duplicates])).toEqual([
      ['signer-1', 'edited', 0],
      ['signer-1', 'edited', 0],
      ['signer-2', 'delivery', 1],
      ['signer-1', 'delivery', 0],
    ]);
    await inbox.close();
  });

  it('is found by its key without a look at the ids of the others, which are many', async () => {
    const asked: string[] = [];
    const { inbox } = await open(freshFile(), 2, (database) => ({
      ...database,
      query: (sql, parameters) => {
        asked.push(sql);
        return database.query(sql, parameters);
      },
    }));
    const [first] = await addAll(inbox, named(5));
    asked.length = 0;
    const { key } = first as StoreResult;
    expect(await inbox.find(key)).toMatchObject([{ key }]);
    expect(await all(inbox.list({ id: key }))).toMatchObject([{ key }]);
    expect(asked.filter((sql) => sql.includes('inbox_ids'))).toEqual([]);
    await inbox.close();
  });

  it('whose commit failed is not known: it is stored when it comes again', async () => {
    const disk = { isFull: false };
    const { inbox } = await open(freshFile(), undefined, on(disk));
    await inbox.add(delivery('evt_1'));
    disk.isFull = true;
    await expect(inbox.add(delivery('evt_2'))).rejects.toMatchObject({ kind: 'storage' });
    disk.isFull = false;
    expect(await inbox.add(delivery('evt_2'))).toMatchObject({ duplicate: false });
    expect(await inbox.add(delivery('evt_2'))).toMatchObject({ duplicate: true });
    expect(await inbox.find('evt_2')).toHaveLength(1);
    await inbox.close();
  });

  it('is known though the commit failed that would have put it in a page', async () => {
    const disk = { isFull: false };
    const file = freshFile();
    const { inbox } = await open(file, 2, on(disk));
    await inbox.add(delivery('evt_1'));
    disk.isFull = true;
    await expect(inbox.add(delivery('evt_2'))).rejects.toMatchObject({ kind: 'storage' });
    disk.isFull = false;
    await addAll(inbox, ['evt_3', 'evt_4']);
    await inbox.close();
    const later = await open(file, 2);
    expect(await later.inbox.add(delivery('evt_1'))).toMatchObject({ duplicate: true });
    await later.inbox.close();
  });

  it('is not taken for another whose id has the same hash', async () => {
    const { inbox } = await open(freshFile(), 2);
    const [one, two] = twoOfOneHash();
    expect(await inbox.add(delivery(one))).toMatchObject({ duplicate: false });
    expect(await inbox.add(delivery(two))).toMatchObject({ duplicate: false });
    for (const id of [one, two]) {
      expect(await inbox.add(delivery(id))).toMatchObject({ duplicate: true });
      expect(await inbox.find(id)).toMatchObject([{ eventId: id, duplicates: 1 }]);
    }
    await inbox.close();
  });

  it.each([4, 100])(
    'that was removed is new, and no number is given again, with pages of %i',
    async (inPage) => {
      const file = freshFile();
      const [one, two] = [await open(file, inPage), await open(file, inPage)];
      await addAll(one.inbox, ['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5', 'evt_6']);
      await two.inbox.add(delivery('evt_7', { forward: 'leave' }));
      expect(await two.inbox.prune(settled)).toBe(6);
      await two.inbox.add(delivery('evt_8'));
      expect(await one.inbox.prune(settled)).toBe(1);
      for (const id of ['evt_1', 'evt_6', 'evt_8', 'evt_9'])
        expect(await two.inbox.add(delivery(id))).toMatchObject({ duplicate: false });
      for (const id of ['evt_1', 'evt_6', 'evt_7', 'evt_8', 'evt_9'])
        expect(await one.inbox.add(delivery(id))).toMatchObject({ duplicate: true });
      const rows = await one.database.query('SELECT number, event_id FROM inbox_event ORDER BY number');
      expect(rows.map(({ number, event_id }) => [number, event_id])).toEqual([
        [7, 'evt_7'],
        [9, 'evt_1'],
        [10, 'evt_6'],
        [11, 'evt_8'],
        [12, 'evt_9'],
      ]);
      await one.inbox.close();
      await two.inbox.close();
    },
  );

  it('is known to every process though somebody has removed the newest events by hand', async () => {
    const file = freshFile();
    const [one, two] = [await open(file), await open(file)];
    const ids = ['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5'];
    await addAll(one.inbox, ids);
    expect(await two.inbox.add(delivery('evt_1'))).toMatchObject({ duplicate: true });
    await one.database.query('DELETE FROM inbox_event WHERE number > 2');
    await one.inbox.add(delivery('evt_6'));
    for (const id of ['evt_6', 'evt_1', 'evt_2'])
      expect(await two.inbox.add(delivery(id))).toMatchObject({ duplicate: true });
    expect(await two.inbox.add(delivery('evt_5'))).toMatchObject({ duplicate: false });
    expect(await one.inbox.add(delivery('evt_5'))).toMatchObject({ duplicate: true });
    await one.inbox.close();
    await two.inbox.close();
  });

  it('stays known while the others of its page are removed, and those of later pages are not', async () => {
    const file = freshFile();
    const { inbox } = await open(file, 4);
    await addAll(inbox, ['evt_1', 'evt_2', 'evt_3']);
    const owed = ['evt_4', 'evt_5', 'evt_6', 'evt_7', 'evt_8'];
    for (const id of owed) await inbox.add(delivery(id, { forward: 'leave' }));
    expect(await inbox.prune(settled)).toBe(3);
    await inbox.add(delivery('evt_9'));
    expect(await inbox.prune(settled)).toBe(1);
    await inbox.close();
    const later = await open(file, 4);
    for (const id of owed) expect(await later.inbox.add(delivery(id))).toMatchObject({ duplicate: true });
    await later.inbox.close();
  });

  it('is known though whoever emptied the table by hand knew nothing of numbers', async () => {
    const file = freshFile();
    const first = await open(file, 4);
    await addAll(first.inbox, ['evt_1', 'evt_2', 'evt_3', 'evt_4']);
    await first.database.query('DELETE FROM inbox_event');
    await first.inbox.add(delivery('evt_5'));
    await first.inbox.close();
    const later = await open(file, 4);
    expect(await later.inbox.add(delivery('evt_5'))).toMatchObject({ duplicate: true });
    await later.inbox.close();
  });

  it('that stays keeps its own page, and those of all others go when events are removed once more', async () => {
    const file = freshFile();
    const { database, inbox } = await open(file, 4);
    await addAll(inbox, named(5));
    await inbox.add(delivery('evt_owed', { forward: 'leave' }));
    await addAll(inbox, named(9));
    expect(await inbox.prune(settled)).toBe(14);
    await addAll(inbox, named(4));
    expect(await inbox.prune(settled)).toBe(4);
    expect((await pagesOf(database)).map(({ last }) => last)).toEqual([8, 16]);
    await addAll(inbox, ['evt_last']);
    expect(await inbox.prune(settled)).toBe(1);
    expect((await pagesOf(database)).map(({ last }) => last)).toEqual([8, 20]);
    await inbox.add(delivery('evt_after'));
    const later = await open(file, 4);
    for (const id of ['evt_owed', 'evt_after'])
      expect(await later.inbox.add(delivery(id))).toMatchObject({ duplicate: true });
    expect(await database.query('SELECT max(number) AS last FROM inbox_event')).toEqual([{ last: 21 }]);
    await inbox.close();
    await later.inbox.close();
  });

  it('is stored, and known, behind pages of many that were removed while the first of all stayed', async () => {
    const file = freshFile();
    const first = await open(file);
    await first.inbox.add(delivery('evt_owed', { forward: 'leave' }));
    const ids = named(24_575);
    for (let at = 0; at < ids.length; at += 1_000) await addAll(first.inbox, ids.slice(at, at + 1_000));
    expect(await first.inbox.prune(settled)).toBe(24_575);
    expect((await pagesOf(first.database)).map(({ last }) => last)).toEqual([8_192, 24_576]);
    await first.inbox.close();
    const { inbox, database } = await open(file);
    expect(await inbox.add(delivery('evt_owed'))).toMatchObject({ duplicate: true });
    expect(await inbox.add(delivery(ids[9_000] as string))).toMatchObject({ duplicate: false });
    expect(await inbox.add(delivery(ids[9_000] as string))).toMatchObject({ duplicate: true });
    expect(await database.query('SELECT max(number) AS last FROM inbox_event')).toEqual([{ last: 24_577 }]);
    await inbox.close();
  });

  it('takes memory for what is there, not for the numbers that were given before', async () => {
    const file = freshFile();
    const first = await open(file);
    await first.inbox.add(delivery('evt_owed', { forward: 'leave' }));
    await first.database.query('UPDATE inbox_numbers SET last = 8000000');
    await first.inbox.add(delivery('evt_new'));
    await first.inbox.close();
    const { inbox } = await open(file);
    const before = process.memoryUsage().arrayBuffers;
    expect(await inbox.add(delivery('evt_owed'))).toMatchObject({ duplicate: true });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 2 ** 20);
    await inbox.close();
  });

  it('leaves its page behind only until events are removed once more', async () => {
    const { database, inbox } = await open(freshFile(), 4);
    await addAll(inbox, named(9));
    await inbox.add(delivery('evt_owed', { forward: 'leave' }));
    expect(await inbox.prune(settled)).toBe(9);
    await addAll(inbox, named(1));
    expect(await pagesOf(database)).toEqual([
      { last: 4, bytes: 36 },
      { last: 8, bytes: 36 },
    ]);
    expect(await inbox.prune(settled)).toBe(1);
    expect(await pagesOf(database)).toEqual([]);
    expect(await inbox.add(delivery('evt_owed'))).toMatchObject({ duplicate: true });
    await inbox.close();
  });
});

/** Two processes that add, remove and start anew, in any order: no event is stored twice, none is taken for known. */
it('an event is stored once, whatever two processes do in whatever order', async () => {
  const who = fc.constantFrom(0, 1);
  const id = fc.integer({ min: 0, max: 11 }).map((number) => `evt_${number}`);
  const ids = fc.array(id, { minLength: 1, maxLength: 5 });
  // What is owed to an application is not removed.
  const forward = fc.constantFrom('none' as const, 'none' as const, 'leave' as const);
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ who, add: ids, forward }) },
    { weight: 1, arbitrary: fc.record({ who, remove: fc.constant(true) }) },
    { weight: 1, arbitrary: fc.record({ who, settle: ids }) },
    { weight: 1, arbitrary: fc.record({ who, restart: fc.constant(true) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const file = freshFile();
      const opened = [await open(file, 3), await open(file, 3)];
      const stored = new Set<string>();
      const owed = new Set<string>();
      for (const one of steps) {
        const { inbox, database } = opened[one.who] as Opened;
        if ('add' in one) {
          const { forward } = one;
          const answers = await Promise.all(
            one.add.map((eventId) => inbox.add(delivery(eventId, { forward }))),
          );
          one.add.forEach((eventId, at) => {
            expect(answers[at]).toMatchObject({ duplicate: stored.has(eventId) });
            stored.add(eventId);
            if (forward === 'leave') owed.add(eventId);
          });
        } else if ('remove' in one) {
          const removed = [...stored].filter((eventId) => !owed.has(eventId));
          expect(await inbox.prune(settled)).toBe(removed.length);
          for (const eventId of removed) stored.delete(eventId);
        } else if ('settle' in one) {
          for (const eventId of one.settle) {
            owed.delete(eventId);
            await database.query("UPDATE inbox_event SET state = 'NONE' WHERE event_id = $1", [eventId]);
          }
        } else {
          await inbox.close();
          opened[one.who] = await open(file, 3);
        }
        const { inbox: reader } = opened[1 - one.who] as Opened;
        const entries = await all(reader.list());
        expect(entries.map(({ eventId }) => eventId).sort()).toEqual([...stored].sort());
      }
      for (const eventId of stored) expect(await (opened[0] as Opened).inbox.find(eventId)).toHaveLength(1);
      for (const { inbox } of opened) await inbox.close();
    }),
    { numRuns: 60 },
  );
}, 120_000);
