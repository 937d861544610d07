/** A ledger whose index has lost its rows: no statement fails, and what is written is not found. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Cents, IdempotencyKey } from '../../src/contract/brand.ts';
import { scopeOf } from '../../src/ledger/intent.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { emptyIndex } from '../support/empty-index.ts';

const scope = scopeOf({ merchant: 'acme', baseUrl: 'https://pay.example' });
const key = 'rent-2026-03' as IdempotencyKey;

it('is told as damaged, with what mends it; that done, its keys are found', async () => {
  const url = join(mkdtempSync(join(tmpdir(), 'pixctl-damage-')), 'ledger.sqlite');
  const open = (expectedId: string | null) => openLedger({ url, expectedId, clock: systemClock });
  const made = await open(null);
  await made.plan(
    { id: 'i1', kind: 'withdrawal', scope, idempotencyKey: key, amount: 100 as Cents, request: '{}' },
    { id: 'e1', at: 1, what: 'planned' },
  );
  expect(await made.damage?.()).toBe(null);
  await made.close();
  emptyIndex(url, 'sqlite_autoindex_ledger_intents_2');

  const damaged = await open(made.id);
  expect(await damaged.find(scope, key)).toBe(null);
  expect(await damaged.damage?.()).toMatchObject({
    kind: 'storage',
    message: expect.stringMatching(
      /is damaged \(.*index sqlite_autoindex_ledger_intents_2\); nothing was sent$/,
    ),
    hint: expect.stringContaining(`Copy it, then have its indexes made anew: sqlite3 ${url} REINDEX.`),
  });
  await damaged.close();

  const person = new DatabaseSync(url);
  person.exec('REINDEX');
  person.close();
  const mended = await open(made.id);
  expect(await mended.damage?.()).toBe(null);
  expect((await mended.find(scope, key))?.id).toBe('i1');
  await mended.close();
});
