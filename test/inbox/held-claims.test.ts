/** A commit whose answer is lost may have held: what it claimed is in nobody's hands, and goes on in this very run. */
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Database } from '../../src/database/port.ts';
import { createClaimOwner } from '../../src/inbox/claim-owner.ts';
import { createInbox } from '../../src/inbox/create-inbox.ts';
import type { Inbox, NewDelivery } from '../../src/inbox/inbox.ts';
import { inboxMigrations } from '../../src/inbox/schema.ts';
import { freshDatabases } from '../support/databases.ts';
import { skipped } from '../support/platform.ts';

const delivery = (eventId: string, forward: NewDelivery['forward']): NewDelivery => ({
  source: 'signer-1',
  eventId,
  event: 'CHARGE_PAID',
  body: new TextEncoder().encode('{}'),
  headers: [],
  origin: 'delivery',
  forward,
});

for (const { name, skip, fresh } of freshDatabases()) {
  describe.skipIf(skip !== null)(skipped(name, skip), () => {
    const opened: Inbox[] = [];
    afterEach(async () => {
      for (const inbox of opened.splice(0)) await inbox.close();
    });

    /** `losing` counts the commits whose answers are still to be lost; `late` holds the next answer back. */
    const open = async () => {
      const losing = { next: 0, late: null as (() => Promise<void>) | null };
      const room = { room: 'inbox', migrations: inboxMigrations, clock: systemClock };
      const database = await openDatabase(await fresh(), room);
      const lost = async <T>(answer: Promise<T>): Promise<T> => {
        const value = await answer;
        const { late } = losing;
        losing.late = null;
        await late?.();
        if (losing.next === 0) return value;
        losing.next -= 1;
        throw new Error('the connection was lost');
      };
      const lossy: Database = {
        ...database,
        write: (work) => lost(database.write(work)),
        transaction: (work) => lost(database.transaction(work)),
      };
      const inbox = createInbox(lossy, { clock: systemClock, owner: await createClaimOwner(true) });
      opened.push(inbox);
      const claimed = async () => (await inbox.claimDue('signer-1', 10)).map(({ eventId }) => eventId);
      return { inbox, losing, claimed };
    };

    it('gives out what was stored and claimed, though nobody was told so', async () => {
      const { inbox, losing, claimed } = await open();
      await inbox.add(delivery('evt_held', 'claim'));
      losing.next = 1;
      await expect(inbox.add(delivery('evt_lost', 'claim'))).rejects.toThrow('could not be read or written');
      expect(await inbox.add(delivery('evt_lost', 'claim'))).toMatchObject({
        duplicate: true,
        state: 'WAITING',
      });
      expect(await claimed()).toEqual(['evt_lost']);
      expect(await claimed()).toEqual([]);
    });

    it('gives out again what a claim got that nobody was told of, once the database answers', async () => {
      const { inbox, losing, claimed } = await open();
      await inbox.add(delivery('evt_1', 'leave'));
      losing.next = 2;
      await expect(claimed()).rejects.toThrow('could not be read or written');
      await expect(claimed()).rejects.toThrow('could not be read or written');
      expect(await claimed()).toEqual(['evt_1']);
      expect(await claimed()).toEqual([]);
    });

    it('leaves alone what is carried here, also after a replay has asked for it in vain', async () => {
      const { inbox, losing, claimed } = await open();
      const { key } = await inbox.add(delivery('evt_1', 'leave'));
      expect(await claimed()).toEqual(['evt_1']);
      expect(await inbox.claimOne({ key })).toBe(false);
      losing.next = 1;
      await expect(inbox.add(delivery('evt_2', 'none'))).rejects.toThrow('could not be read or written');
      expect(await claimed()).toEqual([]);
    });

    it('does not take for carried what a replay has asked for in vain', async () => {
      const { inbox, losing, claimed } = await open();
      const { key } = await inbox.add(delivery('evt_1', 'leave'));
      expect(await claimed()).toEqual(['evt_1']);
      expect(await inbox.claimOne({ key })).toBe(false);
      await inbox.postpone(key, 0);
      losing.next = 1;
      await expect(claimed()).rejects.toThrow('could not be read or written');
      expect(await claimed()).toEqual(['evt_1']);
    });

    it('does not take for carried what was given back with all the rest', async () => {
      const { inbox, losing, claimed } = await open();
      await inbox.add(delivery('evt_1', 'leave'));
      expect(await claimed()).toEqual(['evt_1']);
      await inbox.releaseAllClaims();
      losing.next = 1;
      await expect(claimed()).rejects.toThrow('could not be read or written');
      expect(await claimed()).toEqual(['evt_1']);
    });

    it('leaves alone what a claim has got whose answer is still on its way', async () => {
      const { inbox, losing, claimed } = await open();
      await inbox.add(delivery('evt_1', 'leave'));
      const committed = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<void>();
      losing.late = () => {
        committed.resolve();
        return answer.promise;
      };
      const first = claimed();
      await committed.promise;
      losing.next = 1;
      await expect(inbox.add(delivery('evt_2', 'none'))).rejects.toThrow('could not be read or written');
      expect(await claimed()).toEqual([]);
      answer.resolve();
      expect(await first).toEqual(['evt_1']);
    });

    it('leaves alone what a replay holds, and takes it back where its giving back failed', async () => {
      const { inbox, losing, claimed } = await open();
      const { key } = await inbox.add(delivery('evt_1', 'leave'));
      expect(await inbox.claimOne({ key })).toBe(true);
      losing.next = 1;
      await expect(inbox.add(delivery('evt_2', 'none'))).rejects.toThrow('could not be read or written');
      expect(await claimed()).toEqual([]);
      losing.next = 1;
      await expect(inbox.releaseClaim(key)).rejects.toThrow('could not be read or written');
      expect(await claimed()).toEqual(['evt_1']);
    });
  });
}
