/** An event for several applications: what is owed to each is claimed and settled by itself, and shown together. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Database, Value } from '../../src/database/port.ts';
import { createClaimOwner } from '../../src/inbox/claim-owner.ts';
import { createInbox } from '../../src/inbox/create-inbox.ts';
import type { ForwardOutcome, Inbox, InboxFilter, NewDelivery } from '../../src/inbox/inbox.ts';
import { inboxMigrations } from '../../src/inbox/schema.ts';
import { freshDatabases } from '../support/databases.ts';

const [one, two] = ['http://localhost:3000/', 'http://localhost:4000/'];
const body = new TextEncoder().encode('{"data":"chg_1"}');

const simple = (eventId: string, more: Partial<NewDelivery> = {}): NewDelivery => ({
  ...{ source: 'signer-1', eventId, event: 'CHARGE_PAID', headers: [], origin: 'delivery', body },
  forward: 'leave',
  ...more,
});
const forBoth = (eventId: string, more: Partial<NewDelivery> = {}): NewDelivery =>
  simple(eventId, { target: one, further: [{ target: two, forward: more.forward ?? 'leave' }], ...more });

const outcome = (key: string, state: ForwardOutcome['state'], status: number): ForwardOutcome => ({
  ...{ key, number: 1, url: one, startedAt: 1_767_323_045_000, ms: 12, status, error: null, answer: null },
  ...{ signature: 'original', state, nextAt: state === 'WAITING' ? 0 : null, failures: 1 },
});

async function list(inbox: Inbox, filter: InboxFilter = {}): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of inbox.list(filter)) found.push(`${entry.eventId} ${entry.state}`);
  return found;
}

for (const { name, skip, fresh } of freshDatabases()) {
  describe.skipIf(skip !== null)(`${name}${skip === null ? '' : ` (skipped: ${skip})`}`, () => {
    const open = async () => {
      const room = { room: 'inbox', migrations: inboxMigrations, clock: systemClock };
      const database = await openDatabase(await fresh(), room);
      const statements: string[] = [];
      const watch = <T extends { query: Database['query'] }>(queries: T): T => ({
        ...queries,
        query: <R extends object>(sql: string, values?: readonly Value[]) => {
          statements.push(sql);
          return queries.query<R>(sql, values);
        },
      });
      const watched: Database = {
        ...watch(database),
        write: (work) => database.write((tx) => work(watch(tx))),
      };
      const owner = await createClaimOwner(true);
      return { inbox: createInbox(watched, { clock: systemClock, owner }), statements, database };
    };

    it('is claimed once for each, with the body, wherever the listener that claims it forwards', async () => {
      const { inbox } = await open();
      const { key, targets } = await inbox.add(forBoth('evt_1'));
      expect(targets).toEqual([
        { key, target: one, state: 'WAITING', attempts: 0 },
        { key: `${key}.2`, target: two, state: 'WAITING', attempts: 0 },
      ]);
      const claimed = await inbox.claimDue('signer-1', 10);
      expect(claimed.map(({ key, target }) => [key, target])).toEqual([
        [key, one],
        [`${key}.2`, two],
      ]);
      expect(claimed.map((event) => Buffer.from(event.body).toString())).toEqual([
        '{"data":"chg_1"}',
        '{"data":"chg_1"}',
      ]);
      expect(await inbox.claimDue('signer-1', 10)).toEqual([]);
      await inbox.close();
    });

    it('keeps headers and body once, and whoever takes the part of one application gets them', async () => {
      const { inbox, database } = await open();
      const headers = [['a', 'b']] as const;
      const { key } = await inbox.add(forBoth('evt_1', { headers, forward: 'claim' }));
      const rows = await database.query<{ body: Uint8Array; headers: string }>(
        'SELECT body, headers FROM inbox_event ORDER BY key',
      );
      expect(rows.map((row) => [row.body.byteLength, row.headers])).toEqual([
        [body.byteLength, '[["a","b"]]'],
        [0, ''],
      ]);
      await inbox.postpone(`${key}.2`, 0);
      const whole = { headers, body: expect.anything() };
      const [claimed] = await inbox.claimDue('signer-1', 10);
      const [found] = await inbox.find(`${key}.2`);
      for (const part of [claimed, found]) {
        expect(part).toMatchObject({ key: `${key}.2`, ...whole });
        expect(Buffer.from(part?.body ?? []).toString()).toBe('{"data":"chg_1"}');
      }
      await inbox.close();
    });

    it('from when each application had its own is read as it was', async () => {
      const { inbox, database } = await open();
      const { key } = await inbox.add(forBoth('evt_1'));
      await database.query("UPDATE inbox_event SET headers = '[]', body = $1 WHERE key = $2", [
        body,
        `${key}.2`,
      ]);
      const [, second] = await inbox.claimDue('signer-1', 10);
      expect([second?.headers, Buffer.from(second?.body ?? []).toString()]).toEqual([[], '{"data":"chg_1"}']);
      await inbox.close();
    });

    it('leaves out what goes to an application that is down, and only that', async () => {
      const { inbox } = await open();
      await inbox.add(forBoth('evt_1'));
      const choice = { names: { except: [] }, excludedTargets: [one] };
      const claimed = await inbox.claimDue('signer-1', 10, choice);
      expect(claimed.map(({ target }) => target)).toEqual([two]);
      await inbox.close();
    });

    it('is one event in a list, in the state that follows from all of them', async () => {
      const { inbox } = await open();
      const { key } = await inbox.add(forBoth('evt_1'));
      await inbox.add(simple('evt_2'));
      await inbox.record(outcome(key, 'DELIVERED', 200));
      expect(await list(inbox)).toEqual(['evt_2 WAITING', 'evt_1 WAITING']);
      await inbox.record(outcome(`${key}.2`, 'GIVEN_UP', 503));
      expect(await list(inbox)).toEqual(['evt_2 WAITING', 'evt_1 GIVEN_UP']);
      expect(await inbox.find('evt_1')).toMatchObject([{ state: 'GIVEN_UP', status: 503 }]);
      expect(await list(inbox, { last: 1 })).toEqual(['evt_2 WAITING']);
      expect(await list(inbox, { before: key })).toEqual([]);
      for (const [filter, found] of [
        [{ state: 'GIVEN_UP' }, ['evt_1 GIVEN_UP']],
        [{ state: 'DELIVERED' }, []],
        [{ id: 'evt_1' }, ['evt_1 GIVEN_UP']],
        [{ id: key }, ['evt_1 GIVEN_UP']],
        [{ contains: 'chg_1', last: 2 }, ['evt_2 WAITING', 'evt_1 GIVEN_UP']],
      ] as const)
        expect(await list(inbox, filter)).toEqual(found);
      await inbox.close();
    });

    it('is found with all of them by its id or key, and each by its own', async () => {
      const { inbox } = await open();
      const { key } = await inbox.add(forBoth('evt_1'));
      await inbox.record(outcome(`${key}.2`, 'WAITING', 503));
      const whole = {
        ...{ key, eventId: 'evt_1', state: 'WAITING', target: null, attempts: 1 },
        targets: [
          { key, target: one, state: 'WAITING', attempts: 0, status: null },
          { key: `${key}.2`, target: two, state: 'WAITING', attempts: 1, status: 503 },
        ],
      };
      expect(await inbox.find('evt_1')).toMatchObject([whole]);
      expect(await inbox.find(key)).toMatchObject([whole]);
      const [part, ...others] = await inbox.find(`${key}.2`);
      expect([part?.target, part?.attempts, part?.targets, others]).toEqual([two, 1, undefined, []]);
      await inbox.close();
    });

    it('that is repeated becomes due again only where it was not accepted, and where it was owed', async () => {
      const { inbox } = await open();
      const { key } = await inbox.add(forBoth('evt_1'));
      await inbox.record(outcome(key, 'DELIVERED', 200));
      await inbox.record(outcome(`${key}.2`, 'GIVEN_UP', 503));
      expect(await inbox.add(forBoth('evt_1', { forward: 'none' }))).toMatchObject({ state: 'GIVEN_UP' });
      expect(await inbox.add(simple('evt_1'))).toMatchObject({
        ...{ key, duplicate: true, state: 'WAITING' },
        targets: [{ state: 'DELIVERED' }, { state: 'WAITING', attempts: 1 }],
      });
      const due = await inbox.claimDue('signer-1', 10);
      expect(due.map(({ key, target, failures }) => [key, target, failures])).toEqual([[`${key}.2`, two, 0]]);
      expect((await inbox.find('evt_1'))[0]?.duplicates).toBe(2);
      await inbox.close();
    });

    it('that waits for both is one event that waits, and so is one that waits for the second only', async () => {
      const { inbox } = await open();
      const { key } = await inbox.add(forBoth('evt_1'));
      await inbox.add(forBoth('evt_2'));
      await inbox.add(forBoth('evt_3', { source: 'signer-2' }));
      const count = (...exceptSources: string[]) => inbox.countWaitingEvents({ exceptSources });
      expect([await count(), await count('signer-2'), await count('signer-1', 'signer-2')]).toEqual([
        3, 2, 0,
      ]);
      await inbox.record(outcome(key, 'DELIVERED', 200));
      expect([await count(), await count('signer-1')]).toEqual([3, 1]);
      await inbox.record(outcome(`${key}.2`, 'GIVEN_UP', 503));
      expect(await count()).toBe(2);
      await inbox.close();
    });

    it('is removed as a whole, once all of it is settled', async () => {
      const { inbox, database } = await open();
      const { key } = await inbox.add(forBoth('evt_1'));
      await inbox.add(simple('evt_2', { forward: 'none' }));
      const before = Number.MAX_SAFE_INTEGER;
      await inbox.record(outcome(key, 'DELIVERED', 200));
      const counts = async () => [
        await inbox.countPrunable({ state: 'DELIVERED', before }),
        await inbox.countPrunable({ state: 'GIVEN_UP', before }),
      ];
      expect([await counts(), await inbox.prune({ state: 'DELIVERED', before })]).toEqual([[0, 0], 0]);
      await inbox.record(outcome(`${key}.2`, 'GIVEN_UP', 503));
      expect([await counts(), await inbox.prune({ state: 'DELIVERED', before })]).toEqual([[0, 1], 0]);
      expect(await inbox.prune({ state: 'GIVEN_UP', before })).toBe(1);
      expect(await list(inbox)).toEqual(['evt_2 NONE']);
      expect(await database.query('SELECT key FROM inbox_attempt')).toEqual([]);
      expect(await inbox.add(simple('evt_1'))).toMatchObject({ duplicate: false });
      await inbox.close();
    });

    it('costs an event for one application not a statement more', async () => {
      const { inbox, statements } = await open();
      const { key } = await inbox.add(simple('evt_1', { forward: 'claim' }));
      await inbox.record(outcome(key, 'DELIVERED', 200));
      await inbox.add(simple('evt_1'));
      await inbox.find('evt_1');
      await list(inbox);
      expect(statements.filter((sql) => sql.includes('key IN'))).toEqual([]);
      expect(statements.length).toBeGreaterThan(3);
      statements.length = 0;
      await inbox.add(forBoth('evt_2'));
      await list(inbox);
      expect(statements.filter((sql) => sql.includes('key IN'))).toHaveLength(1);
      await inbox.close();
    });
  });
}
