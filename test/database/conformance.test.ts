import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import { ConstraintError, type Database, type Migration } from '../../src/database/port.ts';
import { freshDatabases } from '../support/databases.ts';
import { skipped } from '../support/platform.ts';

const migrations: Migration[] = [
  {
    number: 1,
    name: 'things',
    sql: `CREATE TABLE things (id TEXT PRIMARY KEY, cents BIGINT NOT NULL, raw {{blob}}, owner TEXT);
          CREATE UNIQUE INDEX one_owner ON things (owner) WHERE cents > 10;`,
  },
  { number: 2, name: 'children', sql: 'CREATE TABLE children (id TEXT PRIMARY KEY REFERENCES things (id))' },
];

const drivers = freshDatabases();

for (const { name, skip, fresh } of drivers) {
  describe.skipIf(skip !== null)(skipped(name, skip), () => {
    const open = (url: string, some = migrations): Promise<Database> =>
      openDatabase(url, { room: 'test', migrations: some, clock: systemClock });
    const opened = async () => open(await fresh());

    it('gives back what was written: text, big integers, bytes and null', async () => {
      const database = await opened();
      const raw = new Uint8Array([0, 255, 10]);
      await database.query('INSERT INTO things (id, cents, raw, owner) VALUES ($1, $2, $3, $4)', [
        "it's",
        1_790_000_000_000,
        raw,
        null,
      ]);
      const [row] = await database.query<{ id: string; cents: number; raw: Uint8Array; owner: null }>(
        'SELECT id, cents, raw, owner FROM things',
      );
      expect(row).toMatchObject({ id: "it's", cents: 1_790_000_000_000, owner: null });
      expect([...(row?.raw ?? [])]).toEqual([0, 255, 10]);
      await database.close();
    });

    it('tells how many rows a statement changed', async () => {
      const database = await opened();
      const insert = 'INSERT INTO things (id, cents) VALUES ($1, 1) ON CONFLICT (id) DO NOTHING';
      expect(await database.execute(insert, ['a'])).toBe(1);
      expect(await database.execute(insert, ['a'])).toBe(0);
      expect(await database.transaction((tx) => tx.execute(insert, ['b']))).toBe(1);
      expect(await database.execute('UPDATE things SET cents = 2')).toBe(2);
      await expect(database.execute("INSERT INTO things (id, cents) VALUES ('a', 1)")).rejects.toBeInstanceOf(
        ConstraintError,
      );
      await database.close();
    });

    it('runs a statement for each row in order, and none after the first that fails', async () => {
      const database = await opened();
      const insert = 'INSERT INTO things (id, cents, owner) VALUES ($1, 11, $2) ON CONFLICT (id) DO NOTHING';
      const each = (rows: [string, string][]) => database.transaction((tx) => tx.executeEach(insert, rows));
      const rows: [string, string][] = [
        ['a', 'x'],
        ['b', 'y'],
        ['a', 'z'],
      ];
      expect(await each(rows)).toEqual([1, 1, 0]);
      expect(await each([])).toEqual([]);
      const refused: [string, string][] = [
        ['c', 'u'],
        ['d', 'x'],
        ['e', 'v'],
      ];
      await expect(each(refused)).rejects.toBeInstanceOf(ConstraintError);
      expect(await database.query('SELECT id FROM things ORDER BY id')).toEqual([{ id: 'a' }, { id: 'b' }]);
      await database.close();
    });

    for (const flush of ['commit', 'shared'] as const) {
      it(`shows a write to others at once, and says when it is durable (flush: ${flush})`, async () => {
        const url = await fresh();
        const options = { room: 'test', migrations, clock: systemClock };
        const database = await openDatabase(url, { ...options, flush });
        const other = await openDatabase(url, options);
        const { value, durable } = await database.write((tx) =>
          tx.query<{ id: string }>("INSERT INTO things (id, cents) VALUES ('a', 1) RETURNING id"),
        );
        expect(value.map(({ id }) => id)).toEqual(['a']);
        expect(await other.query('SELECT id FROM things')).toHaveLength(1);
        await Promise.all([durable(), durable()]);
        await expect(
          database.write(async (tx) => {
            await tx.execute("INSERT INTO things (id, cents) VALUES ('b', 1)");
            throw new Error('rolled back');
          }),
        ).rejects.toThrow('rolled back');
        expect(await other.query('SELECT id FROM things')).toHaveLength(1);
        await other.close();
        await database.close();
      });
    }

    it('uses one parameter in several places', async () => {
      const database = await opened();
      await database.query('INSERT INTO things (id, cents, owner) VALUES ($1, $2, $1)', ['a', 1]);
      expect(await database.query('SELECT owner FROM things WHERE id = $1 OR owner = $1', ['a'])).toEqual([
        { owner: 'a' },
      ]);
      await database.close();
    });

    it('rolls a transaction back when its work rejects, and goes on', async () => {
      const database = await opened();
      const failed = database.transaction(async (tx) => {
        await tx.query("INSERT INTO things (id, cents) VALUES ('a', 1)");
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(await database.query('SELECT id FROM things')).toEqual([]);
      await database.close();
    });

    it('answers a refused row with a ConstraintError, whatever the constraint', async () => {
      const database = await opened();
      const insert = (id: string, cents: number | null, owner: string) =>
        database.query('INSERT INTO things (id, cents, owner) VALUES ($1, $2, $3)', [id, cents, owner]);
      await insert('a', 11, 'ana');
      await expect(insert('a', 1, 'bia')).rejects.toBeInstanceOf(ConstraintError);
      await expect(insert('b', 12, 'ana')).rejects.toBeInstanceOf(ConstraintError);
      await expect(insert('c', null, 'bia')).rejects.toBeInstanceOf(ConstraintError);
      await expect(database.query("INSERT INTO children (id) VALUES ('none')")).rejects.toBeInstanceOf(
        ConstraintError,
      );
      await insert('d', 9, 'ana');
      await database.close();
    });

    it('reports a constraint inside a transaction too, and leaves nothing of it', async () => {
      const database = await opened();
      const failed = database.transaction(async (tx) => {
        await tx.query("INSERT INTO things (id, cents) VALUES ('a', 1)");
        await tx.query("INSERT INTO things (id, cents) VALUES ('a', 2)");
      });
      await expect(failed).rejects.toBeInstanceOf(ConstraintError);
      expect(await database.query('SELECT id FROM things')).toEqual([]);
      await database.close();
    });

    it('keeps transactions of one process apart', async () => {
      const database = await opened();
      await database.query("INSERT INTO things (id, cents) VALUES ('sum', 0)");
      const add = () =>
        database.transaction(async (tx) => {
          const lock = database.dialect === 'postgres' ? ' FOR UPDATE' : '';
          const [row] = await tx.query<{ cents: number }>(`SELECT cents FROM things WHERE id = 'sum'${lock}`);
          await tx.query("UPDATE things SET cents = $1 WHERE id = 'sum'", [(row?.cents ?? 0) + 1]);
        });
      await Promise.all(Array.from({ length: 20 }, add));
      expect(await database.query('SELECT cents FROM things')).toEqual([{ cents: 20 }]);
      await database.close();
    });

    it('migrates once, however many start at once', async () => {
      const url = await fresh();
      const all = await Promise.all(Array.from({ length: 5 }, () => open(url)));
      const [first] = all;
      expect(await first?.query('SELECT number, name FROM pixctl_migrations ORDER BY number')).toEqual([
        { number: 1, name: 'things' },
        { number: 2, name: 'children' },
      ]);
      await Promise.all(all.map((database) => database.close()));
    });

    it('leaves nothing of a migration that fails half-way, and finishes it the next time', async () => {
      const url = await fresh();
      const broken = [...migrations, { number: 3, name: 'more', sql: 'CREATE TABLE more (id TEXT); BROKEN' }];
      await expect(open(url, broken)).rejects.toMatchObject({ kind: 'storage' });
      const whole = [...migrations, { number: 3, name: 'more', sql: 'CREATE TABLE more (id TEXT)' }];
      const database = await open(url, whole);
      expect(await database.query('SELECT id FROM more')).toEqual([]);
      await database.close();
    });

    it.each([
      ['a newer version has migrated', migrations.slice(0, 1), 'none after 1'],
      [
        'a version of another line has migrated',
        [...migrations.slice(0, 1), { number: 2, name: 'others', sql: '' }],
        'another of that number (others)',
      ],
    ])('refuses a database that %s, and says what each of them has', async (_, ours, has) => {
      const url = await fresh();
      await (await open(url)).close();
      await expect(open(url, ours)).rejects.toMatchObject({
        kind: 'config',
        code: 'DATABASE_NEWER',
        message: expect.stringContaining(
          ` was written by another version of pixctl: it has migration 2 (children), and this version has ${has}`,
        ),
      });
    });

    it.each([
      'SELECT size FROM things',
      "INSERT INTO things (id, cents, size) VALUES ('a', 1, 2)",
      'SELECT id FROM more',
    ])('says 78, and what to do, where a table is not as this version makes it: %s', async (statement) => {
      const database = await opened();
      await expect(database.query(statement)).rejects.toMatchObject({
        kind: 'config',
        code: 'DATABASE_TABLES',
        message: expect.stringMatching(
          /^the tables in the database .* are not those of this version .*(?:size|more)/,
        ),
        hint: expect.stringContaining('use the newest version that has worked with them'),
      });
      await database.close();
    });

    it('leaves all as it was where one of several migrations is refused, and applies them once it is not', async () => {
      const url = await fresh();
      const older = migrations.slice(0, 1);
      await (await open(url, older)).close();
      const wait = new Error('not now');
      const refusing = (assertApplicable: () => Promise<void>) => [
        ...migrations,
        { number: 3, name: 'more', sql: 'CREATE TABLE more (id TEXT)', assertApplicable },
      ];
      await expect(
        open(
          url,
          refusing(() => Promise.reject(wait)),
        ),
      ).rejects.toBe(wait);
      await (await open(url, older)).close();
      const database = await open(
        url,
        refusing(() => Promise.resolve()),
      );
      expect(await database.query('SELECT id FROM children UNION SELECT id FROM more')).toEqual([]);
      await database.close();
    });

    it('refuses to make a database that must exist', async () => {
      const options = { room: 'test', migrations, clock: systemClock, mustExist: true };
      await expect(openDatabase(await fresh(), options)).rejects.toMatchObject({
        kind: 'config',
        code: 'DATABASE_MISSING',
      });
    });
  });
}
