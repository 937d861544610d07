/** What is due is claimed oldest first, whatever was remembered of an earlier look, and a look is rare. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Database, Queries, Value } from '../../src/database/port.ts';
import { createInbox } from '../../src/inbox/create-inbox.ts';
import type { ClaimFilter, ForwardOutcome, Inbox, InboxEvent, NewDelivery } from '../../src/inbox/inbox.ts';
import { inboxMigrations } from '../../src/inbox/schema.ts';
import { freshDatabases } from '../support/databases.ts';
import { skipped } from '../support/platform.ts';

const source = 'signer-1';
const encoded = (text: string) => new TextEncoder().encode(text);

const delivery = (eventId: string, event = 'CHARGE_PAID'): NewDelivery =>
  ({
    ...{ source, eventId, event, headers: [], origin: 'delivery', forward: 'leave' },
    body: encoded(`{"id":"${eventId}"}`),
  }) as NewDelivery;

const outcome = (key: string, more: Partial<ForwardOutcome>): ForwardOutcome => ({
  ...{ key, number: 1, url: 'http://localhost:3000/', startedAt: 0, ms: 1, status: 500, error: null },
  ...{ answer: null, signature: 'fresh', state: 'WAITING', nextAt: 0, failures: 1 },
  ...more,
});
const delivered = { state: 'DELIVERED', status: 200, nextAt: null } as const;

interface Statement {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** The same, with every statement told before it runs. */
function watched(database: Database, onStatement: (statement: Statement) => void): Database {
  const told = <Q extends Queries>(queries: Q): Q => ({
    ...queries,
    query<T extends object>(sql: string, values: readonly Value[] = []) {
      onStatement({ sql, values });
      return queries.query<T>(sql, values);
    },
    execute(sql: string, values: readonly Value[] = []) {
      onStatement({ sql, values });
      return queries.execute(sql, values);
    },
  });
  return {
    ...told(database),
    transaction: (work) => database.transaction((tx) => work(told(tx))),
    write: (work) => database.write((tx) => work(told(tx))),
  };
}

const opened: Inbox[] = [];
afterEach(async () => {
  for (const inbox of opened.splice(0)) await inbox.close();
});

/** Two processes on one inbox, their time in the hands of the test. */
async function twoOn(url: string, onStatement: (statement: Statement) => void = () => {}) {
  const time = { at: 1_767_323_045_000 };
  const clock = { ...systemClock, now: () => time.at, monotonic: () => time.at };
  const open = async (id: string) => {
    const room = { room: 'inbox', migrations: inboxMigrations, clock: systemClock };
    const database = watched(await openDatabase(url, room), onStatement);
    const inbox = createInbox(database, { clock, owner: { id, process: id, isGone: async () => false } });
    opened.push(inbox);
    return inbox;
  };
  return { time, one: await open('one'), two: await open('two') };
}

const names = ['CHARGE_PAID', 'REFUND_COMPLETED'] as const;
const choices: readonly ClaimFilter[] = [
  { names: { except: [] }, excludedTargets: [] },
  { names: { only: ['REFUND_COMPLETED'] }, excludedTargets: [] },
  { names: { except: ['REFUND_COMPLETED'] }, excludedTargets: [] },
];

interface Kept {
  readonly key: string;
  readonly eventId: string;
  readonly event: string;
  state: string;
  nextAt: number;
  holder: number | null;
}

const who = fc.constantFrom(0, 1);
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ what: fc.constant('add'), event: fc.constantFrom(...names) }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('wait'), ms: fc.constantFrom(1, 40, 300, 999, 1_000) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      ...{ what: fc.constant('claim'), who, limit: fc.integer({ min: 1, max: 4 }) },
      choice: fc.constantFrom(...choices),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      ...{ what: fc.constant('end'), nth: fc.nat() },
      how: fc.constantFrom('delivered', 'again', 'held', 'given up'),
      ms: fc.integer({ min: 0, max: 1_500 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('repeat'), nth: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('replay'), nth: fc.nat() }) },
);

