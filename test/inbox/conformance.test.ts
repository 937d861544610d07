import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import { ConstraintError } from '../../src/database/port.ts';
import { createClaimOwner } from '../../src/inbox/claim-owner.ts';
import { createInbox } from '../../src/inbox/create-inbox.ts';
import type { ClaimOwner } from '../../src/inbox/heartbeat.ts';
import type { ForwardOutcome, Inbox, NewDelivery } from '../../src/inbox/inbox.ts';
import { inboxMigrations } from '../../src/inbox/schema.ts';
import { freshDatabases } from '../support/databases.ts';
import { skipped } from '../support/platform.ts';

const drivers = freshDatabases();

const delivery = (eventId: string, more: Partial<NewDelivery> = {}): NewDelivery => ({
  source: 'signer-1',
  eventId,
  event: 'CHARGE_PAID',
  body: new TextEncoder().encode(`{"id":"${eventId}","nul":"\u0000"}`),
  headers: [
    ['Content-Type', 'application/json'],
    ['service-signature', 't=1,v1=ab'],
  ],
  origin: 'delivery',
  forward: 'claim',
  ...more,
});

const outcome = (key: string, more: Partial<ForwardOutcome>): ForwardOutcome => ({
  key,
  number: 1,
  url: 'http://localhost:3000/',
  startedAt: 1_767_323_045_000,
  ms: 12,
  status: 500,
  error: null,
  answer: null,
  signature: 'original',
  state: 'WAITING',
  nextAt: 0,
  failures: 1,
  ...more,
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

for (const { name, skip, fresh } of drivers) {
  describe.skipIf(skip !== null)(skipped(name, skip), () => {
    const open = async (url: string, owner?: ClaimOwner): Promise<Inbox> =>
      createInbox(
        await openDatabase(url, { room: 'inbox', migrations: inboxMigrations, clock: systemClock }),
        {
          clock: systemClock,
          owner: owner ?? (await createClaimOwner(true)),
        },
      );

    it.each([
      ['that was not to be forwarded when it first came', 'NONE', 'WAITING'],
      ['that was given up', 'GIVEN_UP', 'WAITING'],
      ['that was delivered', 'DELIVERED', 'DELIVERED'],
    ] as const)('a repeat of an event %s: %s becomes %s', async (_, before, after) => {
      const inbox = await open(await fresh());
      const { key } = await inbox.add(delivery('evt_1', { forward: before === 'NONE' ? 'none' : 'claim' }));
      if (before !== 'NONE') await inbox.record(outcome(key, { state: before, nextAt: null, failures: 10 }));
      const kept = await inbox.add(delivery('evt_1', { forward: 'none' }));
      expect(kept).toMatchObject({ key, duplicate: true, state: before });
      const again = await inbox.add(delivery('evt_1', { body: new TextEncoder().encode('other bytes') }));
      expect(again).toMatchObject({ key, duplicate: true, state: after });
      const due = await inbox.claimDue('signer-1', 10);
      expect(due.map(({ eventId, failures, target }) => ({ eventId, failures, target }))).toEqual(
        after === 'WAITING' ? [{ eventId: 'evt_1', failures: 0, target: null }] : [],
      );
      for (const { body } of due) expect(new TextDecoder().decode(body)).toContain('"id":"evt_1"');
      await inbox.close();
    });

    it('refuses a state that does not exist', async () => {
      const url = await fresh();
      const inbox = await open(url);
      const { key } = await inbox.add(delivery('evt_1'));
      await inbox.close();
      const database = await openDatabase(url, {
        room: 'inbox',
        migrations: inboxMigrations,
        clock: systemClock,
      });
      const changed = database.query('UPDATE inbox_event SET state = $1 WHERE key = $2', ['LOST', key]);
      await expect(changed).rejects.toThrow(ConstraintError);
      await database.close();
    });

    it('gives back the exact bytes and the headers in their order and spelling', async () => {
      const inbox = await open(await fresh());
      const body = new Uint8Array([0x7b, 0x00, 0xff, 0x0a, 0x7d]);
      await inbox.add(delivery('evt_1', { body }));
      const [event] = await inbox.find('evt_1');
      expect([...(event?.body ?? [])]).toEqual([0x7b, 0x00, 0xff, 0x0a, 0x7d]);
      expect(event?.headers).toEqual([
        ['Content-Type', 'application/json'],
        ['service-signature', 't=1,v1=ab'],
      ]);
      expect(event).toMatchObject({ state: 'WAITING', duplicates: 0, attempts: 0, origin: 'delivery' });
      await inbox.close();
    });

    it('stores a duplicate once and counts it, also within one commit', async () => {
      const inbox = await open(await fresh());
      const answers = await Promise.all(
        ['evt_1', 'evt_2', 'evt_1', 'evt_1'].map((id) => inbox.add(delivery(id))),
      );
      expect(answers.map(({ duplicate }) => duplicate)).toEqual([false, false, true, true]);
      expect(answers[2]?.key).toBe(answers[0]?.key);
      expect((await inbox.add(delivery('evt_2'))).duplicate).toBe(true);
      expect((await all(inbox.list())).map(({ eventId, duplicates }) => [eventId, duplicates])).toEqual([
        ['evt_2', 1],
        ['evt_1', 2],
      ]);
      await inbox.close();
    });

    it('says of a duplicate that it has another body, which is not kept', async () => {
      const inbox = await open(await fresh());
      const body = (byte: number) => ({ body: new Uint8Array([0x00, 0xff, byte]) });
      const { key } = await inbox.add(delivery('evt_1', body(1)));
      expect(await inbox.add(delivery('evt_1', body(1)))).not.toHaveProperty('changed');
      expect(await inbox.add(delivery('evt_1', body(2)))).toMatchObject({
        key,
        duplicate: true,
        changed: true,
      });
      expect((await all(inbox.list()))[0]).toMatchObject({ eventId: 'evt_1', duplicates: 2 });
      await inbox.close();
    });

    it('finds events by what their bodies hold', async () => {
      const inbox = await open(await fresh());
      const body = (text: string) => ({ body: new TextEncoder().encode(text) });
      await inbox.add(delivery('evt_1', body('{"data":{"id":"chg_1","name":"Jo\u00e3o %"}}')));
      await inbox.add(delivery('evt_2', { body: new Uint8Array([0xff, 0x00, 0x63, 0x68, 0x67]) }));
      const ids = async (contains: string) =>
        (await all(inbox.list({ contains }))).map(({ eventId }) => eventId);
      expect(await ids('chg')).toEqual(['evt_2', 'evt_1']);
      expect(await ids('chg_1')).toEqual(['evt_1']);
      expect(await ids('Jo\u00e3o %')).toEqual(['evt_1']);
      expect(await ids("' OR 1=1 --")).toEqual([]);
      await inbox.close();
    });

    it('takes over an inbox of the first version, whose attempts kept no answer', async () => {
      const url = await fresh();
      const old = await openDatabase(url, {
        room: 'inbox',
        migrations: inboxMigrations.slice(0, 1),
        clock: systemClock,
      });
      await old.query(
        "INSERT INTO inbox_event (key, source, event_id, copy, event, received_at, origin, headers, body, state) VALUES ('in_1', 's', 'evt_1', '', 'X', 1, 'delivery', '[]', $1, 'GIVEN_UP')",
        [new Uint8Array([0x7b, 0x7d])],
      );
      await old.query(
        "INSERT INTO inbox_attempt (key, number, url, started_at, ms, status, signature) VALUES ('in_1', 1, 'http://localhost/', 1, 1, 422, 'original')",
      );
      await old.close();
      const inbox = await open(url);
      expect(await inbox.attempts('in_1')).toMatchObject([{ status: 422, answer: null }]);
      await inbox.record(outcome('in_1', { number: 2, answer: 'no such customer' }));
      expect(await inbox.attempts('in_1')).toMatchObject([{}, { number: 2, answer: 'no such customer' }]);
      await inbox.close();
    });

    it('forgets what is settled and old, with its attempts, and never what is owed', async () => {
      const inbox = await open(await fresh());
      const states = ['DELIVERED', 'GIVEN_UP', 'WAITING'] as const;
      for (const state of states) {
        const { key } = await inbox.add(delivery(`evt_${state}`));
        await inbox.record(outcome(key, { state, nextAt: state === 'WAITING' ? 0 : null }));
      }
      await inbox.add(delivery('evt_NONE', { forward: 'none' }));
      const many = Array.from({ length: 600 }, (_, at) => `evt_${at}`);
      const added = await Promise.all(many.map((id) => inbox.add(delivery(id))));
      await Promise.all(
        added.map(({ key }) => inbox.record(outcome(key, { state: 'DELIVERED', nextAt: null }))),
      );
      const ids = async () => (await all(inbox.list())).map(({ eventId }) => eventId);
      const later = systemClock.now() + 1_000;
      expect(await inbox.prune({ state: 'DELIVERED', before: later - 3_600_000 })).toBe(0);
      expect(await inbox.countPrunable({ state: 'DELIVERED', before: later })).toBe(601);
      expect(await inbox.prune({ state: 'DELIVERED', before: later })).toBe(601);
      expect(await ids()).toEqual(['evt_NONE', 'evt_WAITING', 'evt_GIVEN_UP']);
      expect(await inbox.attempts(added[0]?.key ?? '')).toEqual([]);
      expect(await inbox.prune({ state: 'GIVEN_UP', before: later })).toBe(1);
      expect(await inbox.prune({ state: 'NONE', before: later })).toBe(1);
      expect(await ids()).toEqual(['evt_WAITING']);
      await inbox.close();
    });

    it('keeps nothing of an attempt whose event was replayed and forgotten meanwhile', async () => {
      const inbox = await open(await fresh());
      const { key } = await inbox.add(delivery('evt_forgotten'));
      await inbox.recordReplay(outcome(key, { status: 200 }), () => 'DELIVERED');
      expect(await inbox.prune({ state: 'DELIVERED', before: Number.MAX_SAFE_INTEGER })).toBe(1);
      // So many that they share the commit of what is stored with them.
      const attempts = Array.from({ length: 8 }, (_, at) => inbox.record(outcome(key, { number: at + 1 })));
      await Promise.all([...attempts, inbox.add(delivery('evt_beside'))]);
      expect(await inbox.attempts(key)).toEqual([]);
      expect(await all(inbox.list())).toMatchObject([{ eventId: 'evt_beside' }]);
      await inbox.close();
    });

    it('plans no attempt for what was accepted, whatever an attempt says that ends later', async () => {
      const inbox = await open(await fresh());
      const { key } = await inbox.add(delivery('evt_1'));
      await inbox.record(outcome(key, { nextAt: 7 }));
      expect(await inbox.find(key)).toMatchObject([{ state: 'WAITING', nextAt: 7 }]);
      await inbox.record(outcome(key, { number: 2, state: 'DELIVERED', status: 200, nextAt: null }));
      await inbox.record(outcome(key, { number: 3, state: 'WAITING', status: 500, nextAt: 9 }));
      expect(await inbox.find(key)).toMatchObject([{ state: 'DELIVERED', status: 200, nextAt: null }]);
      expect(await inbox.claimDue('signer-1', 10)).toEqual([]);
      await inbox.close();
    });

    it('treats the same id from another signer as another event', async () => {
      const inbox = await open(await fresh());
      await inbox.add(delivery('evt_1'));
      expect((await inbox.add(delivery('evt_1', { source: 'signer-2' }))).duplicate).toBe(false);
      await inbox.add(delivery('evt_2', { source: 'signer-2' }));
      const waiting = await inbox.countWaiting();
      expect(waiting.map(({ source, target, events }) => [source, target, events])).toEqual([
        ['signer-1', null, 1],
        ['signer-2', null, 2],
      ]);
      await inbox.close();
    });

    it('stores many in few statements, in the order of arrival', async () => {
      const inbox = await open(await fresh());
      const ids = Array.from({ length: 137 }, (_, at) => `evt_${String(at).padStart(3, '0')}`);
      await Promise.all(ids.map((id) => inbox.add(delivery(id))));
      expect((await all(inbox.list())).map(({ eventId }) => eventId)).toEqual([...ids].reverse());
      expect(await inbox.countWaiting()).toMatchObject([{ source: 'signer-1', target: null, events: 137 }]);
      await inbox.close();
    });

    it('lets nobody claim what a live process holds, and everybody what it gave back', async () => {
      const url = await fresh();
      const [one, two] = [await open(url), await open(url)];
      await one.add(delivery('evt_1'));
      await one.add(delivery('evt_2', { forward: 'leave' }));
      expect((await two.claimDue('signer-1', 10)).map(({ eventId }) => eventId)).toEqual(['evt_2']);
      await one.releaseAllClaims();
      expect((await two.claimDue('signer-1', 10)).map(({ eventId }) => eventId)).toEqual(['evt_1']);
      expect(await two.claimDue('signer-1', 10)).toEqual([]);
      await one.close();
      await two.close();
    });

    it.each([
      [
        'whatever is due',
        { names: { except: [] }, excludedTargets: [] },
        ['paid', 'refund', 'to 4000', 'to 5000'],
      ],
      [
        'all but one name',
        { names: { except: ['REFUND'] }, excludedTargets: [] },
        ['paid', 'to 4000', 'to 5000'],
      ],
      ['one name', { names: { only: ['REFUND'] }, excludedTargets: [] }, ['refund', 'to 4000', 'to 5000']],
      ['no name', { names: { only: [] }, excludedTargets: ['4000'] }, ['to 5000']],
      ['names that nothing has', { names: { only: ['X', 'Y'] }, excludedTargets: ['4000', '5000'] }, []],
      [
        'all but one address',
        { names: { except: [] }, excludedTargets: ['5000'] },
        ['paid', 'refund', 'to 4000'],
      ],
    ])('claims %s: %o', async (_what, choice, expected) => {
      const inbox = await open(await fresh());
      const leave = { forward: 'leave' } as const;
      await inbox.add(delivery('paid', leave));
      await inbox.add(delivery('refund', { ...leave, event: 'REFUND' }));
      await inbox.add(delivery('to 4000', { ...leave, target: '4000' }));
      await inbox.add(delivery('to 5000', { ...leave, event: 'REFUND', target: '5000' }));
      const claimed = await inbox.claimDue('signer-1', 10, choice);
      expect(claimed.map(({ eventId }) => eventId)).toEqual(expected);
      expect(await inbox.claimDue('signer-1', 10)).toHaveLength(4 - expected.length);
      await inbox.close();
    });

    it('gives an event to exactly one of several that claim at once', async () => {
      const url = await fresh();
      const claimants = await Promise.all([open(url), open(url), open(url)]);
      await Promise.all(
        Array.from({ length: 40 }, (_, at) => claimants[0]?.add(delivery(`evt_${at}`, { forward: 'leave' }))),
      );
      const ids: string[] = [];
      // Those that lost a row to another find less; what is left over goes in the next rounds.
      for (let found = 1; found > 0; ) {
        const claimed = await Promise.all(
          claimants.flatMap((inbox) => [inbox.claimDue('signer-1', 9), inbox.claimDue('signer-1', 9)]),
        );
        found = claimed.flat().length;
        ids.push(...claimed.flat().map(({ eventId }) => eventId));
      }
      expect(ids.length).toBe(40);
      expect(new Set(ids).size).toBe(40);
      for (const inbox of claimants) await inbox.close();
    });

    it('records attempts, waits until the next one is due, and keeps the history', async () => {
      const inbox = await open(await fresh());
      const { key } = await inbox.add(delivery('evt_1'));
      await inbox.record(outcome(key, { nextAt: systemClock.now() + 55_000 }));
      expect(await inbox.claimDue('signer-1', 10)).toEqual([]);
      await inbox.postpone(key, 0);
      const [claimed] = await inbox.claimDue('signer-1', 10);
      expect(claimed).toMatchObject({ attempts: 1, failures: 1, status: 500 });
      await inbox.record(
        outcome(key, { number: 2, status: 204, state: 'DELIVERED', nextAt: null, signature: 'fresh' }),
      );
      expect(await inbox.countWaiting()).toEqual([]);
      expect(
        (await inbox.attempts(key)).map(({ number, status, signature }) => [number, status, signature]),
      ).toEqual([
        [1, 500, 'original'],
        [2, 204, 'fresh'],
      ]);
      await inbox.close();
    });

    it('does not wait for as long as the clock of the machine was set back', async () => {
      const inbox = await open(await fresh());
      const { key } = await inbox.add(delivery('evt_1'));
      await inbox.record(outcome(key, { nextAt: systemClock.now() + 3_600_000 }));
      expect((await inbox.claimDue('signer-1', 10)).map(({ eventId }) => eventId)).toEqual(['evt_1']);
      await inbox.close();
    });

    it('numbers attempts as they are recorded, and what was taken meanwhile stays taken', async () => {
      const inbox = await open(await fresh());
      const { key } = await inbox.add(delivery('evt_1'));
      const { state: _, number, nextAt, failures, ...attempt } = outcome(key, { status: 204 });
      const record = (outcome: Partial<ForwardOutcome>) =>
        inbox.record({ ...attempt, number, nextAt, failures, state: 'WAITING', ...outcome });
      expect(await inbox.recordReplay(attempt, (before) => before)).toEqual({ number: 1, state: 'WAITING' });
      await record({ status: 500, startedAt: 7 });
      // Written again, because it was not known whether it was written.
      await record({ status: 500, startedAt: 7, number: 2 });
      expect(await inbox.recordReplay(attempt, () => 'DELIVERED')).toEqual({ number: 3, state: 'DELIVERED' });
      await record({ status: 500, number: 2, startedAt: 8 });
      expect((await inbox.attempts(key)).map((one) => [one.number, one.status])).toEqual([
        [1, 204],
        [2, 500],
        [3, 204],
        [4, 500],
      ]);
      expect(await inbox.find(key)).toMatchObject([{ state: 'DELIVERED', status: 204, attempts: 4 }]);
      await inbox.close();
    });

    it('claims one event where it is owed and free, and gives back that claim only', async () => {
      const url = await fresh();
      const [listener, replay] = [await open(url), await open(url)];
      const { key } = await listener.add(delivery('evt_1'));
      const event = { key, source: 'signer-1' };
      expect(await replay.claimOne(event)).toBe(false);
      await replay.releaseClaim(key);
      expect(await replay.claimDue('signer-1', 1)).toEqual([]);
      await listener.postpone(key, 0);
      expect(await replay.claimOne(event)).toBe(true);
      expect(await listener.claimDue('signer-1', 1)).toEqual([]);
      await replay.releaseClaim(key);
      expect(await listener.claimDue('signer-1', 1)).toHaveLength(1);
      await listener.record(outcome(key, { state: 'GIVEN_UP', nextAt: null }));
      expect(await replay.claimOne(event)).toBe(true);
      // It comes again while it is replayed: owed, and not taken by a listener before that has ended.
      expect((await listener.add(delivery('evt_1'))).state).toBe('WAITING');
      expect(await listener.claimDue('signer-1', 1)).toEqual([]);
      await replay.releaseClaim(key);
      expect(await listener.claimDue('signer-1', 1)).toHaveLength(1);
      await listener.record(outcome(key, { state: 'DELIVERED', nextAt: null, number: 2 }));
      expect(await replay.claimOne(event)).toBe(false);
      await listener.close();
      await replay.close();
    });

    it.each([
      ['event', { event: 'REFUND_COMPLETED' }, ['evt_3']],
      ['id', { id: 'evt_2' }, ['evt_2']],
      ['state', { state: 'NONE' as const }, ['evt_3']],
      ['last', { last: 2 }, ['evt_3', 'evt_2']],
      ['since, in the future', { since: 99_999_999_999_999 }, []],
      ['until, long ago', { until: 1 }, []],
    ])('lists by %s', async (_what, filter, expected) => {
      const inbox = await open(await fresh());
      await inbox.add(delivery('evt_1'));
      await inbox.add(delivery('evt_2'));
      await inbox.add(delivery('evt_3', { event: 'REFUND_COMPLETED', forward: 'none' }));
      expect((await all(inbox.list(filter))).map(({ eventId }) => eventId)).toEqual(expected);
      await inbox.close();
    });

    it('keeps edited copies beside the original', async () => {
      const inbox = await open(await fresh());
      await inbox.add(delivery('evt_1'));
      for (const edits of ['data.amount=1', 'data.amount=2']) {
        expect((await inbox.add(delivery('evt_1', { origin: 'edited', edits }))).duplicate).toBe(false);
      }
      expect((await inbox.add(delivery('evt_1'))).duplicate).toBe(true);
      expect((await inbox.find('evt_1')).map(({ edits }) => edits)).toEqual([
        'data.amount=2',
        'data.amount=1',
        null,
      ]);
      await inbox.close();
    });

    it('remembers what polling saw, by scope', async () => {
      const inbox = await open(await fresh());
      await inbox.writePollMarks('a', new Map([['chg_1', { status: 'PENDING', createdAt: null }]]));
      await inbox.writePollMarks('a', new Map([['chg_1', { status: 'PAID', createdAt: null }]]));
      expect([...(await inbox.readPollMarks('a'))]).toEqual([['chg_1', { status: 'PAID', createdAt: null }]]);
      expect((await inbox.readPollMarks('b')).size).toBe(0);
      const anew = { status: 'PENDING', createdAt: '2026-01-02T03:04:05Z' };
      await inbox.writePollMarks('a', new Map([['chg_1', anew]]));
      expect((await inbox.readPollMarks('a')).get('chg_1')).toEqual(anew);
      await inbox.writePollMarks('b', new Map([['chg_1', anew]]));
      await inbox.writePollMarks('a', new Map([['chg_2', anew]]), ['chg_1']);
      expect([...(await inbox.readPollMarks('a')).keys()]).toEqual(['chg_2']);
      expect([...(await inbox.readPollMarks('b')).keys()]).toEqual(['chg_1']);
      await inbox.close();
    });
  });
}
