/**
 * What is ended where nobody answers a commit, or no synchronous replica confirms it: all of ours, and nobody else's.
 */
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts';

const migrations = [{ number: 1, name: 'things', sql: 'CREATE TABLE things (id TEXT PRIMARY KEY)' }];
const open = (url: string) => openDatabase(url, { room: 'test', migrations, clock: systemClock });

/** A statement as it goes over the wire. */
function message(statement: string): Buffer {
  const text = Buffer.from(`${statement}\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + text.length);
  return Buffer.concat([Buffer.from('Q'), length, text]);
}

const strangers = ['BEGIN', "INSERT INTO things VALUES ('stranger')", 'COMMIT'].map(message);

/**
 * Gives a server process to the next client, a stranger, the moment its transaction is over. `port` behind it; from
 * `begin()` on, what follows a COMMIT on the same connection is the stranger's, whoever has left meanwhile.
 */
async function startPooler(port: number) {
  let hasBegun = false;
  const behind = new Set<Socket>();
  const server = createServer((client) => {
    const to = connect(port, '127.0.0.1');
    behind.add(to);
    let isCommitting = false;
    let isGiven = false;
    client
      .on('error', () => {})
      .on('data', (bytes) => {
        isCommitting ||= hasBegun && bytes.equals(message('COMMIT'));
        if (!isGiven) to.write(bytes);
      });
    to.on('error', () => {}).on('data', (bytes) => {
      if (!isCommitting) return void client.write(bytes);
      if (!isGiven) to.write(Buffer.concat(strangers));
      isGiven = true;
    });
    client.on('close', () => isCommitting || to.destroy());
  });
  return {
    port: await listenOnLoopback(server),
    begin: () => {
      hasBegun = true;
    },
    stop: () => {
      for (const socket of behind) socket.destroy();
      server.close();
    },
  };
}

/** Loses a connection on the side of the client alone, and so many looks for its transaction. `port` behind it. */
async function startLosingProxy(port: number, looks = { lost: 0 }) {
  let holds = false;
  let held: Socket | null = null;
  const near = new Set<Socket>();
  const far = new Set<Socket>();
  const server = createServer((client) => {
    const to = connect(port, '127.0.0.1');
    near.add(client);
    far.add(to);
    client
      .on('error', () => {})
      .on('data', (bytes) => {
        if (looks.lost > 0 && bytes.includes('pg_stat_activity')) {
          looks.lost -= 1;
          return void client.destroy();
        }
        if (!holds || !bytes.equals(message('COMMIT'))) return void to.write(bytes);
        held = to;
        client.destroy();
      });
    to.on('error', () => {}).on('data', (bytes) => client.write(bytes));
  });
  return {
    port: await listenOnLoopback(server),
    cut: () => {
      for (const client of near) client.destroy();
    },
    /** From now on, a client is lost as it sends COMMIT, before the server has that. */
    hold: () => {
      holds = true;
    },
    /** The server gets that COMMIT after all. Resolves once it has answered, or has closed the connection. */
    async deliver() {
      if (held === null) throw new Error('nothing is held');
      if (held.destroyed || held.readableEnded) return;
      const to = held;
      // Not `once`, which rejects where the server resets the connection; a close follows.
      const over = new Promise((resolve) => to.on('data', resolve).on('close', resolve));
      to.write(message('COMMIT'));
      await over;
    },
    stop: () => {
      for (const socket of far) socket.destroy();
      server.close();
    },
  };
}

describe.skipIf(postgresMissing !== null)(
  `a commit that is cancelled${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`,
  () => {
    let server: Postgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());

    it('is each of them, where they hold every connection of the process', async () => {
      const database = await open(await server.createDatabase());
      await server.loseReplica(true);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const told = Promise.allSettled(
          ['a', 'b', 'c', 'd'].map((id) =>
            database.transaction((tx) => tx.query('INSERT INTO things VALUES ($1)', [id])),
          ),
        );
        await vi.waitUntil(() => server.waiting() === 4, { timeout: 10_000 });
        await vi.advanceTimersByTimeAsync(30_000);
        for (const one of await told)
          expect(one).toMatchObject({ reason: { message: expect.stringContaining('in time') } });
        expect(server.waiting()).toBe(0);
      } finally {
        vi.useRealTimers();
        await server.loseReplica(false);
        await database.close();
      }
    });

    it('is never that of a stranger who has its server process by then', async () => {
      const direct = new URL(await server.createDatabase());
      const pooler = await startPooler(Number(direct.port));
      const database = await open(direct.href.replace(`:${direct.port}/`, `:${pooler.port}/`));
      await server.loseReplica(true);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        pooler.begin();
        const told = expect(
          database.transaction((tx) => tx.query("INSERT INTO things VALUES ('ours')")),
        ).rejects.toMatchObject({
          message: expect.stringContaining('its synchronous replicas did not confirm it in time'),
        });
        await vi.waitUntil(() => server.waiting() === 1, { timeout: 10_000 });
        await vi.advanceTimersByTimeAsync(30_000);
        await told;
        expect(server.sql('SELECT id FROM things', direct.href).trim()).toBe('ours');
        await vi.waitUntil(() => server.waiting() === 1, { timeout: 10_000 });
      } finally {
        vi.useRealTimers();
        await server.loseReplica(false);
        await database.close();
        pooler.stop();
      }
    });

    it.each([
      ['', 0],
      [', though the looks for it were lost at first', 3],
    ])('cannot take effect any more, once the loss of its connection has been told%s', async (_, lost) => {
      const direct = new URL(await server.createDatabase());
      const proxy = await startLosingProxy(Number(direct.port), { lost });
      const database = await open(direct.href.replace(`:${direct.port}/`, `:${proxy.port}/`));
      try {
        proxy.hold();
        const insert = database.transaction((tx) => tx.query("INSERT INTO things VALUES ('late')"));
        await expect(insert).rejects.toMatchObject({
          message: expect.stringContaining('it is not known whether the last commit took effect'),
        });
        await proxy.deliver();
        expect(server.sql('SELECT id FROM things', direct.href).trim()).toBe('');
      } finally {
        await database.close();
        proxy.stop();
      }
    });

    it('is over once the loss of its connection has been told, where it waited for a replica', async () => {
      const direct = new URL(await server.createDatabase());
      const proxy = await startLosingProxy(Number(direct.port));
      const database = await open(direct.href.replace(`:${direct.port}/`, `:${proxy.port}/`));
      await server.loseReplica(true);
      try {
        const told = expect(
          database.transaction((tx) => tx.query("INSERT INTO things VALUES ('ours')")),
        ).rejects.toMatchObject({ message: expect.stringContaining('may be lost in a failover') });
        await vi.waitUntil(() => server.waiting() === 1, { timeout: 10_000 });
        proxy.cut();
        await told;
        expect(server.waiting()).toBe(0);
        expect(server.sql('SELECT id FROM things', direct.href).trim()).toBe('ours');
      } finally {
        await server.loseReplica(false);
        await database.close();
        proxy.stop();
      }
    });
  },
);
