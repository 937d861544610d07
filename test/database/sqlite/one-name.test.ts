import { linkSync, mkdtempSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { assertSingleName } from '../../../src/database/sqlite/one-name.ts';
import { noLinks, skipped } from '../../support/platform.ts';

const migrations = [{ number: 1, name: 'things', sql: 'CREATE TABLE things (id TEXT PRIMARY KEY)' }];
const fresh = () => join(mkdtempSync(join(tmpdir(), 'pixctl-name-')), 'x.db');
const open = (url: string) => openDatabase(url, { room: 'ledger', migrations, clock: systemClock });

describe('a database with two names', () => {
  it('is opened by neither: what was committed by the one is not seen by the other', async () => {
    const [path, other] = [fresh(), fresh()];
    await (await open(path)).close();
    linkSync(path, other);
    for (const name of [path, other])
      await expect(open(name)).rejects.toMatchObject({
        kind: 'config',
        code: 'DATABASE_LINKED',
        message: expect.stringContaining('has 2 names (hard links)'),
      });
    unlinkSync(other);
    await (await open(path)).close();
  });

  it.skipIf(noLinks !== null)(
    skipped('is opened by a symbolic link: SQLite keeps one log for both', noLinks),
    async () => {
      const [path, other] = [fresh(), fresh()];
      const database = await open(path);
      symlinkSync(path, other);
      await database.transaction((tx) => tx.query("INSERT INTO things (id) VALUES ('a')"));
      const same = await open(other);
      expect(await same.query('SELECT id FROM things')).toEqual([{ id: 'a' }]);
      await same.close();
      await database.close();
    },
  );

  it.each([
    ['/state/ledger.sqlite', 'x /state/ledger.sqlite ext4 rw 0 0', true],
    ['/my state/ledger.sqlite', 'x /my\\040state/ledger.sqlite ext4 rw 0 0', true],
    ['/state/ledger.sqlite', 'o / overlay rw 0 0\nx /state ext4 rw 0 0', false],
    ['/state/ledger.sqlite', 'x /state/ledger.sqlite-wal ext4 rw 0 0', false],
    ['/state/ledger.sqlite', '', false],
  ])('%s is refused where it is mounted by itself: %j', (path, mounts, refused) => {
    const judge = () => assertSingleName(path, { nlink: 1 }, () => mounts);
    if (refused) expect(judge).toThrow('is mounted as a single file');
    else expect(judge).not.toThrow();
  });
});
