/** What is particular to the embedded driver. */
import { execFileSync } from 'node:child_process';
import fs, {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { platform, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { sqlitePathOf } from '../../src/database/address.ts';
import { openDatabase } from '../../src/database/open.ts';
import { ConstraintError, type Migration } from '../../src/database/port.ts';
import { remedyOf, translate } from '../../src/database/sqlite/errors.ts';
import { assertNotNetwork, assertNotShare, narrowFile, prepareFile } from '../../src/database/sqlite/file.ts';
import type { PixctlError } from '../../src/errors.ts';
import { modeOf, noLinks, noModes, noTakingOpen, skipped } from '../support/platform.ts';

const migrations: Migration[] = [
  { number: 1, name: 'things', sql: 'CREATE TABLE things (id TEXT PRIMARY KEY)' },
];
const fresh = () => join(mkdtempSync(join(tmpdir(), 'pixctl-sqlite-')), 'x.db');
/** Another folder's name for a file that need not be there yet. */
function linkTo(path: string): string {
  const link = fresh();
  symlinkSync(path, link);
  return link;
}
const open = (url: string) => openDatabase(url, { room: 'test', migrations, clock: systemClock });

describe('the SQLite driver', () => {
  it.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
  ])('keeps %s = %s on every connection', async (pragma, value) => {
    const path = fresh();
    await (await open(path)).close();
    const database = await open(path);
    const [row] = await database.query(`PRAGMA ${pragma}`);
    expect(Object.values(row ?? {})).toEqual([value]);
    await database.close();
  });

  it('takes sqlite: and file: addresses for the path they name, and refuses other schemes', async () => {
    const path = fresh();
    for (const url of [path, `sqlite:${path}`, `sqlite://${path}`, `file://${path}`])
      await (await open(url)).close();
    expect(statSync(path).size).toBeGreaterThan(0);
    await expect(open('mysql://host/db')).rejects.toMatchObject({ kind: 'config', code: 'DATABASE_URL' });
  });

  it.each([
    'pix:hunter2@db.internal:5432/pix',
    'hunter2@db.internal/pix',
    'db.internal:5432/pix',
    'db.internal:5432',
    '//pix:hunter2@db.internal/pix',
    'postgres//pix:hunter2@db.internal/pix',
    '"postgres://pix:hunter2@db.internal/pix"',
    "'postgres://db.internal/pix'",
    ' postgres://pix:hunter2@db.internal/pix',
    'jdbc:postgresql://db.internal/pix',
    '"/var/lib/pixctl/ledger.sqlite"',
    ' ',
    'C:\\pixctl\\ledger.sqlite ',
    'ledger.sqlite\r',
    'sqlite:///C:/pixctl/ledger.sqlite ',
    './ledger.sqlite ',
    '~/pixctl/ledger.sqlite',
    '~ana/ledger.sqlite',
    'sqlite:~/ledger.sqlite',
    '$HOME/ledger.sqlite',
    'file:$(pwd)/ledger.sqlite',
    '%LOCALAPPDATA%\\pixctl\\ledger.sqlite',
  ])(
    'takes no server for a file when its scheme is missing, it is in quotes, or no shell has read it: %s',
    async (url) => {
      await expect(open(url)).rejects.toMatchObject({
        kind: 'config',
        code: 'DATABASE_URL',
        message: expect.not.stringContaining('hunter2'),
      });
    },
  );

  it.each([':memory:', 'sqlite::memory:', 'sqlite://:memory:', 'file::memory:'])(
    'refuses what would be gone with the process, and leaves no file of its name: %s',
    async (url) => {
      await expect(open(url)).rejects.toMatchObject({
        kind: 'config',
        code: 'DATABASE_URL',
        message: expect.stringContaining('disappears with the process'),
      });
      expect(readdirSync('.')).not.toContain(':memory:');
    },
  );

  it('takes for a path what says that it is one', async () => {
    const folder = join(dirname(fresh()), 'me@home:5432');
    for (const url of [folder, `sqlite:${relative('.', folder)}`, `./${relative('.', folder)}`])
      await (await open(`${url}/x.sqlite`)).close();
    expect(readdirSync(folder)).toEqual(['x.sqlite']);
    expect(sqlitePathOf('sqlite:me@home:5432')).toBe('me@home:5432');
  });

  it.skipIf(noModes !== null).each(['644', '640', '604'])(
    skipped('narrows a file that others could read (mode %s)', noModes),
    async (mode) => {
      const path = fresh();
      await (await open(path)).close();
      chmodSync(path, Number.parseInt(mode, 8));
      const database = await open(path);
      await database.query("INSERT INTO things (id) VALUES ('a')");
      for (const file of [path, `${path}-wal`]) expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
      await database.close();
    },
  );

  it.skipIf(platform() === 'win32').each<[string, (path: string) => void]>([
    ['a directory', (path) => mkdirSync(path)],
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ])('refuses %s (74), and leaves it with the mode and the neighbours it had', async (_what, make) => {
    const path = fresh();
    make(path);
    chmodSync(path, 0o755);
    const opened = open(path);
    await expect(opened).rejects.toMatchObject({
      kind: 'storage',
      message: expect.stringMatching(/not a file/),
    });
    expect((statSync(path).mode & 0o777).toString(8)).toBe('755');
    expect(readdirSync(dirname(path))).toEqual(['x.db']);
  });

  it('refuses a file that is no database (74), and leaves it readable to whoever could read it', async () => {
    const path = fresh();
    writeFileSync(path, 'root:x:0:0:root:/root:/bin/sh\n');
    chmodSync(path, 0o644);
    const opened = open(path);
    await expect(opened).rejects.toMatchObject({
      kind: 'storage',
      message: expect.stringMatching(/not a database/),
    });
    expect(modeOf(path, '644')).toBe('644');
  });

  it('says 74 when the disk is full, keeps what was there, and goes on once there is room', async () => {
    const database = await open(fresh());
    await database.query("INSERT INTO things (id) VALUES ('kept')");
    const [row] = await database.query<{ page_count: number }>('PRAGMA page_count');
    await database.query(`PRAGMA max_page_count = ${row?.page_count}`);
    const large = () => database.query('INSERT INTO things (id) VALUES ($1)', ['x'.repeat(100_000)]);
    await expect(large()).rejects.toMatchObject({
      kind: 'storage',
      message: expect.stringContaining('is full'),
    });
    await expect(
      database.transaction(async (tx) => {
        await tx.query("INSERT INTO things (id) VALUES ('lost')");
        await tx.query('INSERT INTO things (id) VALUES ($1)', ['y'.repeat(100_000)]);
      }),
    ).rejects.toMatchObject({ kind: 'storage' });
    expect(await database.query('SELECT id FROM things')).toEqual([{ id: 'kept' }]);
    await database.query('PRAGMA max_page_count = 100000');
    await large();
    await database.close();
  });

  it('says 74 for a file that may only be read', async () => {
    const database = await open(fresh());
    await database.query('PRAGMA query_only = 1');
    await expect(database.query("INSERT INTO things (id) VALUES ('a')")).rejects.toMatchObject({
      kind: 'storage',
      message: expect.stringContaining('read-only'),
    });
    await database.close();
  });

  it.skipIf(noModes !== null)(
    skipped(
      'writes again once a file that could only be read may be written, whatever was made beside it',
      noModes,
    ),
    async () => {
      const path = fresh();
      const first = await open(path);
      await first.query("INSERT INTO things (id) VALUES ('a')");
      const beside = [`${path}-wal`, `${path}-shm`];
      for (const file of beside) chmodSync(file, 0o400);
      const database = await open(path);
      await database.query("INSERT INTO things (id) VALUES ('b')");
      for (const file of beside) expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
      await database.close();
      await first.close();
    },
  );

  const harms: [string, (path: string) => void][] = [
    ['deleted', (path) => rmSync(path)],
    ['moved', (path) => renameSync(path, `${path}.old`)],
    ['emptied', (path) => truncateSync(path)],
    [
      'replaced',
      (path) => {
        writeFileSync(`${path}.new`, 'another file');
        renameSync(`${path}.new`, path);
      },
    ],
    ['without its log', (path) => rmSync(`${path}-wal`)],
    ['parted from its log', (path) => renameSync(`${path}-wal`, `${path}-old`)],
    [
      'given another log',
      (path) => {
        writeFileSync(`${path}-new`, '');
        renameSync(`${path}-new`, `${path}-wal`);
      },
    ],
    [
      'moved with its folder',
      (path) => {
        renameSync(dirname(path), `${dirname(path)}-old`);
      },
    ],
  ];
  const byName = harms.map(([what, harm]) => [what, harm, (path: string) => path] as const);
  const byLink = harms.map(([what, harm]) => [`${what}, and opened by a link`, harm, linkTo] as const);
  const isLost = skipped('does not call kept what goes into a file that was %s', noTakingOpen);
  it.skipIf(noTakingOpen !== null).each([...byName, ...byLink])(isLost, async (_, harm, name) => {
    const path = fresh();
    const database = await open(name(path));
    const add = (id: string) =>
      database.transaction((tx) => tx.query('INSERT INTO things (id) VALUES ($1)', [id]));
    await add('before');
    harm(path);
    await expect(add('after')).rejects.toMatchObject({
      kind: 'storage',
      code: 'DATABASE_GONE',
      hint: expect.stringContaining(
        'never begin a new ledger while the outcome of a withdrawal may be unknown',
      ),
    });
    const addNow = () =>
      database.transactionSync?.((tx) => tx.query("INSERT INTO things (id) VALUES ('at once')"));
    expect(addNow).toThrow('while it was in use');
    await database.close();
  });

  it.skipIf(noLinks !== null)(
    skipped('says of a file that cannot be looked for that storage failed', noLinks),
    async () => {
      const path = fresh();
      const database = await open(path);
      const add = () => database.transaction((tx) => tx.query("INSERT INTO things (id) VALUES ('a')"));
      renameSync(path, `${path}-away`);
      // To itself, which ends in an error (ELOOP) as on a disk that fails.
      symlinkSync(path, path);
      await expect(add()).rejects.toMatchObject({
        kind: 'storage',
        message: `the database ${path} could not be looked for: ELOOP`,
      });
      await database.close();
      symlinkSync(`${path}-away-wal`, `${path}-away-wal`);
      expect(() => narrowFile(`${path}-away`)).toThrow(
        `the database ${realpathSync(`${path}-away`)}-wal could not be opened: ELOOP`,
      );
    },
  );

  it.runIf(platform() === 'linux')('leaves none of its files open', async () => {
    const path = fresh();
    const database = await open(path);
    await database.transaction((tx) => tx.query("INSERT INTO things (id) VALUES ('a')"));
    database.transactionSync?.((tx) => tx.query("INSERT INTO things (id) VALUES ('at once')"));
    const openFiles = () =>
      readdirSync('/proc/self/fd').filter((name) => {
        try {
          return readlinkSync(`/proc/self/fd/${name}`).includes(path);
        } catch {
          return false;
        }
      });
    expect(openFiles()).not.toEqual([]);
    await database.close();
    expect(openFiles()).toEqual([]);
  });

  it('keeps a transaction that writes nothing, and one after its log was emptied', async () => {
    const path = fresh();
    await (await open(path)).close();
    const database = await open(path);
    await expect(database.transaction(async () => 'done')).resolves.toBe('done');
    await database.query('PRAGMA wal_checkpoint(TRUNCATE)');
    await expect(database.transaction(async () => 'done')).resolves.toBe('done');
    await database.close();
  });

  it('writes synchronously, whole or not at all, and is as durable as before afterwards', async () => {
    const database = await open(fresh());
    const insert = (...ids: string[]) =>
      database.transactionSync?.((tx) => {
        for (const id of ids) tx.query('INSERT INTO things (id) VALUES ($1)', [id]);
        return ids.length;
      });
    expect(insert('a')).toBe(1);
    // Not OFF, with which the copying of the log into the file would not wait for the disk either.
    expect(database.transactionSync?.((tx) => tx.query('PRAGMA synchronous'))).toEqual([{ synchronous: 1 }]);
    expect(() => insert('b', 'a')).toThrow(ConstraintError);
    expect(await database.query('SELECT id FROM things')).toEqual([{ id: 'a' }]);
    expect(await database.query('PRAGMA synchronous')).toEqual([{ synchronous: 2 }]);
    await database.transaction(async () => expect(() => insert('c')).toThrow());
    expect(await database.query('SELECT id FROM things')).toEqual([{ id: 'a' }]);
    await database.close();
  });

  it.skipIf(noLinks !== null)(
    skipped('puts what was written without giving way on the disk while its caller goes on', noLinks),
    async () => {
      const path = fresh();
      // As SQLite does, it keeps its log beside what a link leads to.
      symlinkSync(path, `${path}-link`);
      const database = await open(`${path}-link`);
      const other = new DatabaseSync(path);
      const flushed: unknown[] = [];
      const ends: (() => void)[] = [];
      const { fdatasync } = fs;
      fs.fdatasync = ((file: number, done: (cause: Error) => void) => {
        const [row] = other.prepare('SELECT COUNT(*) AS kept FROM things').all();
        flushed.push([fs.fstatSync(file).ino, row?.kept]);
        ends.push(() => done(new Error('EIO')));
      }) as typeof fdatasync;
      syncBuiltinESMExports();
      try {
        const add = (id: string) =>
          database.transactionSync?.((tx) => tx.query('INSERT INTO things (id) VALUES ($1)', [id]));
        const log = () => statSync(`${path}-wal`).ino;
        add('a');
        expect(flushed).toEqual([[log(), 1]]);
        add('b');
        expect(flushed).toEqual([
          [log(), 1],
          [log(), 2],
        ]);
        let closed = false;
        const closing = database.close().then(() => {
          closed = true;
        });
        for (const end of ends.reverse()) {
          await new Promise((resolve) => setImmediate(resolve));
          expect(closed).toBe(false);
          end();
        }
        await closing;
      } finally {
        fs.fdatasync = fdatasync;
        syncBuiltinESMExports();
        other.close();
      }
    },
  );

  it.skipIf(noLinks !== null)(
    skipped('flushes many commits together also in a file that was opened by a link', noLinks),
    async () => {
      const path = fresh();
      const shared = { room: 'test', migrations, clock: systemClock, flush: 'shared' } as const;
      const database = await openDatabase(linkTo(path), shared);
      const { durable } = await database.write((tx) => tx.query("INSERT INTO things (id) VALUES ('a')"));
      await durable();
      await database.close();
      const byName = await open(path);
      expect(await byName.query('SELECT id FROM things')).toEqual([{ id: 'a' }]);
      await byName.close();
    },
  );

  it('waits for another connection that writes', async () => {
    const path = fresh();
    const [one, other] = [await open(path), await open(path)];
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const first = one.transaction(async (tx) => {
      await tx.query("INSERT INTO things (id) VALUES ('a')");
      await held;
    });
    const second = other.query("INSERT INTO things (id) VALUES ('b')");
    finish();
    await Promise.all([first, second]);
    expect(await one.query('SELECT id FROM things ORDER BY id')).toEqual([{ id: 'a' }, { id: 'b' }]);
    await one.close();
    await other.close();
  });

  it('gives up (74) on another connection that never stops writing, and goes on once it does', async () => {
    const path = fresh();
    await (await open(path)).close();
    let time = 0;
    const sleep = async () => {
      time += 5_000;
    };
    const clock = { ...systemClock, monotonic: () => time, sleep };
    const database = await openDatabase(path, { room: 'test', migrations, clock });
    const holder = new DatabaseSync(path);
    holder.exec('BEGIN IMMEDIATE');
    const add = () => database.query("INSERT INTO things (id) VALUES ('a') RETURNING id");
    await expect(add()).rejects.toMatchObject({
      exit: 74,
      message: `the database ${path} is busy: another process holds it`,
      hint: 'Run again in a moment.',
    });
    expect(time).toBe(20_000);
    holder.exec('ROLLBACK');
    holder.close();
    expect(await add()).toEqual([{ id: 'a' }]);
    await database.close();
  });

  it.each([
    [0x6969, '', 'NFS'],
    [0xff534d42, '', 'CIFS'],
    [-0xacb2be, '', 'CIFS'],
    [0xfe534d42, '', 'SMB2'],
    // As statfs(2) lists them.
    [0x517b, '', 'SMB'],
    [0x5346414f, '', 'AFS'],
    [0x6b414653, '', 'AFS'],
    [0x00c36400, '', 'Ceph'],
    [0x0bd00bd0, '', 'Lustre'],
    [0x01161970, '', 'GFS2'],
    [0x7461636f, '', 'OCFS2'],
    [0x73757245, '', 'Coda'],
    [0x564c, '', 'NCP'],
    [0x47504653, '', 'GPFS'],
    [0x19830326, '', 'BeeGFS'],
    [0x20030528, '', 'OrangeFS'],
    [0xaad7aaea, '', 'PanFS'],
    [0xbeefdead, '', 'StorNext'],
    [0x786f4256, '', 'vboxsf'],
    [0xbacbacbc, '', 'vmhgfs'],
    [0x7c7c6673, '', 'prl_fs'],
    [0x65735546, '.host:/ /mnt fuse.vmhgfs-fuse rw 0 0', 'fuse.vmhgfs-fuse'],
    [0x65735546, 'h:/ /mnt fuse.sshfs rw 0 0\n/dev/a / ext4 rw 0 0', 'fuse.sshfs'],
    [0xef53, '', null],
    [0x65735546, 'h:/ /other fuse.sshfs rw 0 0\nx /mnt fuse.gocryptfs rw 0 0', null],
  ])('with a file system of type %i (%s): %s', (type, mounts, expected) => {
    const judge = () => assertNotNetwork('/mnt/state', type, () => mounts);
    const message = expect.stringContaining(`network file system (${expected})`);
    if (expected === null) expect(judge).not.toThrow();
    else expect(judge).toThrow(expect.objectContaining({ exit: 78, code: 'NETWORK_FILE_SYSTEM', message }));
  });

  it.each([
    ['\\\\server\\share\\state', '\\\\server\\share\\state', '\\\\server\\share'],
    ['//server/share/state', '//server/share/state', '\\\\server\\share'],
    ['\\\\?\\UNC\\server\\share\\state', 'D:\\state', '\\\\server\\share'],
    ['\\\\wsl.localhost\\Debian\\home', 'X:\\home', '\\\\wsl.localhost\\Debian'],
    ['Z:\\state', '\\\\server\\share\\state', '\\\\server\\share'],
    ['Z:\\', '\\\\server\\share', '\\\\server\\share'],
    ['C:\\state', 'C:\\state', null],
    ['\\\\?\\C:\\state', 'C:\\state', null],
    ['\\\\.\\C:\\state', '\\\\?\\C:\\state', null],
    ['R:\\state', null, null],
  ])('on Windows in %s, which is really %s: %s', (directory, real, expected) => {
    const judge = () =>
      assertNotShare(directory, () => {
        if (real === null) throw new Error('ENOENT');
        return real;
      });
    if (expected === null) expect(judge).not.toThrow();
    else expect(judge).toThrow(`network file system (${expected})`);
  });

  it.skipIf(noLinks !== null)(
    skipped('is not where its directory is when a link leads to a network file system', noLinks),
    () => {
      const [here, there] = [dirname(fresh()), dirname(fresh())];
      symlinkSync(join(there, 'ledger.sqlite'), join(here, 'ledger.sqlite'));
      const judged: string[] = [];
      prepareFile(join(here, 'ledger.sqlite'), (directory) => judged.push(directory));
      expect(judged).toEqual([here, there]);
    },
  );

  it.each([
    [8, 'read-only'],
    [10, 'could not be read or written'],
    [11, 'is damaged'],
    [13, 'is full'],
    [14, 'could not be opened'],
    [5, 'is busy'],
    [266, 'could not be read or written'],
  ])('puts result code %i into words', (errcode, words) => {
    expect(translate({ errcode, message: 'x' }, '/x.db', remedyOf('ledger'))).toMatchObject({
      kind: 'storage',
      message: expect.stringContaining(words),
    });
  });

  it('names both reasons for which SQLite may fail to open a file, because SQLite gives neither', () => {
    const { hint } = translate({ errcode: 14, message: 'x' }, '/x.db', remedyOf('ledger')) as PixctlError;
    expect(hint).toBe(
      'Check that the directory exists and is writable, and that this process may open more files (ulimit -n).',
    );
  });

  it('passes on the words of an unknown code, and any error that is not from SQLite unchanged', () => {
    const odd = Object.assign(new Error('bad parameter or other API misuse'), { errcode: 21 });
    expect(translate(odd, '/x.db', remedyOf('ledger'))).toMatchObject({
      kind: 'storage',
      message: 'the database /x.db failed: bad parameter or other API misuse',
      cause: odd,
    });
    for (const other of [new TypeError('a bug'), Object.assign(new Error('gone'), { code: 'ENOENT' }), null])
      expect(translate(other, '/x.db', remedyOf('ledger'))).toBe(other);
  });

  it.each([
    [11, 'ledger', 'never delete a ledger while the outcome of a withdrawal may be unknown'],
    [26, 'ledger', 'never delete a ledger while the outcome of a withdrawal may be unknown'],
    [779, 'ledger', 'REINDEX. If that fails, restore it from a backup; never delete a ledger'],
    [779, 'inbox', 'REINDEX. If that fails, restore it from a backup, or move it away'],
    [11, 'inbox', 'counts as new if it is delivered again'],
    [26, 'inbox', 'counts as new if it is delivered again'],
  ])('says what to do with a damaged file (result code %i) of the %s', (errcode, room, told) => {
    const { hint } = translate({ errcode, message: 'x' }, '/x.db', remedyOf(room)) as PixctlError;
    expect(hint).toContain(told);
    expect(/ledger|withdrawal/.test(hint ?? '')).toBe(room === 'ledger');
  });

  it.skipIf(noTakingOpen !== null)(
    skipped('says of an inbox that is gone what is lost with it, and nothing of a ledger', noTakingOpen),
    async () => {
      const path = fresh();
      const database = await openDatabase(path, {
        room: 'inbox',
        migrations,
        clock: systemClock,
        flush: 'shared',
      });
      const add = (id: string) =>
        database.transaction((tx) => tx.query('INSERT INTO things (id) VALUES ($1)', [id]));
      await add('before');
      rmSync(path);
      const { code, kind, hint } = (await add('after').catch((error: unknown) => error)) as PixctlError;
      expect([code, kind]).toEqual(['DATABASE_GONE', 'storage']);
      expect(hint).toContain('Otherwise start again without it: a new inbox is created');
      expect(hint).not.toMatch(/ledger|withdrawal/);
      await database.close();
    },
  );
});
