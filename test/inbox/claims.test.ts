/** Whose claims stand: processes that look alike, that were killed, that an older pixctl wrote down. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Database } from '../../src/database/port.ts';
import { createClaimOwner, toClaimOwner } from '../../src/inbox/claim-owner.ts';
import { createInbox } from '../../src/inbox/create-inbox.ts';
import type { ClaimOwner } from '../../src/inbox/heartbeat.ts';
import type { Inbox } from '../../src/inbox/inbox.ts';
import { inboxMigrations } from '../../src/inbox/schema.ts';
import { createOwners } from '../../src/owner/create-owners.ts';
import type { Owner as Process } from '../../src/owner/owner.ts';
import { freshDatabases } from '../support/databases.ts';
import { skipped } from '../support/platform.ts';

/** Whether this system tells enough to know at once that a process has ended. */
let seesEnds = false;
beforeAll(async () => {
  seesEnds = (await createOwners()).self.boot !== '';
});
const drivers = freshDatabases();

const now = 1_767_323_045_000;
const machine: Process = { host: 'web 3f5a pid:[7]', boot: 'b-1', pid: 1, started: '100' };

/** As it came, and claimed by whoever adds it. */
const claimedAtOnce = {
  source: 'signer-1',
  eventId: 'evt_1',
  event: 'CHARGE_PAID',
  body: new TextEncoder().encode('{}'),
  headers: [],
  origin: 'delivery',
  forward: 'claim',
} as const;

/** The owner that a process is; `runs` is what its system tells of the pid that is asked for. */
const ownerOf = async (self: Process, runs: string | null = null, shared = true): Promise<ClaimOwner> => {
  const started = async () => runs;
  const system = { host: async () => self.host, boot: async () => self.boot, started };
  const owners = await createOwners(system, self.pid);
  return toClaimOwner({ ...owners, self }, shared);
};

describe('whether an owner of claims has certainly ended', () => {
  it.each([
    ['itself', {}, '100', false],
    ['its pid in use by no process', { pid: 8 }, null, true],
    ['its pid in use by a later process', { started: '99' }, '100', true],
    ['another machine of its name', { host: 'web 9d01 pid:[7]', started: '99' }, '100', false],
    ['another container of its name', { host: 'web 3f5a pid:[8]', pid: 8 }, null, false],
    ['another start of the machine, or its clone', { boot: 'b-0', pid: 8 }, null, false],
  ] as const)('%s: %o', async (_, other, found, ended) => {
    const self = await ownerOf(machine, found);
    expect(await self.isGone(JSON.stringify({ ...machine, ...other }))).toBe(ended);
  });

  it.each([
    ['an inbox that others may open', true, false],
    ['an inbox of this machine only', false, true],
  ] as const)('where no start of the machine is known, in %s', async (_, shared, ended) => {
    const mac = { ...machine, host: 'mac', boot: '' };
    const self = await ownerOf(mac, null, shared);
    expect(await self.isGone(JSON.stringify({ ...mac, pid: 8 }))).toBe(ended);
  });

  it.each(['', 'null', '7', '{}', '8@web#00ff', JSON.stringify({ ...machine, pid: '8' })])(
    'knows nothing of what it cannot read: %s',
    async (text) => {
      expect(await (await ownerOf(machine, null)).isGone(text)).toBe(false);
    },
  );
});