describe('what is due', () => {
  it('is claimed oldest first by two listeners, through retries, repeats and what is given back', async () => {
    const steps = fc.array(step, { minLength: 20, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { time, one, two } = await twoOn(join(mkdtempSync(join(tmpdir(), 'pixctl-due-')), 'x.db'));
        const listeners = [one, two] as const;
        const kept: Kept[] = [];
        const add = async (event: string) => {
          const eventId = `evt_${kept.length}`;
          const { key } = await one.add(delivery(eventId, event));
          kept.push({ key, eventId, event, state: 'WAITING', nextAt: time.at, holder: null });
        };
        const isChosen = ({ names: chosen }: ClaimFilter, { event }: Kept) =>
          'only' in chosen ? chosen.only.includes(event) : !chosen.except.includes(event);
        const due = (choice: ClaimFilter, limit: number) =>
          kept
            .filter((each) => each.state === 'WAITING' && each.holder === null && each.nextAt <= time.at)
            .filter((each) => isChosen(choice, each))
            .slice(0, limit);
        const claim = async (by: number, choice: ClaimFilter, limit: number) => {
          const expected = due(choice, limit);
          const events = await (listeners[by] as Inbox).claimDue(source, limit, choice);
          expect(events.map(({ eventId }) => eventId)).toEqual(expected.map(({ eventId }) => eventId));
          for (const each of expected) each.holder = by;
        };
        const end = async (each: Kept, how: string, ms: number) => {
          const inbox = listeners[each.holder ?? 0] as Inbox;
          each.holder = null;
          each.nextAt = time.at + ms;
          if (how === 'held') return inbox.postpone(each.key, each.nextAt);
          if (how === 'again') return inbox.record(outcome(each.key, { nextAt: each.nextAt }));
          each.state = how === 'delivered' ? 'DELIVERED' : 'GIVEN_UP';
          const gaveUp = { state: 'GIVEN_UP', nextAt: null } as const;
          await inbox.record(outcome(each.key, how === 'delivered' ? delivered : gaveUp));
        };
        const nth = (list: readonly Kept[], at: number) => list[at % Math.max(1, list.length)];
        for (let at = 0; at < 70; at++) await add(names[at % 3 === 0 ? 1 : 0]);
        for (const it of all) {
          if (it.what === 'add' && 'event' in it) await add(it.event);
          if (it.what === 'wait' && 'ms' in it) time.at += it.ms;
          if (it.what === 'claim' && 'choice' in it) await claim(it.who, it.choice, it.limit);
          if (it.what === 'end' && 'how' in it) {
            const held = nth(
              kept.filter(({ holder }) => holder !== null),
              it.nth,
            );
            if (held !== undefined) await end(held, it.how, it.ms);
          }
          if (it.what === 'repeat' && 'nth' in it) {
            const givenUp = nth(
              kept.filter(({ state }) => state === 'GIVEN_UP'),
              it.nth,
            );
            if (givenUp === undefined) continue;
            await two.add(delivery(givenUp.eventId));
            Object.assign(givenUp, { state: 'WAITING', nextAt: time.at, holder: null });
          }
          if (it.what === 'replay' && 'nth' in it) {
            const owed = nth(
              kept.filter(({ state, holder }) => state === 'WAITING' && holder === null),
              it.nth,
            );
            if (owed === undefined) continue;
            expect(await two.claimOne(owed)).toBe(true);
            owed.holder = 1;
            await claim(0, choices[0] as ClaimFilter, 2);
            await two.releaseClaim(owed.key);
            owed.holder = null;
            // What another gives back may be left alone for so long.
            time.at += 1_000;
          }
        }
        for (const inbox of opened.splice(0)) await inbox.close();
      }),
      { numRuns: 40 },
    );
  });
});

