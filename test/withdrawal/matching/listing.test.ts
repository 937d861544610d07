/** Ids that a database does not give back as they were: such a withdrawal could not be known again. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { withdraw } from '../../../src/withdrawal/withdraw.ts';
import { type Postgres, postgresMissing, startPostgres } from '../../support/postgres.ts';
import { accepted, codes, type Desk, desk, key, lost, order, scope, withdrawal } from '../desk.ts';

let server: Postgres | null = null;
beforeAll(async () => {
  if (postgresMissing === null) server = await startPostgres();
});
afterAll(() => server?.stop());

const inFile = async () => join(mkdtempSync(join(tmpdir(), 'pixctl-ids-')), 'ledger.db');

describe.each([
  { name: 'sqlite', skip: null, url: inFile },
  { name: 'postgres', skip: postgresMissing, url: async () => (await server?.createDatabase()) ?? '' },
])('on $name', ({ skip, url }) => {
  let ledger: Ledger;
  let at: Desk;
  beforeEach(async () => {
    if (skip !== null) return;
    ledger = await openLedger({ url: await url(), expectedId: null, clock: systemClock });
    at = desk(ledger);
  });
  afterEach(() => ledger?.close());

  const ids = [
    ['a zero character', 'w\0'],
    ['half a character', 'w\ud800'],
  ] as const;

  it.skipIf(skip !== null).each(ids)(
    'does not send on a list that shows an id with %s: it would seem new for ever',
    async (_, id) => {
      at.listed?.push(withdrawal(id, { status: 'COMPLETED' }));
      at.answers.push(lost);
      const outcome = withdraw(at, order({ allowDuplicate: true }));
      expect(await codes(outcome)).toEqual(['unexpected', 'NO_WITHDRAWAL_ID']);
      expect(at.posts).toEqual([]);
    },
  );

  it.skipIf(skip !== null).each(ids)(
    'does not accept an answer that names an id with %s: its outcome is recorded as unknown',
    async (_, id) => {
      at.answers.push(accepted(id));
      expect(await codes(withdraw(at, order()))).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
      const intent = await ledger.find(scope, key('K1'));
      expect([intent?.state, intent?.reason, at.rescued]).toEqual(['UNKNOWN', 'MALFORMED', []]);
    },
  );
});
