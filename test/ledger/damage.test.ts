/** A ledger whose index has lost its rows: no statement fails, and what is written is not found. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Cents, IdempotencyKey } from '../../src/contract/brand.ts';
import { openDatabase } from '../../src/database/open.ts';
import { ConstraintError, type Database } from '../../src/database/port.ts';
import { scopeOf } from '../../src/ledger/intent.ts';
import { intentId } from '../../src/ledger/intent-id.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { migrations } from '../../src/ledger/migrations.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { createSqlLedger } from '../../src/ledger/sql-ledger.ts';
import type { Owner } from '../../src/owner/owner.ts';
import { emptyIndex } from '../support/empty-index.ts';

const scope = scopeOf({ merchant: 'acme', baseUrl: 'https://pay.example' });
const key = 'rent-2026-03' as IdempotencyKey;
const fresh = () => join(mkdtempSync(join(tmpdir(), 'pixctl-damage-')), 'ledger.sqlite');

it('is told as damaged, with what mends it; that done, its keys are found', async () => {
  const url = fresh();
  const open = (expectedId: string | null) => openLedger({ url, expectedId, clock: systemClock });
  const made = await open(null);
  await made.plan(
    { id: 'i1', kind: 'withdrawal', scope, idempotencyKey: key, amount: 100 as Cents, request: '{}' },
    { id: 'e1', at: 1, what: 'planned' },
  );
  expect(await made.findDamage?.()).toBe(null);
  await made.close();
  emptyIndex(url, 'sqlite_autoindex_ledger_intents_2');

  const damaged = await open(made.id);
  expect(await damaged.find(scope, key)).toBe(null);
  expect(await damaged.findDamage?.()).toMatchObject({
    kind: 'storage',
    message: expect.stringMatching(
      /is damaged \(.*index sqlite_autoindex_ledger_intents_2\); nothing was sent$/,
    ),
    hint: expect.stringContaining(`Copy it, then rebuild its indexes: sqlite3 ${url} REINDEX.`),
  });
  await damaged.close();

  const person = new DatabaseSync(url);
  person.exec('REINDEX');
  person.close();
  const mended = await open(made.id);
  expect(await mended.findDamage?.()).toBe(null);
  expect((await mended.find(scope, key))?.id).toBe('i1');
  await mended.close();
});

const owner: Owner = { host: 'h', boot: 'b', pid: 7, started: '99' };

/** A ledger with a withdrawal that was refused and one that is being sent, one of whose indexes has lost its rows. */
async function withoutIndex(
  name: string | null,
  {
    ids = 'of their keys',
    also = null as string | null,
    secondAt = 2_000,
    accepted = null as string | null,
  } = {},
) {
  const url = fresh();
  const open = (expectedId: string | null) => openLedger({ url, expectedId, clock: systemClock });
  const made = await open(null);
  for (const [fence, text] of ['first', 'second'].entries()) {
    const idempotencyKey = text as IdempotencyKey;
    const id = ids === 'random' ? `id-${text}` : intentId(scope, idempotencyKey);
    const { intent } = await made.plan(
      { id, kind: 'withdrawal', scope, idempotencyKey, amount: 100 as Cents, request: `{"to":"${text}"}` },
      { id: `planned-${text}`, at: 1, what: 'planned' },
    );
    const sent = await made.markSending(
      intent,
      {
        owner,
        at: text === 'first' ? 2_000 : secondAt,
        expectedFence: fence,
        baseline: text === 'first' ? [] : ['w-0'],
      },
      { id: `sent-${text}`, at: 2_000, what: 'sending' },
    );
    if (sent.kind === 'sending' && text === 'first')
      await made.record(
        sent.intent,
        accepted === null ? { state: 'REFUSED' } : { state: 'ACCEPTED', resourceId: accepted },
        { id: 'answered', at: 3_000, what: 'answered' },
      );
  }
  await made.close();
  for (const index of [name, also]) if (index !== null) emptyIndex(url, index);
  return open(made.id);
}

