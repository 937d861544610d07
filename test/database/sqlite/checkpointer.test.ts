import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { openDatabase } from '../../../src/database/open.ts';

const migrations = [
  { number: 1, name: 'things', sql: 'CREATE TABLE things (id INTEGER PRIMARY KEY, text TEXT)' },
];

it('copies the log into the database while it is written to, and loses nothing', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'pixctl-checkpoint-')), 'x.db');
  const open = () => openDatabase(path, { room: 'test', migrations, clock: systemClock, flush: 'shared' });
  const database = await open();
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
  const again = await open();
  expect(await again.query('SELECT COUNT(*) AS n, MAX(text) AS text FROM things')).toEqual([
    { n: written + 1, text: 'x'.repeat(200) },
  ]);
  await again.close();
});
