import { closeSync, mkdtempSync, openSync, readSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { openDatabase } from '../../../src/database/open.ts';

const migrations = [
  { number: 1, name: 'things', sql: 'CREATE TABLE things (id INTEGER PRIMARY KEY, text TEXT)' },
];

const databaseAt = (path: string) =>
  openDatabase(path, { room: 'test', migrations, clock: systemClock, flush: 'shared' });

/** How often the log began again at its start (SQLite's "WAL Header", the checkpoint sequence number). */
function beginningsOf(log: string): number {
  const header = Buffer.alloc(32);
  const file = openSync(log, 'r');
  readSync(file, header);
  closeSync(file);
  return header.readUInt32BE(12);
}

it('copies the log into the database while it is written to, and loses nothing', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'pixctl-checkpoint-')), 'x.db');
  const database = await databaseAt(path);
  const before = statSync(path).size;
  let written = 0;
  // Far fewer pages than make the writer copy by itself.
  while (statSync(path).size === before) {
    await database.write((tx) => tx.execute('INSERT INTO things (text) VALUES ($1)', ['x'.repeat(200)]));
    written += 1;
    if (written % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await database.transaction((tx) => tx.execute("INSERT INTO things (text) VALUES ('last')"));
  await database.close();
  await database.close();
  expect(statSync(`${path}-wal`, { throwIfNoEntry: false })).toBeUndefined();
  const again = await databaseAt(path);
  expect(await again.query('SELECT COUNT(*) AS n, MAX(text) AS text FROM things')).toEqual([
    { n: written + 1, text: 'x'.repeat(200) },
  ]);
  await again.close();
});

it('lets the log begin again at its start though writing never pauses', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'pixctl-checkpoint-')), 'x.db');
  const database = await databaseAt(path);
  // The writer does not copy by itself.
  await database.query('PRAGMA wal_autocheckpoint = 0');
  const before = beginningsOf(`${path}-wal`);
  let written = 0;
  while (beginningsOf(`${path}-wal`) < before + 3) {
    await database.write((tx) => tx.execute("INSERT INTO things (text) VALUES ('x')"));
    written += 1;
    if (written % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await database.close();
  const again = await databaseAt(path);
  expect(await again.query('SELECT COUNT(*) AS n FROM things')).toEqual([{ n: written }]);
  await again.close();
});

it('copies at once where the disk was full, so that a log that fills it begins again', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'pixctl-checkpoint-')), 'x.db');
  const database = await databaseAt(path);
  const writeOne = () => database.write((tx) => tx.execute("INSERT INTO things (text) VALUES ('x')"));
  await writeOne();
  const before = beginningsOf(`${path}-wal`);
  const full = async () => {
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
  };
  await expect(database.write(full)).rejects.toThrow('full');
  // Far fewer commits than it is copied after otherwise.
  const afterOneMore = async () => {
    await writeOne();
    return beginningsOf(`${path}-wal`);
  };
  await expect.poll(afterOneMore, { timeout: 10_000 }).toBeGreaterThan(before);
  await database.close();
});
