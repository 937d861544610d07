/** What every ledger does: on SQLite, on a real PostgreSQL server, and the one in memory of the simulation. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Cents, IdempotencyKey } from '../../src/contract/brand.ts';
import { ConstraintError } from '../../src/database/port.ts';
import { type Intent, type NewEvent, type Scope, scopeOf } from '../../src/ledger/intent.ts';
import {
  type Ledger,
  type MarkSendingOptions,
  type NewIntent,
  OvertakenError,
} from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import type { Owner } from '../../src/owner/owner.ts';
import { memoryLedger } from '../support/memory-ledger.ts';
import { type Pooler, pgbouncerMissing, startPgbouncer } from '../support/pgbouncer.ts';
import { skipped } from '../support/platform.ts';
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts';

const scope = scopeOf({ merchant: 'loja', baseUrl: 'http://127.0.0.1:1' });
const other = scopeOf({ merchant: 'outra', baseUrl: 'http://127.0.0.1:1' });
const owner: Owner = { host: 'h', boot: 'b', pid: 7, started: '99' };
const key = (text: string) => text as IdempotencyKey;
let count = 0;
const event = (what: string, at = 1000, details = {}): NewEvent => ({ id: `e${++count}`, at, what, details });
const intent = (name: string, more: Partial<NewIntent> = {}): NewIntent => ({
  id: `i-${name}-${++count}`,
  kind: 'withdrawal',
  scope,
  idempotencyKey: key(name),
  amount: 1050 as Cents,
  request: `{"amount":1050,"pixKey":"${name}"}`,
  ...more,
});
const sending = (expectedFence: number, more: Partial<MarkSendingOptions> = {}): MarkSendingOptions => ({
  owner,
  at: 2000,
  expectedFence,
  baseline: [],
  ...more,
});

let server: Postgres | null = null;
let pooler: Pooler | null = null;
beforeAll(async () => {
  if (postgresMissing === null) server = await startPostgres();
  if (server !== null && pgbouncerMissing === null)
    pooler = await startPgbouncer(await server.createDatabase());
});
afterAll(async () => {
  await pooler?.stop();
  await server?.stop();
});

const open = (url: string) => openLedger({ url, expectedId: null, clock: systemClock });
const ledgers = [
  { name: 'memory', skip: null, fresh: async () => memoryLedger() },
  {
    name: 'sqlite',
    skip: null,
    fresh: () => open(join(mkdtempSync(join(tmpdir(), 'pixctl-ledger-')), 'ledger.db')),
  },
  {
    name: 'postgres',
    skip: postgresMissing,
    fresh: async () => open((await server?.createDatabase()) ?? ''),
  },
  {
    name: 'postgres behind pgbouncer, which pools transactions',
    skip: pgbouncerMissing,
    fresh: async () => open(pooler?.over((await server?.createDatabase()) ?? '') ?? ''),
  },
];

for (const { name, skip, fresh } of ledgers) {
  describe.skipIf(skip !== null)(skipped(name, skip), () => {
    const plan = async (ledger: Ledger, of: NewIntent): Promise<Intent> =>
      (await ledger.plan(of, event('planned'))).intent;
    const send = async (ledger: Ledger, of: Intent, how: MarkSendingOptions): Promise<Intent> => {
      const result = await ledger.markSending(of, how, event('sending'));
      if (result.kind !== 'sending') throw new Error(`not sending: ${result.kind}`);
      return result.intent;
    };
    const kindOf = async (ledger: Ledger, of: Intent, how: MarkSendingOptions) =>
      (await ledger.markSending(of, how, event('sending'))).kind;

    it('keeps an intent and tells its history in order', async () => {
      const ledger = await fresh();
      const first = await plan(ledger, intent('a'));
      expect(first).toMatchObject({ state: 'PLANNED', version: 1, fence: null, createdAt: 1000 });
      const second = await send(ledger, first, sending(0, { baseline: ['w1'] }));
      expect(second).toMatchObject({
        state: 'SENDING',
        version: 2,
        fence: 1,
        listedCount: 1,
        owner,
        sentAt: 2000,
      });
      const change = { state: 'ACCEPTED', resourceId: 'w2', inferred: true, result: '{}' } as const;
      const third = await ledger.record(second, change, event('adopted', 3000, { by: 'list' }));
      expect(third).toMatchObject({ state: 'ACCEPTED', version: 3, resourceId: 'w2', inferred: true });
      expect(await ledger.find(scope, key('a'))).toEqual(third);
      expect(
        (await ledger.events(first)).map(({ version, state, what, at, details }) => [
          version,
          state,
          what,
          at,
          details,
        ]),
      ).toEqual([
        [1, 'PLANNED', 'planned', 1000, {}],
        [2, 'SENDING', 'sending', 1000, {}],
        [3, 'ACCEPTED', 'adopted', 3000, { by: 'list' }],
      ]);
      await ledger.close();
    });

    it('has one intent per key, and returns the first one to whoever plans it again', async () => {
      const ledger = await fresh();
      const first = await ledger.plan(intent('a'), event('planned'));
      const again = await ledger.plan(intent('a', { amount: 2 as Cents }), event('planned'));
      expect([first.created, again.created, again.intent.id]).toEqual([true, false, first.intent.id]);
      expect((await ledger.plan(intent('a', { scope: other }), event('planned'))).created).toBe(true);
      expect((await ledger.plan(intent('A'), event('planned'))).created).toBe(true);
      await ledger.close();
    });

    it('plans one key once, however many ask at once', async () => {
      const ledger = await fresh();
      const all = await Promise.all(
        Array.from({ length: 8 }, () => ledger.plan(intent('a'), event('planned'))),
      );
      expect(all.filter(({ created }) => created).length).toBe(1);
      expect(new Set(all.map((one) => one.intent.id)).size).toBe(1);
      await ledger.close();
    });

    it('lets one withdrawal of a scope send, and nobody while it is open', async () => {
      const ledger = await fresh();
      const a = await plan(ledger, intent('a'));
      const b = await plan(ledger, intent('b'));
      const c = await plan(ledger, intent('c', { scope: other }));
      const open = await send(ledger, a, sending(0));
      expect(await kindOf(ledger, b, sending(0))).toBe('busy');
      expect(await kindOf(ledger, b, sending(1))).toBe('busy');
      expect(await kindOf(ledger, c, sending(0))).toBe('sending');
      expect((await ledger.findOpen(scope))?.id).toBe(a.id);
      const unknown = await ledger.record(open, { state: 'UNKNOWN' }, event('lost'));
      expect(await kindOf(ledger, b, sending(1))).toBe('busy');
      if (unknown === null) throw new Error('stale');
      await ledger.record(unknown, { state: 'NOT_SENT' }, event('resolved'));
      expect(await kindOf(ledger, b, sending(1))).toBe('sending');
      await ledger.close();
    });

    it('lets exactly one of many senders that start at once send', async () => {
      const ledger = await fresh();
      const all = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((one) => plan(ledger, intent(one))));
      const kinds = await Promise.all(all.map((one) => kindOf(ledger, one, sending(0))));
      expect(kinds.filter((kind) => kind === 'sending').length).toBe(1);
      expect(kinds.every((kind) => ['sending', 'busy', 'stale'].includes(kind))).toBe(true);
      await ledger.close();
    });

    it('begins nothing when another send came between the look and the send', async () => {
      const ledger = await fresh();
      const a = await send(ledger, await plan(ledger, intent('a')), sending(0));
      await ledger.record(a, { state: 'REFUSED', reason: 'BAD_REQUEST' }, event('answered'));
      const b = await plan(ledger, intent('b'));
      expect(await kindOf(ledger, b, sending(0))).toBe('stale');
      expect(await ledger.fence(scope)).toBe(1);
      // The refused one is sent again and frees number 1: the fence still counts.
      const refused = await ledger.find(scope, key('a'));
      if (refused === null) throw new Error('lost');
      const again = await send(ledger, refused, sending(1));
      await ledger.record(again, { state: 'REFUSED' }, event('answered'));
      expect(await kindOf(ledger, b, sending(0))).toBe('stale');
      expect(await kindOf(ledger, b, sending(2))).toBe('sending');
      await ledger.close();
    });

    it('begins nothing when the very intent was sent since the fence was read', async () => {
      const ledger = await fresh();
      const a = await send(ledger, await plan(ledger, intent('a')), sending(0));
      const again = await ledger.record(a, { state: 'NOT_SENT' }, event('not-sent'));
      if (again === null) throw new Error('stale');
      expect(await kindOf(ledger, again, sending(0))).toBe('stale');
      expect((await send(ledger, again, sending(1))).fence).toBe(2);
      await ledger.close();
    });

    it('marks a departure only while nobody has called it off, or has it marked from the start', async () => {
      const ledger = await fresh();
      const a = await send(ledger, await plan(ledger, intent('a')), sending(0));
      expect(a.departed).toBe(ledger.markDeparted === undefined);
      if (ledger.markDeparted === undefined) return ledger.close();
      const departed = ledger.markDeparted(a, event('departing'));
      expect(departed).toMatchObject({ state: 'SENDING', departed: true, version: 3 });
      expect(await ledger.find(scope, key('a'))).toEqual(departed);
      const notSent = await ledger.record(departed, { state: 'NOT_SENT' }, event('not-sent'));
      expect(() => ledger.markDeparted?.(departed, event('departing'))).toThrow(OvertakenError);
      if (notSent === null) throw new Error('stale');
      expect((await send(ledger, notSent, sending(1))).departed).toBe(false);
      await ledger.close();
    });

    it('knows which key sent an order last', async () => {
      const ledger = await fresh();
      const request = '{"amount":1050}';
      const a = await plan(ledger, intent('a', { request }));
      await plan(ledger, intent('unsent', { request }));
      const lastKey = async (asked: Scope, order: string) =>
        (await ledger.lastSent(asked, order))?.idempotencyKey ?? null;
      expect(await lastKey(scope, request)).toBeNull();
      await ledger.record(await send(ledger, a, sending(0)), { state: 'REFUSED' }, event('answered'));
      const b = await send(ledger, await plan(ledger, intent('b', { request })), sending(1));
      await ledger.record(b, { state: 'REFUSED' }, event('answered'));
      const other = await plan(ledger, intent('c'));
      await send(ledger, other, sending(2));
      expect([await lastKey(scope, request), await lastKey(scope, other.request)]).toEqual(['b', 'c']);
      const from = async (fence: number) => (await ledger.lastSent(scope, request, fence))?.idempotencyKey;
      expect([await from(1), await from(2), await from(3)]).toEqual(['b', 'b', undefined]);
      expect([await lastKey(scope, '{}'), await lastKey('elsewhere' as Scope, request)]).toEqual([
        null,
        null,
      ]);
      await ledger.close();
    });

    it('sends no intent that is being sent, unknown, accepted or at its end, or that somebody else changed meanwhile', async () => {
      const ledger = await fresh();
      const a = await plan(ledger, intent('a'));
      let current = await send(ledger, a, sending(0));
      expect(await kindOf(ledger, current, sending(1))).toBe('stale');
      for (const state of ['UNKNOWN', 'ACCEPTED', 'FAILED'] as const) {
        const next = await ledger.record(current, { state, resourceId: 'w1' }, event('told'));
        if (next === null) throw new Error('stale');
        current = next;
        expect([state, await kindOf(ledger, current, sending(1))]).toEqual([state, 'stale']);
      }
      expect(await kindOf(ledger, a, sending(1))).toBe('stale');
      await ledger.close();
    });

    it('lets one of two changes win, and repeats its own write without harm', async () => {
      const ledger = await fresh();
      const open = await send(ledger, await plan(ledger, intent('a')), sending(0));
      const mine = event('lost');
      const won = await ledger.record(open, { state: 'UNKNOWN', reason: 'LOST' }, mine);
      expect(await ledger.record(open, { state: 'NOT_SENT' }, event('late'))).toBeNull();
      expect(await ledger.record(open, { state: 'UNKNOWN', reason: 'LOST' }, mine)).toEqual(won);
      expect((await ledger.events(open)).length).toBe(3);
      await ledger.close();
    });

    it('lets a withdrawal of the service be claimed once', async () => {
      const ledger = await fresh();
      const a = await send(ledger, await plan(ledger, intent('a')), sending(0));
      await ledger.record(a, { state: 'ACCEPTED', resourceId: 'w1' }, event('answered'));
      const b = await send(ledger, await plan(ledger, intent('b')), sending(1));
      await expect(
        ledger.record(b, { state: 'ACCEPTED', resourceId: 'w1' }, event('answered')),
      ).rejects.toBeInstanceOf(ConstraintError);
      expect((await ledger.find(scope, key('b')))?.state).toBe('SENDING');
      expect((await ledger.events(b)).length).toBe(2);
      expect(await ledger.findClaimedIds(scope, 'withdrawal', ['w1', 'w2'])).toEqual(new Set(['w1']));
      expect(await ledger.findClaimedIds(scope, 'withdrawal', [])).toEqual(new Set());
      expect(await ledger.findClaimedIds(other, 'withdrawal', ['w1'])).toEqual(new Set());
      expect(await ledger.findClaimedIds(scope, 'charge', ['w1'])).toEqual(new Set());
      await ledger.close();
    });

    it('refuses an accepted intent without the id of what was accepted', async () => {
      const ledger = await fresh();
      const a = await send(ledger, await plan(ledger, intent('a')), sending(0));
      await expect(ledger.record(a, { state: 'ACCEPTED' }, event('answered'))).rejects.toBeInstanceOf(
        ConstraintError,
      );
      await ledger.close();
    });

    it('refuses a move that the state diagram does not have', async () => {
      const ledger = await fresh();
      const a = await plan(ledger, intent('a'));
      await expect(ledger.record(a, { state: 'COMPLETED' }, event('no'))).rejects.toMatchObject({
        code: 'LEDGER_MOVE',
      });
      await ledger.close();
    });

    it('remembers what was listed before each send, and before no later one', async () => {
      const ledger = await fresh();
      const ids = Array.from({ length: 700 }, (_, at) => `w${at}`);
      const a = await send(ledger, await plan(ledger, intent('a')), sending(0, { baseline: ids }));
      await ledger.record(a, { state: 'ACCEPTED', resourceId: 'mine' }, event('answered'));
      const b = await send(
        ledger,
        await plan(ledger, intent('b')),
        sending(1, { baseline: [...ids, 'mine'] }),
      );
      expect((await ledger.baseline(scope, 1)).size).toBe(700);
      expect((await ledger.baseline(scope, 1)).has('mine')).toBe(false);
      expect((await ledger.baseline(scope, 2)).has('mine')).toBe(true);
      expect([a.listedCount, b.listedCount]).toEqual([700, 701]);
      await ledger.close();
    });

    it('holds the cap of a day in the transaction that sends', async () => {
      const ledger = await fresh();
      const a = await send(ledger, await plan(ledger, intent('a')), sending(0));
      await ledger.record(a, { state: 'ACCEPTED', resourceId: 'w1' }, event('answered'));
      const b = await plan(ledger, intent('b'));
      const limit = { since: 2000, cents: 2099 };
      expect(await ledger.markSending(b, sending(1, { limit }), event('sending'))).toEqual({
        kind: 'over-limit',
        spent: 1050,
      });
      expect((await ledger.find(scope, key('b')))?.state).toBe('PLANNED');
      expect(await kindOf(ledger, b, sending(1, { limit: { since: 2000, cents: 2100 } }))).toBe('sending');
      expect(await ledger.spentSince(scope, 2000)).toBe(2100);
      expect(await ledger.spentSince(scope, 2001)).toBe(0);
      await ledger.close();
    });

    it('counts what a person named for a key that was never sent as of when the key was planned', async () => {
      const ledger = await fresh();
      for (const where of [scope, other]) {
        const named = await plan(ledger, intent('a', { scope: where }));
        expect(await ledger.spentSince(where, 0)).toBe(0);
        await ledger.record(named, { state: 'ACCEPTED', resourceId: 'w1' }, event('resolved', 5000));
      }
      expect([await ledger.spentSince(scope, 1000), await ledger.spentSince(scope, 1001)]).toEqual([1050, 0]);
      expect(await ledger.spendingUnderOtherLabels(scope, 1000)).toHaveLength(1);
      expect(await ledger.spendingUnderOtherLabels(scope, 1001)).toEqual([]);
      await ledger.close();
    });

    it('lets charges go side by side', async () => {
      const ledger = await fresh();
      const charges = await Promise.all(
        ['a', 'b'].map((one) => plan(ledger, intent(one, { kind: 'charge' }))),
      );
      for (const one of charges) expect(await kindOf(ledger, one, sending(0))).toBe('sending');
      expect(await ledger.findOpen(scope)).toBeNull();
      expect(await ledger.spentSince(scope, 0)).toBe(0);
      await ledger.close();
    });

    it('finds what other scopes have under a key, however many keys are asked for', async () => {
      const ledger = await fresh();
      await plan(ledger, intent('mine'));
      await plan(ledger, intent('theirs', { id: 'i1', scope: other }));
      const far = scopeOf({ merchant: 'outra', baseUrl: 'http://[::1]' });
      await plan(ledger, intent('theirs', { id: 'i2', scope: far }));
      await plan(ledger, intent('fee', { scope: other, kind: 'charge' }));
      const many = Array.from({ length: 1_200 }, (_, at) => key(`k-${at}`));
      const keys = [key('mine'), key('fee'), ...many, key('theirs')];
      expect((await ledger.inOtherScopes(scope, { keys })).map(({ id }) => id).sort()).toEqual(['i1', 'i2']);
      expect(await ledger.inOtherScopes(scope, { keys: [] })).toEqual([]);
      await ledger.close();
    });

    it('finds what other labels and other addresses claim, and nothing of this scope', async () => {
      const ledger = await fresh();
      const elsewhere = scopeOf({ merchant: 'outra', baseUrl: 'http://[::1]' });
      for (const [at, one] of [scope, other, elsewhere].entries()) {
        const planned = await plan(ledger, intent('k', { id: `i${at}`, scope: one }));
        const result = await ledger.markSending(planned, sending(0), event('sending'));
        if (result.kind !== 'sending') throw new Error(result.kind);
        await ledger.record(result.intent, { state: 'ACCEPTED', resourceId: 'w1' }, event('answered'));
      }
      const found = (resourceIds: string[]) => ledger.inOtherScopes(scope, { resourceIds });
      expect((await found(['w0', 'w1'])).map(({ id }) => id).sort()).toEqual(['i1', 'i2']);
      expect(await found(['w0'])).toEqual([]);
      await ledger.close();
    });

    it('finds the withdrawals of a key in every scope', async () => {
      const ledger = await fresh();
      expect(await ledger.inEveryScope(key('k'))).toEqual([]);
      const far = scopeOf({ merchant: 'acme', baseUrl: 'http://[::1]' });
      const scopes = [
        scope,
        other,
        far,
        ...Array.from({ length: 20 }, (_, at) => `z${at} http://a` as Scope),
      ];
      for (const [at, one] of scopes.entries())
        await plan(
          ledger,
          intent('k', { id: `i${at}`, scope: one, kind: at === 1 ? 'charge' : 'withdrawal' }),
        );
      await plan(ledger, intent('else', { scope: far }));
      const found = (await ledger.inEveryScope(key('k'))).map((one) => one.scope);
      expect(found.sort()).toEqual(scopes.filter((one) => one !== other).sort());
      await ledger.close();
    });

    it('finds what any other scope has open', async () => {
      const ledger = await fresh();
      const far = scopeOf({ merchant: 'outra', baseUrl: 'http://[::1]' });
      for (const [at, one] of [scope, other, far].entries())
        await send(ledger, await plan(ledger, intent('open', { id: `i${at}`, scope: one })), sending(0));
      await plan(ledger, intent('planned', { scope: other }));
      const ids = async (from: Scope) => (await ledger.openElsewhere(from)).map((one) => one.scope).sort();
      expect(await ids(scope)).toEqual([other, far].sort());
      expect(await ids(far)).toEqual([other, scope].sort());
      await ledger.close();
    });

    it('finds what was refused in any other scope, by its amount', async () => {
      const ledger = await fresh();
      const far = scopeOf({ merchant: 'outra', baseUrl: 'http://[::1]' });
      for (const [name, from, amount] of [
        ['mine', scope, 1_050],
        ['label', other, 1_050],
        ['address', far, 1_050],
        ['dearer', other, 1_051],
      ] as const) {
        const planned = await plan(ledger, intent(name, { id: name, scope: from, amount: amount as Cents }));
        const sent = await send(ledger, planned, sending(await ledger.fence(from)));
        await ledger.record(sent, { state: 'REFUSED', reason: 'CONFLICT' }, event('refused'));
      }
      await send(ledger, await plan(ledger, intent('open', { id: 'open', scope: far })), sending(1));
      const found = async (from: Scope, ...amounts: number[]) =>
        (await ledger.refusedElsewhere(from, new Set(amounts))).map(({ id }) => id).sort();
      expect(await found(scope, 1_050)).toEqual(['address', 'label']);
      expect(await found(far, 1_050, 1_051, 7)).toEqual(['dearer', 'label', 'mine']);
      expect(await found(scope)).toEqual([]);
      await ledger.close();
    });

    it('finds what any other scope has open, claims of this id, or sent since and was once refused', async () => {
      const ledger = await fresh();
      const far = scopeOf({ merchant: 'outra', baseUrl: 'http://[::1]' });
      const claiming = async (from: Scope, name: string, resourceId: string) => {
        const fence = sending(await ledger.fence(from));
        const sent = await send(ledger, await plan(ledger, intent(name, { id: name, scope: from })), fence);
        await ledger.record(sent, { state: 'ACCEPTED', resourceId }, event('answered'));
      };
      await claiming(scope, 'mine', 'wd_1');
      await claiming(other, 'label', 'wd_1');
      await claiming(other, 'another id', 'wd_2');
      await claiming(far, 'address', 'wd_1');
      await plan(ledger, intent('planned', { id: 'planned', scope: other }));
      const at = sending(2, { at: 3_000 });
      const no = await send(ledger, await plan(ledger, intent('no', { id: 'no', scope: other })), at);
      await ledger.record(no, { state: 'REFUSED', reason: 'CONFLICT' }, event('refused', 9_000));
      const planned = await plan(ledger, intent('twice', { id: 'twice', scope: other }));
      const twice = await send(ledger, planned, sending(3, { at: 3_000 }));
      const was = await ledger.record(
        twice,
        { state: 'REFUSED', reason: 'CONFLICT' },
        event('refused', 9_000),
      );
      const again = await send(ledger, was as Intent, sending(4, { at: 3_001 }));
      await ledger.record(again, { state: 'ACCEPTED', resourceId: 'wd_9' }, event('answered'));
      await send(ledger, await plan(ledger, intent('open', { id: 'open', scope: far })), sending(1));
      const charge = await plan(ledger, intent('fee', { id: 'fee', scope: other, kind: 'charge' }));
      await ledger.markSending(charge, sending(0), event('sending'));
      const found = async (from: Scope, id: string, sentSince = 3_001) =>
        (await ledger.possibleOwnersElsewhere(from, id, sentSince)).map(({ id }) => id).sort();
      expect(await found(scope, 'wd_1', 3_002)).toEqual(['address', 'label', 'open']);
      expect(await found(scope, 'wd_3', 3_002)).toEqual(['open']);
      expect(await found(scope, 'wd_3')).toEqual(['open', 'twice']);
      expect(await found(scope, 'wd_3', 3_000)).toEqual(['no', 'open', 'twice']);
      expect(await found(far, 'wd_1')).toEqual(['label', 'mine', 'twice']);
      await ledger.close();
    });

    it('finds what other labels at the address have open, or have spent since', async () => {
      const ledger = await fresh();
      const far = scopeOf({ merchant: 'outra', baseUrl: 'http://[::1]' });
      await send(ledger, await plan(ledger, intent('mine')), sending(0));
      await send(ledger, await plan(ledger, intent('far', { scope: far })), sending(0));
      await plan(ledger, intent('planned', { scope: other }));
      const spent = await send(
        ledger,
        await plan(ledger, intent('s', { id: 'i2', scope: other })),
        sending(0),
      );
      await ledger.record(spent, { state: 'ACCEPTED', resourceId: 'wd_1' }, event('answered'));
      const ids = async (since: number) =>
        (await ledger.spendingUnderOtherLabels(scope, since)).map(({ id }) => id);
      expect(await ids(2000)).toEqual(['i2']);
      expect(await ids(2001)).toEqual([]);
      await send(ledger, await plan(ledger, intent('open', { id: 'i3', scope: other })), sending(1));
      expect(await ids(Number.MAX_SAFE_INTEGER)).toEqual(['i3']);
      await ledger.close();
    });

    it('gives all of a kind in parts, each once, however many there are', async () => {
      const ledger = await fresh();
      const names = Array.from({ length: 1_003 }, (_, at) => `K ${String(at).padStart(4, '0')}`);
      // The last part is full of others.
      // Some at a time: who waits ten seconds for a connection is turned away.
      for (let at = 0; at < names.length; at += 20)
        await Promise.all(names.slice(at, at + 20).map((one) => plan(ledger, intent(one))));
      for (let at = 0; at < 3; at++) await plan(ledger, intent(`charge ${at}`, { kind: 'charge' }));
      await plan(ledger, intent('K 0000', { scope: other }));
      const keys: string[] = [];
      for await (const part of ledger.listClaims(scope, 'withdrawal'))
        keys.push(...part.map(({ idempotencyKey }) => idempotencyKey));
      expect(keys).toEqual(names);
      for await (const part of ledger.listClaims(other, 'charge')) expect(part).toEqual([]);
      const intents: Intent[] = [];
      for await (const part of ledger.listIntents(scope, 'withdrawal')) intents.push(...part);
      expect(intents.map(({ idempotencyKey }) => idempotencyKey)).toEqual(names);
      expect(intents[7]).toEqual(await ledger.find(scope, names[7] as IdempotencyKey));
      expect((await ledger.scopes()).sort()).toEqual([scope, other].sort());
      await ledger.close();
    });

    it('finds what claims some ids, and the first send that had them listed, however many are asked for', async () => {
      const ledger = await fresh();
      const baseline = ['wd_a', 'wd_b'];
      const first = await send(ledger, await plan(ledger, intent('first')), sending(0, { baseline }));
      await ledger.record(first, { state: 'ACCEPTED', resourceId: 'wd_1' }, event('answered'));
      const later = ['wd_a', 'wd_1', 'wd_c'];
      await send(ledger, await plan(ledger, intent('second')), sending(1, { baseline: later }));
      const many = Array.from({ length: 1_200 }, (_, at) => `wd_none_${at}`);
      const asked = ['wd_c', 'wd_1', ...many, 'wd_a'];
      const claiming = await ledger.findMany(scope, 'withdrawal', { resourceIds: asked });
      expect(claiming.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['first']);
      expect(await ledger.firstSeen(scope, asked)).toEqual(
        new Map([
          ['wd_a', 1],
          ['wd_1', 2],
          ['wd_c', 2],
        ]),
      );
      expect(await ledger.findMany(scope, 'charge', { resourceIds: asked })).toEqual([]);
      const named = await ledger.findMany(scope, 'withdrawal', {
        keys: [...many, 'second', 'wd_1'].map(key),
      });
      expect(named.map(({ idempotencyKey, fence }) => [idempotencyKey, fence])).toEqual([['second', 2]]);
      expect(await ledger.findMany(other, 'withdrawal', { resourceIds: asked })).toEqual([]);
      expect(await ledger.findMany(scope, 'withdrawal', { resourceIds: [] })).toEqual([]);
      expect(await ledger.firstSeen(other, asked)).toEqual(new Map());
      await ledger.close();
    });

    it('lists the newest first, by kind and state', async () => {
      const ledger = await fresh();
      await ledger.plan(intent('a', { id: 'i1' }), event('planned', 1));
      await ledger.plan(intent('b', { id: 'i2' }), event('planned', 2));
      await ledger.plan(intent('c', { id: 'i3', kind: 'charge' }), event('planned', 3));
      const ids = async (filter: Parameters<Ledger['list']>[1]) =>
        (await ledger.list(scope, filter)).map(({ id }) => id);
      expect(await ids({})).toEqual(['i3', 'i2', 'i1']);
      expect(await ids({ kind: 'withdrawal', limit: 1 })).toEqual(['i2']);
      expect(await ids({ states: ['SENDING'] })).toEqual([]);
      expect(await ledger.list(other)).toEqual([]);
      await ledger.close();
    });
  });
}
