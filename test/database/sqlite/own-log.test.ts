/** A log that a killed process left, beside the file that it continues and beside another one. */
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { openDatabase } from '../../../src/database/open.ts';
import type { Database } from '../../../src/database/port.ts';
import { assertLogMatchesFile } from '../../../src/database/sqlite/own-log.ts';

const migrations = [{ number: 1, name: 'things', sql: 'CREATE TABLE things (id TEXT PRIMARY KEY)' }];
const open = (url: string) => openDatabase(url, { room: 'ledger', migrations, clock: systemClock });

const fresh = () => join(mkdtempSync(join(tmpdir(), 'pixctl-own-log-')), 'ledger.sqlite');
/** What a kill leaves: a copy of the files while they are in use. Of the `-shm` nothing counts then. */
function leave(path: string): string {
  const copy = fresh();
  for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
  return copy;
}

const add = (database: Database, ...ids: string[]) =>
  database.transaction(async (tx) => {
    for (const id of ids) await tx.execute('INSERT INTO things (id) VALUES ($1)', [id]);
  });

/** `count` ids, long enough for a page of their own each. */
const pages = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name}-${at}-${'x'.repeat(3_000)}`);

const idsIn = async (path: string) => {
  const database = await open(path);
  const rows = await database.query<{ id: string }>('SELECT id FROM things ORDER BY id');
  await database.close();
  return rows.map(({ id }) => id.slice(0, 3));
};

/** A file at rest with one id, `a`; the same later with two more commits; and what a kill leaves after one further. */
async function killed() {
  const path = fresh();
  const first = await open(path);
  await add(first, 'a');
  await first.close();
  const backup = leave(path);
  for (const id of ['b', 'c']) {
    const next = await open(path);
    await add(next, id);
    await next.close();
  }
  const rested = leave(path);
  const last = await open(path);
  await add(last, 'd');
  const left = leave(path);
  await last.close();
  return { backup, rested, left, later: path };
}

describe('a log left by a kill', () => {
  it('is taken into the file that it continues', async () => {
    const { left, rested } = await killed();
    expect(await idsIn(left)).toEqual(['a', 'b', 'c', 'd']);
    const { left: again } = await killed();
    // The same state of that file, as a backup of it is.
    copyFileSync(rested, again);
    expect(await idsIn(again)).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([
    ['an earlier state of it', 'backup'],
    ['a later state of it', 'later'],
  ] as const)('is not taken into %s that was put in its place, and neither is changed', async (_, which) => {
    const { left, ...states } = await killed();
    if (which === 'later') {
      const later = await open(states.later);
      await add(later, 'e');
      await later.close();
    }
    copyFileSync(states[which], left);
    const before = ['', '-wal'].map((end) => readFileSync(left + end));
    await expect(open(left)).rejects.toMatchObject({ kind: 'config', code: 'DATABASE_MIXED' });
    expect(['', '-wal'].map((end) => readFileSync(left + end))).toEqual(before);
    for (const end of ['-wal', '-shm']) rmSync(left + end, { force: true });
    expect(await idsIn(left)).toEqual(which === 'backup' ? ['a'] : ['a', 'b', 'c', 'd', 'e']);
  });

  it('continues its file even if part of it, or what came before it, is already in there', async () => {
    const path = fresh();
    const database = await open(path);
    await add(database, ...pages('a', 20));
    await database.execute('PRAGMA wal_checkpoint(PASSIVE)');
    for (const name of ['b', 'c']) {
      // The log begins anew, over what it held before.
      await add(database, name);
      const left = leave(path);
      await assertLogMatchesFile(left, DatabaseSync, systemClock);
      await database.execute('PRAGMA wal_checkpoint(PASSIVE)');
      await assertLogMatchesFile(leave(path), DatabaseSync, systemClock);
    }
    await database.close();
  });

  it('is recognised by a mark of departure too', async () => {
    const { backup } = await killed();
    const path = leave(backup);
    for (const id of ['b', 'c']) {
      const database = await open(path);
      database.transactionSync?.((tx) => tx.query('INSERT INTO things (id) VALUES ($1)', [id]));
      if (id === 'c') {
        const left = leave(path);
        copyFileSync(backup, left);
        await expect(open(left)).rejects.toMatchObject({ code: 'DATABASE_MIXED' });
      }
      await database.close();
    }
  });

  it('of a version that numbered nothing is not judged', async () => {
    const path = fresh();
    await (await open(path)).close();
    const older = new DatabaseSync(path);
    older.exec("PRAGMA user_version = 0; INSERT INTO things (id) VALUES ('a')");
    const left = leave(path);
    older.exec("INSERT INTO things (id) VALUES ('b')");
    older.close();
    const begun = new DatabaseSync(path);
    begun.exec("INSERT INTO things (id) VALUES ('c')");
    copyFileSync(`${path}-wal`, `${left}-wal`);
    begun.close();
    await (await open(left)).close();
  });

  it('is not judged where another file was written into this one by means of SQLite itself', async () => {
    const { rested } = await killed();
    const shell = new DatabaseSync(rested);
    shell.exec("INSERT INTO things (id) VALUES ('s'); PRAGMA user_version = 2");
    const left = leave(rested);
    shell.exec('PRAGMA user_version = 1');
    const fallen = leave(rested);
    shell.close();
    await expect(open(left)).rejects.toMatchObject({ code: 'DATABASE_MIXED' });
    expect(await idsIn(fallen)).toEqual(['a', 'b', 'c', 's']);
  });

  it('is left alone while it is being written', async () => {
    const { left, backup } = await killed();
    copyFileSync(backup, left);
    const log = readFileSync(`${left}-wal`);
    const slow = {
      async sleep() {
        // Somebody commits meanwhile: another reading tells nothing.
        const copy = fresh();
        cpSync(left, copy);
        const database = await open(copy);
        await add(database, 'z');
        for (const end of ['', '-wal']) copyFileSync(copy + end, left + end);
        await database.close();
      },
    };
    await assertLogMatchesFile(left, DatabaseSync, slow);
    expect(readFileSync(`${left}-wal`)).not.toEqual(log);
  });
});
