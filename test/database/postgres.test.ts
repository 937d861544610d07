/** What is particular to the shared driver, on a real server: durability, restarts, words without secrets. */
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Migration } from '../../src/database/port.ts';
import { isBroken, translate } from '../../src/database/postgres/errors.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts';

const migrations: Migration[] = [
  { number: 1, name: 'things', sql: 'CREATE TABLE things (id TEXT PRIMARY KEY)' },
];
const open = (url: string) => openDatabase(url, { room: 'test', migrations, clock: systemClock });

it('refuses an address that is no URL, or whose database cannot be decoded, without repeating it', async () => {
  for (const url of [
    'postgres://me:secret@host:port/db',
    'postgres://me:secret@host/100%',
    'postgres://me:secret@host/db?port=99999999',
    'postgres://me:secret@/db?host=/run/postgresql&port=x',
    'postgres:/me:secret@host/db',
    'postgres:me:secret@host/db',
    'postgres:///me:secret@host/db',
  ])
    await expect(open(url)).rejects.toMatchObject({
      kind: 'config',
      code: 'DATABASE_URL',
      message: 'the address of the PostgreSQL ledger is not a URL that can be read',
    });
});

it('refuses an address of several servers as such, and does not take a comma in a password for one', async () => {
  for (const url of [
    'postgres://me:secret@a,b/db?target_session_attrs=read-write',
    'postgres://me:secret@a:5432,b:5433/db',
    'postgres://a,b/db',
    'postgres://me:secret@/db?host=a,b',
    'postgres://me:secret@/db?port=1&host=a%2Cb',
    'postgres://me:secret@/db?host=a%2cb',
  ])
    await expect(open(url)).rejects.toMatchObject({
      kind: 'config',
      message: 'the address of the PostgreSQL ledger names several servers, and pixctl takes one',
    });
  await expect(open('postgres://me:sec,ret@127.0.0.1:1/db')).rejects.toMatchObject({ kind: 'storage' });
});

/**
 * What a server that wants a password says first (AuthenticationSASL, AuthenticationSASLContinue), a message each time.
 */
const wantsPassword = [
  Buffer.from('R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0'),
  Buffer.from('R\0\0\0\x19\0\0\0\x0br=x,s=eA==,i=4096'),
];

it('says 78 where a password is wanted and none given, and leaves no connection open that keeps the process', async () => {
  const server = createServer((socket) => {
    const answers = wantsPassword.values();
    socket.on('data', () => socket.write(answers.next().value ?? ''));
  });
  const port = await listenOnLoopback(server);
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const opening = open(`postgres://me@127.0.0.1:${port}/db`);
  const [socket] = await connected;
  const closed = once(socket, 'close');
  await expect(opening).rejects.toMatchObject({ kind: 'config', code: 'DATABASE_LOGIN' });
  await closed;
  server.close();
});

/** AuthenticationOk, ReadyForQuery, and FATAL 57P01: what a server says that is told to stop as somebody logs in. */
const welcomesAndStops = Buffer.concat([
  Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I'),
  Buffer.from('E\0\0\0\x24SFATAL\0VFATAL\0C57P01\0Mstopping\0\0'),
]);

it('says 74 of a server that ends the connection the moment it is made', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(welcomesAndStops));
  });
  const port = await listenOnLoopback(server);
  await expect(open(`postgres://me@127.0.0.1:${port}/db`)).rejects.toMatchObject({ kind: 'storage' });
  server.close();
});

it.each(['/nowhere/ca.pem', '/'])(
  'says 78 for %s, which is no file that the address can name',
  async (path) => {
    const url = `postgres://me@127.0.0.1/db?sslmode=verify-full&sslrootcert=${path}`;
    await expect(open(url)).rejects.toMatchObject({ kind: 'config', code: 'DATABASE_CERTIFICATE' });
  },
);

it.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'Name the file of the authority that signed its certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'Name the file of the authority that signed its certificate'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'Name the file of the authority that signed its certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Check the server and PIXCTL_LEDGER_URL'],
  ['CERT_HAS_EXPIRED', 'Check the server and PIXCTL_LEDGER_URL'],
])('of a certificate that Node refuses with %s it says: %s', (code, hint) => {
  expect(translate(Object.assign(new Error('refused'), { code }), 'the database')).toMatchObject({
    kind: 'storage',
    hint: expect.stringContaining(hint),
  });
});

