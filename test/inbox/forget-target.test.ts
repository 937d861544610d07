/** What an application that is gone never accepted is let go, and nothing else. */
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import { createClaimOwner } from '../../src/inbox/claim-owner.ts';
import { createInbox } from '../../src/inbox/create-inbox.ts';
import type { ForwardOutcome, Inbox, NewDelivery } from '../../src/inbox/inbox.ts';
import { inboxMigrations } from '../../src/inbox/schema.ts';
import { freshDatabases } from '../support/databases.ts';
import { skipped } from '../support/platform.ts';

const [one, two] = ['http://localhost:3000/', 'http://localhost:4000/'];
const before = Number.MAX_SAFE_INTEGER;

const delivery = (eventId: string, targets: readonly string[], forward: 'leave' | 'claim' = 'leave') => {
  const [target, ...others] = targets;
  const further = others.map((url) => ({ target: url, forward }));
  return {
    ...{ source: 'signer-1', eventId, event: 'CHARGE_PAID', headers: [], origin: 'delivery', forward },
    body: new TextEncoder().encode('{}'),
    ...(target === undefined ? {} : { target }),
    ...(further.length === 0 ? {} : { further }),
  } satisfies NewDelivery;
};

const outcome = (key: string, state: ForwardOutcome['state']): ForwardOutcome => ({
  ...{ key, number: 1, url: one, startedAt: 1_767_323_045_000, ms: 12, error: null, answer: null },
  ...{ status: state === 'DELIVERED' ? 200 : 503, signature: 'original', state, nextAt: null, failures: 1 },
});

const shown = async (inbox: Inbox, id: string) => {
  const [event] = await inbox.find(id);
  return [event?.state, ...(event?.targets ?? []).map(({ target, state }) => `${target} ${state}`)];
};

