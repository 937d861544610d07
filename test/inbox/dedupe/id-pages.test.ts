/** What SQLite cannot see of a row of ids: that it is gone, or has other bytes than were written. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { createClaimOwner } from '../../../src/inbox/claim-owner.ts';
import { createInbox } from '../../../src/inbox/create-inbox.ts';
import { createNumberDeduplicator } from '../../../src/inbox/dedupe/by-number.ts';
import type { NewDelivery } from '../../../src/inbox/inbox.ts';
import { inboxMigrations } from '../../../src/inbox/schema.ts';

const freshFile = () => join(mkdtempSync(join(tmpdir(), 'pixctl-pages-')), 'inbox.sqlite');

const delivery = (eventId: string, forward: NewDelivery['forward'] = 'none'): NewDelivery => ({
  ...{ source: 'signer-1', eventId, event: 'CHARGE_PAID', headers: [], origin: 'delivery', forward },
  body: new TextEncoder().encode('{}'),
});

/** With pages of four ids. */
async function open(file: string) {
  const room = { room: 'inbox', migrations: inboxMigrations, clock: systemClock, flush: 'shared' } as const;
  const database = await openDatabase(file, room);
  let mended = 0;
  const once = createNumberDeduplicator({ idsInPage: 4, onMended: () => mended++ });
  const inbox = createInbox(database, {
    clock: systemClock,
    owner: await createClaimOwner(true),
    deduplicator: once,
  });
  return { database, inbox, mended: () => mended };
}

const evt = (number: number) => `evt_${number}`;
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const settled = { state: 'NONE', before: Number.MAX_SAFE_INTEGER } as const;

/** Events 1 to 14: three pages, and two behind them. */
async function withThreePages(): Promise<string> {
  const file = freshFile();
  const { inbox } = await open(file);
  for (const number of numbers(1, 14)) await inbox.add(delivery(evt(number)));
  await inbox.close();
  return file;
}

async function change(file: string, sql: string): Promise<void> {
  const { database, inbox } = await open(file);
  expect(await database.execute(sql)).toBeGreaterThan(0);
  await inbox.close();
}

/** Of four ids and their sum the first two; the other bytes are there, and nothing is in them. */
const halfWritten = 'substr(ids, 1, 16) || zeroblob(20)';