const damaged = expect.objectContaining({
  kind: 'storage',
  message: expect.stringMatching(/is damaged \(.*missing in an index\); nothing was sent$/),
  hint: expect.stringContaining('REINDEX'),
});

const keysOf = async (ledger: Ledger) => {
  const found: string[] = [];
  for await (const part of ledger.listClaims(scope, 'withdrawal'))
    found.push(...part.map(({ idempotencyKey }) => idempotencyKey));
  return found;
};

const keys = 'sqlite_autoindex_ledger_intents_2';

it('does not say that nothing is open while a withdrawal is', async () => {
  await using byTime = await closed(withoutIndex('ledger_by_time'));
  expect((await byTime.ledger.findOpen(scope))?.idempotencyKey).toBe('second');
  await using byState = await closed(withoutIndex('ledger_one_open'));
  await expect(byState.ledger.findOpen(scope)).rejects.toEqual(damaged);
});

it('does not take what another merchant has open for damage of its own', async () => {
  await using whole = await closed(withoutIndex('ledger_by_time'));
  const other = scopeOf({ merchant: 'bakery', baseUrl: 'https://pay.example' });
  expect(await whole.ledger.findOpen(other)).toBe(null);
});

it.each(['ledger_by_time', 'sqlite_autoindex_ledger_intents_4'])(
  'does not count what was spent by an index that has lost rows (%s)',
  async (index) => {
    await using lost = await closed(withoutIndex(index));
    await expect(lost.ledger.spentSince(scope, 0)).rejects.toEqual(damaged);
    await using whole = await closed(withoutIndex('ledger_one_open'));
    expect(await whole.ledger.spentSince(scope, 0)).toBe(100);
  },
);

it.each(['ledger_by_time', 'sqlite_autoindex_ledger_intents_3'])(
  'does not say that no other scope has a withdrawal by an index that has lost rows (%s)',
  async (index) => {
    const other = scopeOf({ merchant: 'bakery', baseUrl: 'https://pay.example' });
    await using lost = await closed(withoutIndex(index, { accepted: 'w-1' }));
    await expect(lost.ledger.possibleOwnersElsewhere(other, 'w-1', 0)).rejects.toEqual(damaged);
    // What it has of this scope itself is not looked for.
    expect(await lost.ledger.possibleOwnersElsewhere(scope, 'w-1', 0)).toEqual([]);
    await using whole = await closed(withoutIndex('ledger_one_open', { accepted: 'w-1' }));
    const found = await whole.ledger.possibleOwnersElsewhere(other, 'w-1', 0);
    expect(found.map(({ idempotencyKey }) => idempotencyKey).sort()).toEqual(['first', 'second']);
  },
);

it.each(['sqlite_autoindex_ledger_intents_2', 'sqlite_autoindex_ledger_intents_3'])(
  'leaves no scope out by an index that has lost rows (%s)',
  async (index) => {
    await using lost = await closed(withoutIndex(index, { accepted: 'w-1' }));
    expect(await lost.ledger.scopes()).toEqual([scope]);
  },
);

describe('a row that another process makes between two looks', () => {
  const planned = { id: 'e1', at: 1, what: 'planned' };
  const order = { id: intentId(scope, key), kind: 'withdrawal', scope, idempotencyKey: key } as const;

  /** A ledger whose file gets the row before the first statement that begins with `sql` is run. */
  async function madeBefore(sql: string) {
    const database = await openDatabase(fresh(), { room: 'ledger', migrations, clock: systemClock });
    const other = createSqlLedger(database, '');
    const between: Database = {
      ...database,
      async query(text, parameters) {
        if (text.startsWith(sql))
          await other.plan({ ...order, amount: 100 as Cents, request: '{}' }, planned);
        return database.query(text, parameters);
      },
    };
    return createSqlLedger(between, '');
  }

  it('is the one that is looked for', async () => {
    await using made = await closed(madeBefore('SELECT id FROM ledger_intents'));
    expect(await made.ledger.find(scope, key)).toMatchObject({ id: order.id, state: 'PLANNED' });
  });

  it('is one more than were counted, which is no damage', async () => {
    await using made = await closed(madeBefore('SELECT kind, idempotency_key'));
    expect(await keysOf(made.ledger)).toEqual([key]);
  });
});