it.each([
  [
    'no pg_hba.conf entry for host "10.0.0.1", user "me", database "db", no encryption',
    /sslmode=verify-full/,
  ],
  ['no pg_hba.conf entry for host "10.0.0.1", user "me", database "db", SSL off', /sslmode=verify-full/],
  ['no pg_hba.conf entry for host "10.0.0.1", user "me", database "db", SSL on', /user and password/],
])('of a login that is refused with "%s" it says what to do', (words, hint) => {
  expect(translate(Object.assign(new Error(words), { code: '28000' }), 'the database')).toMatchObject({
    kind: 'config',
    code: 'DATABASE_LOGIN',
    hint: expect.stringMatching(hint),
  });
});

it.each([
  ['3D000', 'config', 'DATABASE_MISSING', /the name of the database in PIXCTL_LEDGER_URL\.$/],
  ['53100', 'storage', undefined, /^Free some there, then run again\.$/],
  ['53200', 'storage', undefined, /^Free some there, then run again\.$/],
])('of the state %s it says what to do', (code, kind, name, hint) => {
  expect(translate(Object.assign(new Error('no'), { code }), 'the database')).toMatchObject({
    kind,
    ...(name === undefined ? {} : { code: name }),
    hint: expect.stringMatching(hint),
  });
});

it.each(['57P01', '57P05', '25P03', '25P04'])(
  'recognises %s as the last words of a server that ended the connection',
  (code) => {
    expect(isBroken(Object.assign(new Error('terminating connection'), { code }))).toBe(true);
  },
);

// Of a migration while pg_dump reads the tables, and of whoever comes while a migration lasts.
it('says who may hold a table that was waited for', () => {
  const cause = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
  expect(translate(cause, 'the database')).toMatchObject({
    kind: 'storage',
    message: 'the database is busy: canceling statement due to lock timeout',
    hint: expect.stringMatching(/a backup, say, .* Run again once that has ended\.$/),
  });
});

it.each(['sslkey', 'sslcert'])('says 78 for an %s that is no PEM file', async (flag) => {
  const file = join(mkdtempSync(join(tmpdir(), 'pixctl-pem-')), 'not.pem');
  writeFileSync(file, 'not a PEM');
  // Willing to begin TLS, as far as the client gets.
  const server = createServer(
    (socket) => void socket.on('error', () => {}).once('data', () => socket.write('S')),
  );
  const port = await listenOnLoopback(server);
  await expect(
    open(`postgres://me@127.0.0.1:${port}/db?sslmode=verify-full&${flag}=${file}`),
  ).rejects.toMatchObject({
    kind: 'config',
    code: 'DATABASE_CERTIFICATE',
    message: expect.stringContaining(`what ${flag} names in the address`),
  });
  server.close();
});

it('says 78 for a parameter that a pooler does not know, and names it', async () => {
  const said = 'SFATAL\0C08P01\0Munsupported startup parameter: search_path\0\0';
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + said.length);
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(said)])));
  });
  const port = await listenOnLoopback(server);
  await expect(open(`postgres://me@127.0.0.1:${port}/db`)).rejects.toMatchObject({
    kind: 'config',
    code: 'DATABASE_PARAMETER',
    message: expect.stringContaining('search_path'),
  });
  server.close();
});

it('says 74, and nothing of files, where the connection is cut', async () => {
  const server = createServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));
  const port = await listenOnLoopback(server);
  await expect(open(`postgres://me@127.0.0.1:${port}/db`)).rejects.toMatchObject({
    kind: 'storage',
    message: expect.stringContaining('cannot be reached'),
  });
  server.close();
});