for (const { name, skip, fresh } of freshDatabases()) {
  describe.skipIf(skip !== null)(skipped(name, skip), () => {
    it('is looked for once for many claims, each of which still gets the oldest', async () => {
      let looks = 0;
      const { one } = await twoOn(await fresh(), ({ sql }) => {
        if (sql.startsWith('SELECT DISTINCT claimed_by')) looks += 1;
      });
      const ids = Array.from({ length: 320 }, (_, at) => `evt_${at}`);
      await Promise.all(ids.map((id) => one.add(delivery(id))));
      const claimed: string[] = [];
      for (let claim = 0; claim < 64; claim++) {
        for (const { key, eventId } of await one.claimDue(source, 5)) {
          claimed.push(eventId);
          await one.record(outcome(key, delivered));
        }
      }
      expect(claimed).toEqual(ids);
      expect(looks).toBe(2);
    });

    it('is still there for another claim where the one that had found it was undone', async () => {
      let fail = false;
      const { one } = await twoOn(await fresh(), ({ sql }) => {
        if (fail && sql.startsWith('UPDATE inbox_event SET claimed_by = $1 WHERE key IN'))
          throw new Error('the disk is full');
      });
      for (const id of ['evt_1', 'evt_2', 'evt_3']) await one.add(delivery(id));
      const claimed = async () => (await one.claimDue(source, 1)).map(({ eventId }) => eventId);
      expect(await claimed()).toEqual(['evt_1']);
      fail = true;
      await expect(claimed()).rejects.toThrow();
      fail = false;
      expect(await claimed()).toEqual(['evt_2']);
    });

    /** Years of settled events, and as many that wait as make them look frequent. */
    const years = async (url: string, waiting = 5_000, isAnalysed = true) => {
      const room = { room: 'inbox', migrations: inboxMigrations, clock: systemClock };
      const database = await openDatabase(url, room);
      await database.execute(
        `INSERT INTO inbox_event (key, source, event_id, copy, event, received_at, origin, headers, body, state, next_at)
         WITH RECURSIVE made (n) AS (SELECT 100000 UNION ALL SELECT n + 1 FROM made WHERE n < 124999)
         SELECT 'in_' || n, 'signer-1', 'evt_' || n, '', 'CHARGE_PAID', n, 'delivery', '[]', $1,
           'DELIVERED', n FROM made`,
        [encoded('{}')],
      );
      await database.execute('ANALYZE');
      await database.execute("UPDATE inbox_event SET state = 'WAITING' WHERE key >= $1", [
        `in_${125_000 - waiting}`,
      ]);
      if (isAnalysed) await database.execute('ANALYZE');
      const explain = database.dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
      const planOf = async ({ sql, values }: Statement) =>
        (await database.query(`${explain} ${sql}`, values)).flatMap((row) => Object.values(row)).join('\n');
      return { planOf, close: () => database.close() };
    };

    it.each([
      ['of now', true],
      ['from before anything waited', false],
    ])(
      'is looked for among what waits, and claimed by its keys, with statistics %s',
      async (_, isCurrent) => {
        const url = await fresh();
        const { planOf, close } = await years(url, 5_000, isCurrent);
        const statements: Statement[] = [];
        const { one } = await twoOn(url, (statement) => statements.push(statement));
        const claimed = await one.claimDue(source, 4);
        expect(claimed.map(({ eventId }) => eventId).slice(0, 2)).toEqual(['evt_120000', 'evt_120001']);
        const plan = async (start: string) =>
          planOf(statements.find(({ sql }) => sql.startsWith(start)) as Statement);
        const look = await plan('SELECT key FROM');
        expect(look).toContain('inbox_event_waiting');
        expect(look).not.toMatch(/pkey|autoindex/);
        const claim = await plan('UPDATE inbox_event SET claimed_by = $1 WHERE key IN');
        expect(claim).toMatch(/pkey|autoindex/);
        expect(claim).not.toContain('inbox_event_waiting');
        await close();
      },
    );

    it('needs no look at what else waits for one that is replayed', async () => {
      const url = await fresh();
      const { planOf, close } = await years(url);
      const statements: Statement[] = [];
      const { one } = await twoOn(url, (statement) => statements.push(statement));
      const [event] = await one.find('evt_124000');
      expect(await one.claimOne(event as InboxEvent)).toBe(true);
      const { number: _, state: __, nextAt: ___, failures: ____, ...attempt } = outcome('in_124000', {});
      await one.recordReplay(attempt, (state) => state);
      await one.releaseClaim('in_124000');
      const ofEvents = statements.filter(({ sql }) => /inbox_event\b/.test(sql));
      expect(ofEvents.length).toBeGreaterThan(4);
      for (const statement of ofEvents) {
        const plan = await planOf(statement);
        expect(plan, statement.sql).not.toMatch(/Seq Scan|SCAN inbox|inbox_event_waiting/);
      }
      await close();
    });

    it('is given back at the end of a run without reading what is settled', async () => {
      const url = await fresh();
      const { planOf, close } = await years(url, 100);
      const statements: Statement[] = [];
      const { one, two } = await twoOn(url, (statement) => statements.push(statement));
      const ids = async (inbox: Inbox) => (await inbox.claimDue(source, 2)).map(({ eventId }) => eventId);
      expect(await ids(one)).toEqual(['evt_124900', 'evt_124901']);
      statements.length = 0;
      await one.releaseAllClaims();
      const [end] = statements.filter(({ sql }) => /inbox_event\b/.test(sql));
      expect(await planOf(end as Statement)).toContain('inbox_event_waiting');
      expect(await ids(two)).toEqual(['evt_124900', 'evt_124901']);
      await close();
    });

    it('is no longer held once it was given up, and its holder has ended its run', async () => {
      const { one, two } = await twoOn(await fresh());
      const { key } = await one.add(delivery('evt_1'));
      const gaveUp = { state: 'GIVEN_UP', nextAt: null } as const;
      await one.claimDue(source, 1);
      await one.record(outcome(key, gaveUp));
      expect(await one.claimOne({ key })).toBe(true);
      expect(await two.claimOne({ key })).toBe(false);
      await one.releaseAllClaims();
      expect(await two.claimOne({ key })).toBe(true);
      await two.releaseClaim(key);
      expect(await one.claimOne({ key })).toBe(true);
      await one.releaseAllClaims();
      await two.add(delivery('evt_1'));
      expect(await two.claimDue(source, 1)).toHaveLength(1);
    });

    it('of a listener that is gone is claimed at once, with what was never claimed, oldest first', async () => {
      const { time, one, two } = await twoOn(await fresh());
      for (const id of ['evt_1', 'evt_2', 'evt_3', 'evt_4']) await one.add(delivery(id));
      expect(await one.claimDue(source, 2)).toHaveLength(2);
      time.at += 25_000;
      const claimed = await two.claimDue(source, 3);
      expect(claimed.map(({ eventId }) => eventId)).toEqual(['evt_1', 'evt_2', 'evt_3']);
    });
  });
}