describe('an event whose page of ids is damaged', () => {
  it.each([
    ['empty', "UPDATE inbox_ids SET ids = x'' WHERE last = 8"],
    ['only its sum', 'UPDATE inbox_ids SET ids = zeroblob(4) WHERE last = 8'],
    ['cut short', 'UPDATE inbox_ids SET ids = CAST(substr(ids, 1, 27) AS BLOB) WHERE last = 8'],
    ['cut short by whole ids', 'UPDATE inbox_ids SET ids = CAST(substr(ids, 1, 24) AS BLOB) WHERE last = 8'],
    [
      'cut short within its sum',
      'UPDATE inbox_ids SET ids = CAST(substr(ids, 1, 34) AS BLOB) WHERE last = 8',
    ],
    ['half written', `UPDATE inbox_ids SET ids = CAST(${halfWritten} AS BLOB) WHERE last = 8`],
    ['nothing but zeros', 'UPDATE inbox_ids SET ids = zeroblob(36) WHERE last = 8'],
    ['a text', "UPDATE inbox_ids SET ids = 'gone' WHERE last = 8"],
    [
      'with one other byte of a hash',
      "UPDATE inbox_ids SET ids = CAST(x'000000' || substr(ids, 4) AS BLOB) WHERE last = 8",
    ],
    [
      'with a number twice, and no sum',
      'UPDATE inbox_ids SET ids = CAST(substr(ids, 1, 8) || substr(ids, 1, 8) || substr(ids, 17, 16) AS BLOB) WHERE last = 8',
    ],
    [
      'that of another page',
      'UPDATE inbox_ids SET ids = (SELECT ids FROM inbox_ids WHERE last = 4) WHERE last = 8',
    ],
    ['under another number', 'UPDATE inbox_ids SET last = 10 WHERE last = 8'],
    ['the last, and says that it covers more', 'UPDATE inbox_ids SET last = 1000 WHERE last = 12'],
    ['missing', 'DELETE FROM inbox_ids WHERE last = 8'],
    ['missing, as the first', 'DELETE FROM inbox_ids WHERE last = 4'],
    ['missing, as the first two', 'DELETE FROM inbox_ids WHERE last < 12'],
  ])('is found, and known when it comes again: %s', async (_, damage) => {
    const file = await withThreePages();
    await change(file, damage);
    const reader = await open(file);
    for (const number of numbers(1, 14))
      expect(await reader.inbox.find(evt(number))).toMatchObject([{ eventId: evt(number) }]);
    expect(reader.mended()).toBe(0);
    for (const number of numbers(1, 14))
      expect(await reader.inbox.add(delivery(evt(number)))).toMatchObject({ duplicate: true });
    expect(reader.mended()).toBe(1);
    expect(await reader.inbox.add(delivery('evt_new'))).toMatchObject({ duplicate: false });
    expect(await reader.database.query('SELECT max(number) AS last FROM inbox_event')).toEqual([
      { last: 15 },
    ]);
    await reader.inbox.close();
    const later = await open(file);
    for (const id of [...numbers(1, 14).map(evt), 'evt_new'])
      expect(await later.inbox.add(delivery(id))).toMatchObject({ duplicate: true });
    expect(later.mended()).toBe(0);
    await later.inbox.close();
  });

  it.each([
    ['missing, as the last', 'DELETE FROM inbox_ids WHERE last = 12'],
    ['missing, as are all', 'DELETE FROM inbox_ids'],
    [
      'of the first version, which wrote no sums',
      'UPDATE inbox_ids SET ids = CAST(substr(ids, 1, 32) AS BLOB)',
    ],
  ])('is known without more ado: %s', async (_, sql) => {
    const file = await withThreePages();
    await change(file, sql);
    const later = await open(file);
    for (const number of numbers(1, 14)) {
      expect(await later.inbox.find(evt(number))).toHaveLength(1);
      expect(await later.inbox.add(delivery(evt(number)))).toMatchObject({ duplicate: true });
    }
    expect(later.mended()).toBe(0);
    await later.inbox.close();
  });

  it('is known also once a process goes on that had known the pages before they were made anew', async () => {
    const file = freshFile();
    const one = await open(file);
    const owed = [4, 8, 9, 10, 11, 12];
    for (const number of numbers(1, 12))
      await one.inbox.add(delivery(evt(number), owed.includes(number) ? 'leave' : 'none'));
    expect(await one.inbox.prune(settled)).toBe(6);
    await change(file, "UPDATE inbox_ids SET ids = x'' WHERE last = 8");
    const two = await open(file);
    await two.inbox.add(delivery(evt(13)));
    expect(two.mended()).toBe(1);
    for (const number of numbers(14, 17)) await one.inbox.add(delivery(evt(number)));
    const later = await open(file);
    for (const number of [...owed, ...numbers(13, 17)])
      for (const { inbox } of [one, two, later])
        expect(await inbox.add(delivery(evt(number)))).toMatchObject({ duplicate: true });
    expect(later.mended()).toBe(0);
    for (const { inbox } of [one, two, later]) await inbox.close();
  });

  it('is known though the transaction failed that had made the pages anew', async () => {
    const file = await withThreePages();
    await change(file, "UPDATE inbox_ids SET ids = x'' WHERE last = 8");
    const { database, inbox } = await open(file);
    await database.execute(
      "CREATE TRIGGER full BEFORE INSERT ON inbox_event BEGIN SELECT RAISE(FAIL, 'the disk is full'); END",
    );
    await expect(inbox.add(delivery('evt_new'))).rejects.toMatchObject({ kind: 'storage' });
    await database.execute('DROP TRIGGER full');
    expect(await database.query('SELECT last FROM inbox_ids WHERE length(ids) = 0')).toEqual([{ last: 8 }]);
    for (const number of numbers(1, 14))
      expect(await inbox.add(delivery(evt(number)))).toMatchObject({ duplicate: true });
    await inbox.close();
  });
});