for (const { name, skip, fresh } of freshDatabases()) {
  describe.skipIf(skip !== null)(skipped(name, skip), () => {
    const open = async () => {
      const url = await fresh();
      const another = async (clock: Clock = systemClock) => {
        const room = { room: 'inbox', migrations: inboxMigrations, clock };
        const database = await openDatabase(url, room);
        const inbox = createInbox(database, { clock, owner: await createClaimOwner(true) });
        return { inbox, database };
      };
      return { ...(await another()), another };
    };

    it.each([
      ['the second', two, one],
      ['the first', one, two],
    ])(
      'an event for two is what became of it at the other, if it is taken from %s',
      async (_, gone, left) => {
        const { inbox, database } = await open();
        const { key, targets } = await inbox.add(delivery('evt_1', [one, two]));
        const keyAt = (url: string) => targets?.find(({ target }) => target === url)?.key ?? '';
        await inbox.record(outcome(keyAt(left), 'DELIVERED'));
        await inbox.record(outcome(keyAt(gone), 'GIVEN_UP'));
        await inbox.add(delivery('evt_2', [one, two]));
        expect(await inbox.countForTarget({ target: gone, before })).toBe(2);
        expect(await inbox.forgetTarget({ target: gone, before })).toEqual({ forgotten: 2, held: 0 });
        expect(await inbox.countForTarget({ target: gone, before })).toBe(0);
        expect(await shown(inbox, 'evt_1')).toEqual(['DELIVERED', `${left} DELIVERED`]);
        expect(await shown(inbox, 'evt_2')).toEqual(['WAITING', `${left} WAITING`]);
        expect(await database.query('SELECT key FROM inbox_attempt')).toEqual([{ key: keyAt(left) }]);
        const due = await inbox.claimDue('signer-1', 10);
        expect(due.map(({ eventId, target, body }) => [eventId, target, body.byteLength])).toEqual([
          ['evt_2', left, 2],
        ]);
        expect(await inbox.prune({ state: 'DELIVERED', before })).toBe(1);
        const rows = await database.query<{ key: string }>('SELECT key FROM inbox_event');
        expect(rows.filter((row) => row.key.startsWith(key))).toEqual([]);
        await inbox.close();
      },
    );

    it('one that is repeated afterwards is not owed there again', async () => {
      const { inbox } = await open();
      const { key } = await inbox.add(delivery('evt_1', [one, two]));
      await inbox.record(outcome(key, 'DELIVERED'));
      await inbox.forgetTarget({ target: two, before });
      expect(await inbox.add(delivery('evt_1', [one, two]))).toMatchObject({
        ...{ duplicate: true, state: 'DELIVERED' },
        targets: [{ target: one, state: 'DELIVERED' }],
      });
      expect(await inbox.claimDue('signer-1', 10)).toEqual([]);
      await inbox.close();
    });

    it('one that is owed to nobody any more was not forwarded, and is removed as such', async () => {
      const { inbox, database } = await open();
      await inbox.add(delivery('evt_1', [one, two]));
      for (const target of [one, two]) await inbox.forgetTarget({ target, before });
      expect(await shown(inbox, 'evt_1')).toEqual(['NONE']);
      expect((await inbox.find('evt_1'))[0]).toMatchObject({ target: null, attempts: 0 });
      expect(await inbox.add(delivery('evt_1', [one, two]))).toMatchObject({
        duplicate: true,
        state: 'NONE',
      });
      expect(await inbox.countPrunable({ state: 'NONE', before })).toBe(1);
      expect(await inbox.prune({ state: 'NONE', before })).toBe(1);
      expect(await database.query('SELECT key FROM inbox_event')).toEqual([]);
      await inbox.close();
    });

    it('what was accepted there, came later, or goes wherever a listener forwards, stays as it is', async () => {
      const { inbox } = await open();
      const { targets } = await inbox.add(delivery('evt_1', [one, two]));
      await inbox.record(outcome(targets?.[1]?.key ?? '', 'DELIVERED'));
      await inbox.add(delivery('evt_2', []));
      expect(await inbox.forgetTarget({ target: two, before })).toEqual({ forgotten: 0, held: 0 });
      expect(await inbox.forgetTarget({ target: one, before: 0 })).toEqual({ forgotten: 0, held: 0 });
      expect(await shown(inbox, 'evt_1')).toEqual(['WAITING', `${one} WAITING`, `${two} DELIVERED`]);
      expect(await shown(inbox, 'evt_2')).toEqual(['WAITING']);
      await inbox.close();
    });

    it('what a running process is forwarding is left, and counted; what it gave back is not', async () => {
      const { inbox: listener, another } = await open();
      const { inbox } = await another();
      const { key } = await listener.add(delivery('evt_1', [one, two], 'claim'));
      expect(await inbox.forgetTarget({ target: two, before })).toEqual({ forgotten: 0, held: 1 });
      await listener.record(outcome(`${key}.2`, 'WAITING'));
      expect(await inbox.forgetTarget({ target: two, before })).toEqual({ forgotten: 1, held: 0 });
      await listener.close();
      await inbox.close();
    });

    it('what a process was forwarding that has not been seen for 20 seconds is let go too', async () => {
      const { inbox: listener, another } = await open();
      await listener.add(delivery('evt_1', [one, two], 'claim'));
      const { inbox } = await another({ ...systemClock, now: () => systemClock.now() + 21_000 });
      expect(await inbox.forgetTarget({ target: two, before })).toEqual({ forgotten: 1, held: 0 });
      expect(await shown(inbox, 'evt_1')).toEqual(['WAITING', `${one} WAITING`]);
      await inbox.close();
      await listener.close();
    });

    it('many are let go in several transactions', async () => {
      const { inbox } = await open();
      await Promise.all(Array.from({ length: 260 }, (_, at) => inbox.add(delivery(`evt_${at}`, [one, two]))));
      expect(await inbox.forgetTarget({ target: two, before })).toEqual({ forgotten: 260, held: 0 });
      expect(await inbox.countWaiting()).toMatchObject([{ target: one, events: 260 }]);
      await inbox.close();
    });

    it('a signal ends it after a transaction, and the rest is still owed', async () => {
      const { inbox, database } = await open();
      await Promise.all(Array.from({ length: 260 }, (_, at) => inbox.add(delivery(`evt_${at}`, [one, two]))));
      const interrupt = new AbortController();
      const { transaction } = database;
      database.transaction = (work) =>
        transaction(async (tx) => {
          interrupt.abort();
          return work(tx);
        });
      const { signal } = interrupt;
      expect(await inbox.forgetTarget({ target: two, before }, signal)).toEqual({ forgotten: 250, held: 0 });
      expect(await inbox.countForTarget({ target: two, before })).toBe(10);
      await inbox.close();
    });

    it('an address is forwarded to while a process that runs says so', async () => {
      const { inbox: listener, another } = await open();
      const { inbox } = await another();
      expect(await inbox.isForwardedTo(two)).toBe(false);
      await listener.announceTargets([one, two]);
      expect([await inbox.isForwardedTo(two), await inbox.isForwardedTo('http://localhost:4/')]).toEqual([
        true,
        false,
      ]);
      await listener.releaseAllClaims();
      expect(await inbox.isForwardedTo(two)).toBe(false);
      await listener.close();
      await inbox.close();
    });
  });
}