it('does not say that no other scope has a key, from which it would be paid once more', async () => {
  const other = scopeOf({ merchant: 'acme', baseUrl: 'https://new.example' });
  const first = 'first' as IdempotencyKey;
  const others = [first, 'third' as IdempotencyKey];
  await using lost = await closed(withoutIndex(keys));
  await expect(lost.ledger.inEveryScope(first)).rejects.toEqual(damaged);
  await expect(lost.ledger.inOtherScopes(other, { keys: others })).rejects.toEqual(damaged);
  expect(await lost.ledger.inEveryScope('third' as IdempotencyKey)).toEqual([]);
  // What it has of this scope itself is not looked for.
  expect(await lost.ledger.inOtherScopes(scope, { keys: others })).toEqual([]);
  await using whole = await closed(withoutIndex('sqlite_autoindex_ledger_intents_3'));
  expect((await whole.ledger.inEveryScope(first)).map(({ id }) => id)).toEqual([intentId(scope, first)]);
  expect(await whole.ledger.inOtherScopes(other, { keys: others })).toHaveLength(1);
});

it('does not take a key for a new one', async () => {
  await using lost = await closed(withoutIndex(keys));
  await expect(lost.ledger.find(scope, 'first' as IdempotencyKey)).rejects.toEqual(damaged);
  expect(await lost.ledger.find(scope, 'third' as IdempotencyKey)).toBe(null);
  await expect(keysOf(lost.ledger)).rejects.toEqual(damaged);
});

it('does not say that others have changed what no change can be written to', async () => {
  await using lost = await closed(withoutIndex('sqlite_autoindex_ledger_intents_1'));
  const [first, second] = await Promise.all(
    ['first', 'second'].map((text) => lost.ledger.find(scope, text as IdempotencyKey)),
  );
  if (first == null || second == null) throw new Error('an order is missing');
  const change = { state: 'UNKNOWN' } as const;
  await expect(
    lost.ledger.record(second, change, { id: 'unknown', at: 5_000, what: 'unknown' }),
  ).rejects.toEqual(damaged);
  const again = { owner, at: 9_000, expectedFence: 2, baseline: ['w-0'] };
  await expect(
    lost.ledger.markSending(first, again, { id: 'again', at: 9_000, what: 'sending' }),
  ).rejects.toEqual(damaged);
});

it('does not take an order that a ledger restored meanwhile does not have for damage', async () => {
  await using whole = await closed(withoutIndex(null));
  const second = await whole.ledger.find(scope, 'second' as IdempotencyKey);
  if (second === null) throw new Error('no second order');
  const absent = { ...second, id: 'absent', idempotencyKey: 'third' as IdempotencyKey };
  const unknown = { id: 'unknown', at: 5_000, what: 'unknown' };
  expect(await whole.ledger.record(absent, { state: 'UNKNOWN' }, unknown)).toBe(null);
});

it('does not pass over the key of an earlier version, whose id is random, where its order was the last of its kind', async () => {
  await using lost = await closed(withoutIndex(keys, { ids: 'random' }));
  await expect(lost.ledger.lastSent(scope, '{"to":"first"}')).rejects.toEqual(damaged);
  await using whole = await closed(withoutIndex('ledger_by_time', { ids: 'random' }));
  expect((await whole.ledger.lastSent(scope, '{"to":"first"}'))?.idempotencyKey).toBe('first');
  expect(await keysOf(whole.ledger)).toEqual(['first', 'second']);
});

const fences = 'sqlite_autoindex_ledger_intents_4';
const claims = 'sqlite_autoindex_ledger_intents_3';
const ids = 'sqlite_autoindex_ledger_seen_1';