for (const { name, skip, fresh } of drivers) {
  describe.skipIf(skip !== null)(skipped(name, skip), () => {
    const opened: Pick<Inbox, 'close'>[] = [];
    const children: ChildProcess[] = [];
    afterEach(async () => {
      for (const child of children.splice(0)) await killed(child);
      for (const one of opened.splice(0)) await one.close();
    });

    const open = async (
      url: string,
      owner: ClaimOwner,
      at: number | (() => number) = now,
    ): Promise<Inbox> => {
      const database = await rows(url);
      const clock = { ...systemClock, now: typeof at === 'function' ? at : () => at };
      return createInbox(database, { clock, owner });
    };
    const rows = async (url: string, migrations = inboxMigrations): Promise<Database> => {
      const database = await openDatabase(url, { room: 'inbox', migrations, clock: systemClock });
      opened.push(database);
      return database;
    };
    const claimed = async (inbox: Inbox) =>
      (await inbox.claimDue('signer-1', 10)).map(({ eventId }) => eventId);

    const running = async (args: readonly string[]): Promise<ChildProcess> => {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
      return child;
    };
    const claimant = (url: string) => running([join(import.meta.dirname, '../support/claimant.ts'), url]);

    it.each([
      ['in another container', { host: 'web 3f5a pid:[8]' }, []],
      ['on another machine', { host: 'web 9d01 pid:[7]' }, []],
      ['on a machine that was started at another time', { boot: 'b-2' }, []],
      ['in the same place, started later', { started: '200' }, ['evt_1']],
    ] as const)(
      'of the same host name and pid, one %s is given what is due: %o %o',
      async (_, other, given) => {
        const url = await fresh();
        const one = await open(url, await ownerOf(machine, '100'));
        await one.add(claimedAtOnce);
        const self = { ...machine, ...other };
        const two = await open(url, await ownerOf(self, self.started));
        expect(await claimed(two)).toEqual(given);
      },
    );

    it.each([
      ['another machine', { host: 'web 9d01 pid:[7]' }, false],
      ['the same place, started later', { started: '200' }, true],
    ] as const)('a replay in %s gets what the other holds: %o %s', async (_, other, taken) => {
      const url = await fresh();
      const one = await open(url, await ownerOf(machine, '100'));
      const { key } = await one.add(claimedAtOnce);
      const self = { ...machine, ...other };
      const two = await open(url, await ownerOf(self, self.started));
      expect(await two.claimOne({ key })).toBe(taken);
    });

    it('a suspended process learns what others have taken over, and goes on with the rest', async () => {
      const url = await fresh();
      let late = 0;
      const one = await open(url, await ownerOf(machine, '100'), () => now + late);
      const { key: gone } = await one.add(claimedAtOnce);
      const { key: left } = await one.add({ ...claimedAtOnce, source: 'signer-2' });
      late = 20_000;
      const two = await open(url, await ownerOf({ ...machine, pid: 2 }, '100'), () => now + late);
      expect(await claimed(two)).toEqual(['evt_1']);
      expect([await one.stillHolds(gone), await one.stillHolds(left)]).toEqual([false, true]);
      expect([await two.stillHolds(gone), await one.stillHolds(left)]).toEqual([true, true]);
      const { key: later } = await one.add({ ...claimedAtOnce, eventId: 'evt_2' });
      expect([await one.stillHolds(later), await claimed(two)]).toEqual([true, []]);
    });

    it('a suspended process that was forgotten is known again once it wakes up', async () => {
      const url = await fresh();
      let late = 0;
      const one = await open(url, await ownerOf(machine, '100'), () => now + late);
      const { key } = await one.add(claimedAtOnce);
      const database = await rows(url);
      await database.query('DELETE FROM inbox_owner');
      late = 20_000;
      const self = { ...machine, pid: 2 };
      const two = await open(url, await ownerOf(self, '100'), () => now + late);
      expect([await claimed(two), await one.stillHolds(key)]).toEqual([['evt_1'], false]);
      const known = await database.query<{ process: string }>('SELECT process FROM inbox_owner');
      expect(known.map(({ process }) => JSON.parse(process)).sort((a, b) => a.pid - b.pid)).toEqual([
        machine,
        self,
      ]);
    });

    it('a suspended process keeps its claims if it wakes before others do anything', async () => {
      const url = await fresh();
      let late = 0;
      const one = await open(url, await ownerOf(machine, '100'), () => now + late);
      const { key } = await one.add(claimedAtOnce);
      late = 60_000;
      expect(await one.stillHolds(key)).toBe(true);
      const two = await open(url, await ownerOf({ ...machine, pid: 2 }, '100'), () => now + late);
      expect([await claimed(two), await one.stillHolds(key)]).toEqual([[], true]);
    });

    // SQLite has one writer at a time.
    const describeIfShared = name === 'sqlite' ? null : describe;
    describeIfShared?.each([
      ['what is due', (inbox: Inbox) => claimed(inbox)],
      ['one event', async (inbox: Inbox, key: string) => ((await inbox.claimOne({ key })) ? [key] : [])],
    ] as const)('a process that asks for %s', (_, ask) => {
      it.each([[false], [true]])(
        'leaves it to one that wakes up at that moment, forgotten by others: %s',
        async (isForgotten) => {
          const url = await fresh();
          let late = 0;
          const database = await rows(url);
          const woken = Promise.withResolvers<void>();
          const asked = Promise.withResolvers<void>();
          const write: Database['write'] = (work) =>
            database.write(async (tx) => {
              const value = await work(tx);
              if (late > 0) {
                woken.resolve();
                await asked.promise;
              }
              return value;
            });
          const clock = { ...systemClock, now: () => now + late };
          const one = createInbox({ ...database, write }, { clock, owner: await ownerOf(machine, '100') });
          const { key } = await one.add(claimedAtOnce);
          const two = await open(url, await ownerOf({ ...machine, pid: 2 }, '100'), clock.now);
          const watch = await rows(url);
          if (isForgotten) await watch.query('DELETE FROM inbox_owner');
          late = 20_000;
          const holds = one.stillHolds(key);
          await woken.promise;
          const given = ask(two, key);
          const isWaiting = async () =>
            (
              await watch.query(
                "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
              )
            ).length > 0;
          while (!(await isWaiting())) await systemClock.sleep(5);
          asked.resolve();
          expect([await holds, await given]).toEqual([true, []]);
        },
      );
    });

    it('leaves the longest pause to an event that was planned by a host whose clock is ahead', async () => {
      const url = await fresh();
      const ahead = await open(url, await ownerOf(machine, '100'), now + 3_000);
      const { key } = await ahead.add(claimedAtOnce);
      await ahead.postpone(key, now + 63_000);
      const behind = await open(url, await ownerOf(machine, '200'));
      expect(await claimed(behind)).toEqual([]);
      const later = await open(url, await ownerOf(machine, '200'), now + 63_000);
      expect(await claimed(later)).toEqual(['evt_1']);
    });

    it('leaves a running process its claims, and takes those of a killed one over at once', async () => {
      const url = await fresh();
      const child = await claimant(url);
      const database = await rows(url);
      const at = systemClock.now();
      await database.query('UPDATE inbox_owner SET seen_at = $1', [at]);
      const next = await open(url, await createClaimOwner(true), at);
      expect(await claimed(next)).toEqual([]);
      await killed(child);
      expect(await claimed(next)).toEqual(seesEnds ? ['evt_1'] : []);
    });

    it('takes the claims of a killed process over at once when its pid is in use again', async () => {
      const url = await fresh();
      await killed(await claimant(url));
      const another = await running(['-e', 'console.log("here"); setInterval(() => {}, 60_000)']);
      const database = await rows(url);
      const at = systemClock.now();
      const [row] = await database.query<{ process: string }>('SELECT process FROM inbox_owner');
      const reused = JSON.stringify({ ...JSON.parse(row?.process ?? ''), pid: another.pid });
      await database.query('UPDATE inbox_owner SET seen_at = $1, process = $2', [at, reused]);
      expect(await claimed(await open(url, await createClaimOwner(true), at))).toEqual(
        seesEnds ? ['evt_1'] : [],
      );
    });

    it.each([
      ['lately', 19_999, []],
      ['not for 20 seconds', 20_000, ['evt_1']],
    ] as const)(
      'gives away what an owner of an older pixctl holds that was seen %s',
      async (_, ago, given) => {
        const url = await fresh();
        const old = await rows(url, inboxMigrations.slice(0, 2));
        const { host } = machine;
        await old.query('INSERT INTO inbox_owner (owner, seen_at) VALUES ($1, $2)', [
          `8@${host}#00ff`,
          now - ago,
        ]);
        await old.query(
          `INSERT INTO inbox_event (key, source, event_id, copy, event, received_at, origin, headers, body, state, next_at, claimed_by)
         VALUES ('in_1', 'signer-1', 'evt_1', '', 'CHARGE_PAID', 1, 'delivery', '[]', $1, 'WAITING', 1, $2)`,
          [new Uint8Array([0x7b, 0x7d]), `8@${host}#00ff`],
        );
        const inbox = await open(url, await ownerOf(machine));
        expect(await claimed(inbox)).toEqual(given);
        // One that still runs goes on saying that it lives.
        const beat =
          'INSERT INTO inbox_owner (owner, seen_at) VALUES ($1, $2) ON CONFLICT (owner) DO UPDATE SET seen_at = excluded.seen_at';
        await old.query(beat, [`8@${host}#00ff`, now]);
        expect(await old.query('SELECT owner FROM inbox_owner WHERE process IS NULL')).toHaveLength(1);
      },
    );
  });
}

it('takes a name that an older pixctl cannot take for that of an ended process', async () => {
  expect((await ownerOf(machine)).id).not.toMatch(/^\d+@.*#[0-9a-f]+$/);
});

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}
