/** Forgetting much, while much else stays: each portion goes on where the last one ended. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Database, Value } from '../../src/database/port.ts';
import { inboxOn } from '../../src/inbox/inbox-on.ts';
import { pruneSome } from '../../src/inbox/prune.ts';
import { inboxMigrations } from '../../src/inbox/schema.ts';
import { thisProcess } from '../../src/inbox/this-process.ts';
import { freshDatabases } from '../support/databases.ts';

for (const { name, skip, fresh } of freshDatabases()) {
  describe.skipIf(skip !== null)(`${name}${skip === null ? '' : ` (skipped: ${skip})`}`, () => {
    const filled = async (events: number) => {
      const room = { room: 'inbox', migrations: inboxMigrations, clock: systemClock };
      const database = await openDatabase(await fresh(), room);
      const looks: unknown[] = [];
      const watched: Database = {
        ...database,
        transaction: (work) =>
          database.transaction((tx) => {
            const query = <T extends object>(sql: string, values: readonly Value[] = []) => {
              if (sql.startsWith('UPDATE inbox_event SET state')) looks.push(values[3]);
              return tx.query<T>(sql, values);
            };
            return work({ ...tx, query });
          }),
      };
      const inbox = inboxOn(watched, { clock: systemClock, owner: await thisProcess(true) });
      const added = await Promise.all(
        Array.from({ length: events }, (_, at) =>
          inbox.add({
            source: 'signer-1',
            eventId: `evt_${at}`,
            event: 'CHARGE_PAID',
            body: new TextEncoder().encode('{}'),
            headers: [],
            origin: 'delivery',
            forward: 'none',
          }),
        ),
      );
      return { database, inbox, looks, keys: added.map(({ key }) => key).sort() };
    };
    const all = { state: 'NONE', before: Number.MAX_SAFE_INTEGER } as const;

    it('a portion begins behind a key, and tells its own in order', async () => {
      const { database, inbox, keys } = await filled(4);
      const step = { after: keys[0] as string, limit: 2 };
      expect(await database.transaction((tx) => pruneSome(tx, all, step))).toEqual(keys.slice(1, 3));
      expect(await inbox.countPrunable(all)).toBe(2);
      await inbox.close();
    });

    it('what was looked through is not looked through again', async () => {
      const { inbox, looks, keys } = await filled(600);
      expect(await inbox.prune(all)).toBe(600);
      expect(looks).toEqual(['', keys[249], keys[499]]);
      await inbox.close();
    });
  });
}
