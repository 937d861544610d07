/** An inbox that was made before its rows had numbers is brought up to date with all that is in it. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { NewDelivery } from '../../src/inbox/inbox.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { inboxMigrations } from '../../src/inbox/schema.ts';

const delivery = (eventId: string): NewDelivery => ({
  ...{ source: 'signer-1', eventId, event: 'X', headers: [], origin: 'delivery', forward: 'claim' },
  body: new TextEncoder().encode('{}'),
});

it('an older inbox keeps its events, in their order, their attempts and what it owes', async () => {
  const url = join(mkdtempSync(join(tmpdir(), 'pixctl-older-')), 'inbox.sqlite');
  const room = { room: 'inbox', clock: systemClock };
  const older = inboxMigrations.filter(({ number }) => number < 5);
  const before = await openDatabase(url, { ...room, migrations: older });
  for (const [at, eventId] of ['evt_2', 'evt_1', 'evt_3'].entries())
    await before.query(
      `INSERT INTO inbox_event (key, source, event_id, copy, event, received_at, origin, edits, headers, body, duplicates, state, target, attempts, failures, next_at, status, error, claimed_by)
       VALUES ($1, 'signer-1', $2, $3, 'X', 5, 'delivery', $4, '[["a","b"]]', $5, 2, $6, 'http://localhost:3000/', 1, 1, 7, 500, 'refused', NULL)`,
      [
        `in_${at}`,
        eventId,
        at === 2 ? 'in_2' : '',
        at === 2 ? 'data.amount=1' : null,
        new Uint8Array([at, 0, 255]),
        at === 0 ? 'WAITING' : 'GIVEN_UP',
      ],
    );
  await before.query(
    "INSERT INTO inbox_attempt (key, number, url, started_at, ms, status, error, signature, answer, elsewhere) VALUES ('in_0', 1, 'http://localhost:3000/', 6, 12, 500, 'refused', 'original', 'no', 1)",
  );
  const everything = async (database: typeof before) => [
    await database.query(
      'SELECT key, source, event_id, copy, event, received_at, origin, edits, headers, body, duplicates, state, target, attempts, failures, next_at, status, error, claimed_by FROM inbox_event ORDER BY key',
    ),
    await database.query(
      'SELECT key, number, url, started_at, ms, status, error, signature, answer, elsewhere FROM inbox_attempt',
    ),
  ];
  const kept = await everything(before);
  await before.close();

  const after = await openDatabase(url, { ...room, migrations: inboxMigrations });
  expect(await everything(after)).toEqual(kept);
  expect(await after.query('SELECT number, key FROM inbox_event ORDER BY number')).toEqual([
    { number: 1, key: 'in_0' },
    { number: 2, key: 'in_1' },
    { number: 3, key: 'in_2' },
  ]);
  expect(await after.query('PRAGMA foreign_key_check')).toEqual([]);
  await expect(after.query("DELETE FROM inbox_event WHERE key = 'in_0'")).rejects.toThrow('constraint');
  await after.close();

  const inbox = await openInbox({ url, clock: systemClock });
  expect(await inbox.find('evt_2')).toMatchObject([{ key: 'in_0', duplicates: 2, state: 'WAITING' }]);
  expect(await inbox.attempts('in_0')).toMatchObject([{ number: 1, answer: 'no', elsewhere: true }]);
  expect(await inbox.add(delivery('evt_1'))).toMatchObject({ key: 'in_1', duplicate: true });
  expect(await inbox.add(delivery('evt_3'))).toMatchObject({ duplicate: false });
  await inbox.close();
  await expect(openDatabase(url, { ...room, migrations: older })).rejects.toMatchObject({ kind: 'config' });
});

it.each([1, 4])(
  'an older inbox (its last migration: %i) stays as it is while a listener of an older version uses it',
  async (count) => {
    const url = join(mkdtempSync(join(tmpdir(), 'pixctl-older-')), 'inbox.sqlite');
    const room = { room: 'inbox', clock: systemClock };
    const older = inboxMigrations.slice(0, count);
    const listener = await openDatabase(url, { ...room, migrations: older });
    const seen = (ago: number) =>
      listener.query(
        "INSERT INTO inbox_owner (owner, seen_at) VALUES ('o', $1) ON CONFLICT (owner) DO UPDATE SET seen_at = excluded.seen_at",
        [systemClock.now() - ago],
      );
    await seen(15_000);
    await expect(openInbox({ url, clock: systemClock })).rejects.toMatchObject({
      kind: 'later',
      code: 'INBOX_IN_USE',
    });
    // It may be stopped, and started again instead.
    await (await openDatabase(url, { ...room, migrations: older })).close();
    await listener.query(
      "INSERT INTO inbox_event (key, source, event_id, copy, event, received_at, origin, headers, body, state) VALUES ('in_1', 's', 'evt_1', '', 'X', 1, 'delivery', '[]', $1, 'NONE') ON CONFLICT (event_id, source, copy) DO NOTHING",
      [new Uint8Array()],
    );
    await seen(21_000);
    await listener.close();
    const inbox = await openInbox({ url, clock: systemClock });
    expect(await inbox.find('evt_1')).toHaveLength(1);
    await inbox.close();
  },
);

it('a version that gives each application a body of its own never opens an inbox in which they share one', async () => {
  const url = join(mkdtempSync(join(tmpdir(), 'pixctl-older-')), 'inbox.sqlite');
  const room = { room: 'inbox', clock: systemClock };
  const older = inboxMigrations.filter(({ number }) => number < 6);
  const listener = await openDatabase(url, { ...room, migrations: older });
  await listener.query("INSERT INTO inbox_owner (owner, seen_at) VALUES ('o', $1)", [systemClock.now()]);
  await expect(openInbox({ url, clock: systemClock })).rejects.toMatchObject({ code: 'INBOX_IN_USE' });
  await listener.query('DELETE FROM inbox_owner');
  await listener.close();
  await (await openInbox({ url, clock: systemClock })).close();
  await expect(openDatabase(url, { ...room, migrations: older })).rejects.toMatchObject({
    code: 'DATABASE_NEWER',
  });
});

it('has this schema: a migration that changes what is released shows here', async () => {
  const url = join(mkdtempSync(join(tmpdir(), 'pixctl-schema-')), 'inbox.sqlite');
  const database = await openDatabase(url, {
    room: 'inbox',
    migrations: inboxMigrations,
    clock: systemClock,
  });
  const rows = await database.query<{ sql: string }>(
    "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name LIKE 'inbox%' ORDER BY type, name",
  );
  expect(rows.map(({ sql }) => sql.replace(/\s+/g, ' '))).toMatchSnapshot();
  await database.close();
});