it('never gives a send the number of another one', async () => {
  await using lost = await closed(withoutIndex(fences));
  await expect(lost.ledger.findOpen(scope)).rejects.toEqual(damaged);
  await expect(lost.ledger.fence(scope)).rejects.toEqual(damaged);
  // The one that is open has the highest number, whatever its time says.
  await using twice = await closed(withoutIndex(fences, { also: 'ledger_by_time' }));
  await expect(twice.ledger.findOpen(scope)).rejects.toEqual(damaged);
});

it('takes a clock that was set back, and a merchant who has sent nothing, for no damage', async () => {
  await using whole = await closed(withoutIndex(null, { secondAt: 1_000 }));
  expect((await whole.ledger.findOpen(scope))?.idempotencyKey).toBe('second');
  expect(await whole.ledger.fence(scope)).toBe(2);
  const other = scopeOf({ merchant: 'bakery', baseUrl: 'https://pay.example' });
  expect([await whole.ledger.findOpen(other), await whole.ledger.fence(other)]).toEqual([null, 0]);
});

it('does not take what the service had listed before a send for the outcome of that send', async () => {
  await using whole = await closed(withoutIndex(null));
  expect(await whole.ledger.baseline(scope, 2)).toEqual(new Set(['w-0']));
  await using lost = await closed(withoutIndex(ids));
  expect(await lost.ledger.baseline(scope, 1)).toEqual(new Set());
  await expect(lost.ledger.baseline(scope, 2)).rejects.toEqual(damaged);
});

/** A ledger whose first order was accepted as `w-1`, with an index lost since, and a third one planned after that. */
async function oneAccepted(index: string | null) {
  const lost = await closed(withoutIndex(index, { accepted: 'w-1' }));
  const idempotencyKey = 'third' as IdempotencyKey;
  const { intent: third } = await lost.ledger.plan(
    {
      id: intentId(scope, idempotencyKey),
      kind: 'withdrawal',
      scope,
      idempotencyKey,
      amount: 100 as Cents,
      request: '{"to":"first"}',
    },
    { id: 'planned-third', at: 4_000, what: 'planned' },
  );
  return { ...lost, third };
}

const found = { state: 'ACCEPTED', resourceId: 'w-1', inferred: true } as const;
const named = { id: 'named', at: 5_000, what: 'resolved' };

it('lets no second key have a withdrawal, whoever names it', async () => {
  await using lost = await oneAccepted(claims);
  await expect(lost.ledger.record(lost.third, found, named)).rejects.toEqual(damaged);
  expect(await lost.ledger.find(scope, lost.third.idempotencyKey)).toEqual(lost.third);
  await using whole = await oneAccepted(null);
  await expect(whole.ledger.record(whole.third, found, named)).rejects.toThrow(ConstraintError);
  expect(await whole.ledger.record(whole.third, { ...found, resourceId: 'w-2' }, named)).toMatchObject({
    resourceId: 'w-2',
  });
});

it('does not call what a key has paid nobody’s', async () => {
  await using lost = await oneAccepted(claims);
  const of = { resourceIds: ['w-1', 'w-9'] };
  await expect(lost.ledger.findMany(scope, 'withdrawal', of)).rejects.toEqual(damaged);
  expect(await lost.ledger.findMany(scope, 'withdrawal', { resourceIds: ['w-9'] })).toEqual([]);
  await using whole = await oneAccepted(null);
  const claimants = await whole.ledger.findMany(scope, 'withdrawal', of);
  expect(claimants.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['first']);
});

it('reports two rows that its rules keep apart as damage when one of them changes', async () => {
  await using lost = await oneAccepted(claims);
  const ended = { state: 'COMPLETED' } as const;
  const first = await lost.ledger.find(scope, 'first' as IdempotencyKey);
  if (first === null) throw new Error('no first order');
  // As an earlier version, which looked by one index, let it in.
  await lost.ledger.record(lost.third, { ...found, inferred: false }, named);
  await expect(
    lost.ledger.record(first, ended, { id: 'ended', at: 5_000, what: 'completed' }),
  ).rejects.toEqual(damaged);
});

async function closed(opening: Promise<Ledger>) {
  const ledger = await opening;
  return { ledger, [Symbol.asyncDispose]: () => ledger.close() };
}