describe.skipIf(postgresMissing !== null)(
  `postgres${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`,
  () => {
    let server: Postgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());

    it('commits durably on a database whose default does not', async () => {
      const url = await server.createDatabase();
      server.sql(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`);
      const database = await open(url);
      const within = await database.transaction((tx) => tx.query('SHOW synchronous_commit'));
      expect(within).toEqual([{ synchronous_commit: 'on' }]);
      expect(await database.query('SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
      await database.close();
    });

    it('refuses a server that does not wait for its disk', async () => {
      const url = await server.createDatabase();
      const set = (fsync: string) => {
        server.sql(`ALTER SYSTEM SET fsync = ${fsync}`);
        server.sql('SELECT pg_reload_conf()');
        return expect.poll(() => server.sql('SHOW fsync').trim()).toBe(fsync);
      };
      await set('off');
      try {
        await expect(open(url)).rejects.toMatchObject({
          kind: 'config',
          code: 'NOT_DURABLE',
          message: expect.stringContaining('fsync=off'),
        });
      } finally {
        await set('on');
      }
      await (await open(url)).close();
    });

    it.each([
      ['LATIN1', { kind: 'config', code: 'DATABASE_ENCODING', message: expect.stringContaining('LATIN1') }],
      ['WIN1252', { kind: 'config', code: 'DATABASE_ENCODING' }],
      ['SQL_ASCII', null],
    ])('refuses a database that cannot store any text: %s', async (encoding, refusal) => {
      const name = `in_${encoding.toLowerCase()}`;
      server.sql(`CREATE DATABASE ${name} TEMPLATE template0 LOCALE 'C' ENCODING '${encoding}'`);
      const url = (await server.createDatabase()).replace(/[^/]*$/, name);
      if (refusal !== null) return expect(open(url)).rejects.toMatchObject(refusal);
      const database = await open(url);
      expect(await database.query('SELECT $1::text AS text', ['→ 😀'])).toEqual([{ text: '→ 😀' }]);
      await database.close();
    });

    it('opens a socket whose directory follows in the address, as libpq does', async () => {
      const url = await server.createDatabase();
      const { pathname, port } = new URL(url);
      const directory = server.sql('SHOW unix_socket_directories').trim();
      const database = await open(`postgres://pixctl@${pathname}?host=${directory}&port=${port}`);
      expect(database.location).toBe(`the database ${pathname.slice(1)} on ${directory}`);
      await database.close();
    });

    it.each(['prefer', 'require', 'verify-ca'])(
      'takes sslmode=%s for verify-full, without words about it',
      async (mode) => {
        const warn = vi.spyOn(process, 'emitWarning');
        const url = await server.createDatabase();
        await expect(open(`${url}?sslmode=${mode}`)).rejects.toMatchObject({
          kind: 'storage',
          message: expect.stringContaining('does not support SSL'),
        });
        expect(warn).not.toHaveBeenCalled();
        warn.mockRestore();
      },
    );

    it('says 78 to a user who may not see the schema that the tables are in', async () => {
      const url = await server.createDatabase();
      server.sql('REVOKE ALL ON SCHEMA public FROM public; CREATE ROLE stranger LOGIN', url);
      await expect(open(url.replace('pixctl@', 'stranger@'))).rejects.toMatchObject({
        kind: 'config',
        code: 'DATABASE_RIGHTS',
      });
    });

    it('leaves nothing of its own on a connection that a pooler may give to others', async () => {
      const database = await open(await server.createDatabase());
      const asked = `SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement,
        current_setting('idle_in_transaction_session_timeout') AS idle`;
      expect(await database.transaction((tx) => tx.query(asked))).toEqual([
        { lock: '10s', statement: '20s', idle: '30s' },
      ]);
      expect(await database.query(asked)).toEqual([{ lock: '0', statement: '0', idle: '0' }]);
      await database.close();
    });

    it('ends no transaction for being long, as a server may be set to from version 17 on', async ({
      skip,
    }) => {
      if (Number(server.sql('SHOW server_version_num')) < 170_000)
        return skip('the server has no such limit');
      const url = await server.createDatabase();
      server.sql(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET transaction_timeout = '1s'`);
      const database = await open(url);
      await database.transaction((tx) => tx.query('SELECT pg_sleep(1.5)'));
      expect(await database.query('SHOW transaction_timeout')).toEqual([{ transaction_timeout: '1s' }]);
      await database.close();
    });

    it('waits for more than the disk if the server is set to more', async () => {
      const url = await server.createDatabase();
      server.sql(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = remote_apply`);
      const database = await open(url);
      const within = await database.transaction((tx) => tx.query('SHOW synchronous_commit'));
      expect(within).toEqual([{ synchronous_commit: 'remote_apply' }]);
      await database.close();
    });

    it.each([
      ['', 'notice'],
      [', where warnings are not to be sent', 'error'],
    ])(
      'does not count as committed what was not replicated as asked, because somebody ended the wait%s',
      async (_, messages) => {
        const url = await server.createDatabase();
        server.sql(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET client_min_messages = ${messages}`);
        const database = await open(url);
        await database.query("INSERT INTO things (id) VALUES ('before')");
        await server.loseReplica(true);
        try {
          const written = database.transaction((tx) => tx.query("INSERT INTO things (id) VALUES ('after')"));
          const told = expect(written).rejects.toMatchObject({
            kind: 'storage',
            message: expect.stringContaining('may be lost in a failover'),
          });
          const cancel =
            "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
          await expect.poll(() => server.sql(cancel).trim()).toBe('1');
          await told;
        } finally {
          await server.loseReplica(false);
        }
        await database.close();
      },
    );

    it('ends the wait of a commit that no replica confirms, so that nothing takes effect after it was reported as failed', async () => {
      const url = await server.createDatabase();
      const database = await open(url);
      await database.query("INSERT INTO things (id) VALUES ('a')");
      await server.loseReplica(true);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const told = expect(
          database.transaction((tx) => tx.query("UPDATE things SET id = 'b' WHERE id = 'a'")),
        ).rejects.toMatchObject({
          kind: 'storage',
          message: expect.stringContaining('its synchronous replicas did not confirm it in time'),
          hint: 'Check its synchronous replicas, then run again.',
        });
        await vi.waitUntil(() => server.waiting() === 1, { timeout: 10_000 });
        await vi.advanceTimersByTimeAsync(30_000);
        await told;
        expect(server.waiting()).toBe(0);
        expect(await database.query('SELECT id FROM things')).toEqual([{ id: 'b' }]);
      } finally {
        vi.useRealTimers();
        await server.loseReplica(false);
      }
      await database.close();
    });

    it('holds few connections, however much is asked at once', async () => {
      const url = await server.createDatabase();
      const database = await open(url);
      await Promise.all(Array.from({ length: 30 }, () => database.query('SELECT 1 AS one')));
      const count = server.sql(
        `SELECT count(*) FROM pg_stat_activity WHERE datname = '${new URL(url).pathname.slice(1)}'`,
      );
      expect(Number(count)).toBeLessThanOrEqual(4);
      await database.close();
    });

    it('says 74 when the server goes away in a transaction, leaves nothing of it, and goes on when it is back', async () => {
      const database = await open(await server.createDatabase());
      await database.query("INSERT INTO things (id) VALUES ('kept')");
      const cut = database.transaction(async (tx) => {
        await tx.query("INSERT INTO things (id) VALUES ('lost')");
        await server.crash();
        await tx.query("INSERT INTO things (id) VALUES ('never')");
      });
      await expect(cut).rejects.toMatchObject({ kind: 'storage' });
      await expect(database.query('SELECT 1')).rejects.toMatchObject({ kind: 'storage' });
      await server.start();
      expect(await database.query('SELECT id FROM things')).toEqual([{ id: 'kept' }]);
      await database.close();
    });

    it('says 74 where an administrator ends the connection in a transaction, and goes on with another', async () => {
      const url = await server.createDatabase();
      const database = await open(url);
      const cut = database.transaction(async (tx) => {
        await tx.query("INSERT INTO things (id) VALUES ('lost')");
        const name = new URL(url).pathname.slice(1);
        server.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
        await tx.query("INSERT INTO things (id) VALUES ('never')");
      });
      await expect(cut).rejects.toMatchObject({
        kind: 'storage',
        message: expect.stringContaining('cannot be reached'),
      });
      expect(await database.query('SELECT id FROM things')).toEqual([]);
      await database.close();
    });

    it('takes for committed neither what the server rolled back nor what it went away with', async () => {
      const database = await open(await server.createDatabase());
      const ignored = database.transaction((tx) => tx.query('SELECT 1 / 0').catch(() => null));
      await expect(ignored).rejects.toMatchObject({
        kind: 'storage',
        message: expect.stringContaining('did not commit as it was asked to'),
      });
      await server.loseReplica(true);
      const told = expect(
        database.transaction((tx) => tx.query("INSERT INTO things (id) VALUES ('a')")),
      ).rejects.toMatchObject({
        kind: 'storage',
        message: expect.stringContaining('not known whether the last commit took effect'),
      });
      await expect.poll(() => server.waiting()).toBe(1);
      await server.crash();
      await told;
      await server.start();
      await server.loseReplica(false);
      await database.close();
    });

    it('says 74 for a server that accepts no more connections, without a word about its disk', async () => {
      const url = await server.createDatabase();
      server.sql('CREATE ROLE nobody_yet LOGIN CONNECTION LIMIT 0', url);
      await expect(open(url.replace('pixctl@', 'nobody_yet@'))).rejects.toMatchObject({
        kind: 'storage',
        message: expect.stringMatching(/ accepts no more connections: too many connections for role/),
        hint: expect.stringContaining('raise the limit there'),
      });
    });

    it('says 74 for a server that only reads', async () => {
      const database = await open(await server.createDatabase());
      await expect(
        database.transaction(async (tx) => {
          await tx.query('SET TRANSACTION READ ONLY');
          await tx.query("INSERT INTO things (id) VALUES ('a')");
        }),
      ).rejects.toMatchObject({ kind: 'storage', message: expect.stringContaining('is read-only') });
      await database.close();
    });

    it('runs a transaction again that deadlocks', async () => {
      const database = await open(await server.createDatabase());
      await database.query("INSERT INTO things (id) VALUES ('a'), ('b')");
      const both: (() => void)[] = [];
      const met = new Promise<void>((resolve) => both.push(resolve));
      let waiting = 0;
      let runs = 0;
      const lock = (first: string, second: string) =>
        database.transaction(async (tx) => {
          runs++;
          await tx.query('SELECT id FROM things WHERE id = $1 FOR UPDATE', [first]);
          if (++waiting === 2) both[0]?.();
          await met;
          await tx.query('SELECT id FROM things WHERE id = $1 FOR UPDATE', [second]);
        });
      await Promise.all([lock('a', 'b'), lock('b', 'a')]);
      // The one that runs again may meet the other once more.
      expect(runs).toBeGreaterThanOrEqual(3);
      await database.close();
    });

    it.each(['repeatable read', 'serializable'])(
      'has no transaction refused because of another if the server isolates more than it has to (%s)',
      async (isolation) => {
        const url = await server.createDatabase();
        const name = new URL(url).pathname.slice(1);
        server.sql(`ALTER DATABASE ${name} SET default_transaction_isolation = '${isolation}'`);
        const database = await open(url);
        await database.query("INSERT INTO things (id) VALUES ('a')");
        let runs = 0;
        const both = Promise.withResolvers<void>();
        const add = () =>
          database.transaction(async (tx) => {
            await tx.query('SELECT id FROM things');
            if (++runs === 2) both.resolve();
            await both.promise;
            await tx.query("UPDATE things SET id = id || 'x'");
          });
        await Promise.all([add(), add()]);
        expect(await database.query('SELECT id FROM things')).toEqual([{ id: 'axx' }]);
        expect(runs).toBe(2);
        await database.close();
      },
    );

    it('runs a transaction again that the server could not serialize, five times at most', async () => {
      const database = await open(await server.createDatabase());
      let runs = 0;
      const overtaken = (times: number) =>
        database.transaction(async (tx) => {
          if (++runs > times) return;
          await tx.query("DO $$ BEGIN RAISE 'overtaken' USING ERRCODE = 'serialization_failure'; END $$");
        });
      await overtaken(2);
      expect(runs).toBe(3);
      runs = 0;
      await expect(overtaken(5)).rejects.toMatchObject({
        kind: 'storage',
        message: expect.stringContaining('is too busy'),
        hint: 'Run again in a moment.',
      });
      expect(runs).toBe(5);
      await database.close();
    });

    it.each([
      ['a refused connection', 'postgres://ana:s3cr3t@127.0.0.1:1/db', 'storage'],
      ['a URL that cannot be read', 'postgres://ana:s3cr3t@host:99999999/db', 'config'],
      ['no such database', null, 'config'],
    ])('never shows a password: %s', async (_, url, kind) => {
      const target =
        url ?? (await server.createDatabase()).replace('pixctl@', 'pixctl:s3cr3t@').replace(/t\d+$/, 'none');
      const error = await open(target).then(
        () => null,
        (cause: Error) => cause,
      );
      expect(error).toMatchObject({ kind });
      expect(JSON.stringify([error?.message, String(error?.cause ?? ''), error?.stack])).not.toContain(
        's3cr3t',
      );
    });
  },
);
