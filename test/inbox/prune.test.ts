/** Forgetting much, while much else stays: each portion goes on where the last one ended. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Database, Value } from '../../src/database/port.ts';
import { createClaimOwner } from '../../src/inbox/claim-owner.ts';
import { createInbox } from '../../src/inbox/create-inbox.ts';
import type { NewDelivery } from '../../src/inbox/inbox.ts';
import { inboxMigrations } from '../../src/inbox/schema.ts';
import { freshDatabases } from '../support/databases.ts';
import { skipped } from '../support/platform.ts';

const delivery = (eventId: string, forward: 'none' | 'leave'): NewDelivery => ({
  ...{ source: 'signer-1', eventId, event: 'CHARGE_PAID', headers: [], origin: 'delivery', forward },
  body: new TextEncoder().encode('{}'),
});

for (const { name, skip, fresh } of freshDatabases()) {
  describe.skipIf(skip !== null)(skipped(name, skip), () => {
    const filled = async (events: number) => {
      const room = { room: 'inbox', migrations: inboxMigrations, clock: systemClock };
      const database = await openDatabase(await fresh(), room);
      /** From which key each look went on, and whether others had to wait for it. */
      const looks: unknown[] = [];
      const whileOthersWait: string[] = [];
      let between = async () => {};
      let during = () => {};
      const watched: Database = {
        ...database,
        async query<T extends object>(sql: string, values: readonly Value[] = []) {
          const rows = await database.query<T>(sql, values);
          if (sql.startsWith('SELECT key')) {
            looks.push(values[0]);
            await between();
          }
          return rows;
        },
        transaction: (work) =>
          database.transaction((tx) => {
            const query = <T extends object>(sql: string, values: readonly Value[] = []) => {
              whileOthersWait.push(sql);
              during();
              return tx.query<T>(sql, values);
            };
            return work({ ...tx, query });
          }),
      };
      const inbox = createInbox(watched, { clock: systemClock, owner: await createClaimOwner(true) });
      const added = await Promise.all(
        Array.from({ length: events }, (_, at) => inbox.add(delivery(`evt_${at}`, 'none'))),
      );
      const onLook = (work: () => Promise<void>) => {
        between = work;
      };
      const onWrite = (work: () => void) => {
        during = work;
      };
      const keys = added.map(({ key }) => key).sort();
      return { inbox, looks, whileOthersWait, onLook, onWrite, keys };
    };
    const all = { state: 'NONE', before: Number.MAX_SAFE_INTEGER } as const;

    it('what is owed again when it was found already is kept', async () => {
      const { inbox, onLook, keys } = await filled(3);
      onLook(async () => {
        await inbox.add(delivery('evt_1', 'leave'));
      });
      expect(await inbox.prune(all)).toBe(2);
      const [kept] = await inbox.find('evt_1');
      expect(kept).toMatchObject({ state: 'WAITING', duplicates: 1 });
      expect(keys).toContain(kept?.key);
      await inbox.close();
    });

    it('nobody waits for a look, whose last one goes through all that stays', async () => {
      const { inbox, looks, whileOthersWait } = await filled(3);
      whileOthersWait.length = 0;
      expect(await inbox.prune({ ...all, before: 0 })).toBe(0);
      expect([looks, whileOthersWait]).toEqual([[''], []]);
      expect(await inbox.prune(all)).toBe(3);
      const ofEvents = whileOthersWait.filter(
        (sql) => !/^(UPDATE inbox_numbers|DELETE FROM inbox_ids) /.test(sql),
      );
      expect(ofEvents).toHaveLength(3);
      for (const sql of ofEvents) expect(sql).toContain('WHERE key IN ($1, $2, $3)');
      await inbox.close();
    });

    it('what was looked through is not looked through again', async () => {
      const { inbox, looks, keys } = await filled(2_001);
      const behind = (key = '') => `${key}.9`;
      expect(await inbox.countPrunable(all)).toBe(2_001);
      expect(looks).toEqual(['', behind(keys[1_999])]);
      looks.length = 0;
      expect(await inbox.prune(all)).toBe(2_001);
      expect(looks).toEqual(['', behind(keys[1_999])]);
      await inbox.close();
    });

    it('a signal ends it after a transaction, and it says how many it removed', async () => {
      const { inbox, onWrite } = await filled(600);
      const interrupt = new AbortController();
      onWrite(() => interrupt.abort());
      expect(await inbox.prune(all, interrupt.signal)).toBe(250);
      expect(await inbox.countPrunable(all)).toBe(350);
      await inbox.close();
    });

    it('a signal is seen while nothing is found, although the database always answers at once', async () => {
      const { inbox, looks, onLook } = await filled(2_001);
      const interrupt = new AbortController();
      onLook(async () => void setImmediate(() => interrupt.abort()));
      expect(await inbox.countPrunable(all, interrupt.signal)).toBe(2_000);
      expect(looks).toEqual(['']);
      await inbox.close();
    });
  });
}
