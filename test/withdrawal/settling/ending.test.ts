/** What the service says of a failure is recorded whatever is in it, on each database. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { follow } from '../../../src/withdrawal/follow.ts';
import { withdraw } from '../../../src/withdrawal/withdraw.ts';
import { type Postgres, postgresMissing, startPostgres } from '../../support/postgres.ts';
import { accepted, desk, key, order, scope, withdrawal } from '../desk.ts';

let server: Postgres | null = null;
beforeAll(async () => {
  if (postgresMissing === null) server = await startPostgres();
});
afterAll(() => server?.stop());

const inFile = async () => join(mkdtempSync(join(tmpdir(), 'pixctl-ending-')), 'ledger.db');

for (const { name, skip, url } of [
  { name: 'sqlite', skip: null, url: inFile },
  { name: 'postgres', skip: postgresMissing, url: async () => (await server?.createDatabase()) ?? '' },
])
  it.skipIf(skip !== null)(
    `a failure is recorded on ${name}, with a reason that not every database takes as text`,
    async () => {
      const ledger = await openLedger({ url: await url(), expectedId: null, clock: systemClock });
      const at = desk(ledger);
      at.answers.push(accepted('w1'));
      await withdraw(at, order());
      const failedReason = 'no such\0key: \ud83d → 😀';
      at.listed?.push(withdrawal('w1', { status: 'FAILED', failedReason }));
      await follow(at, { scope, idempotencyKey: key('K1'), timeoutMs: 10_000 });
      const intent = await ledger.find(scope, key('K1'));
      expect([intent?.state, intent?.reason]).toEqual(['FAILED', 'no such\ufffdkey: \ufffd → 😀']);
      expect(JSON.parse(intent?.result ?? '')).toMatchObject({ failedReason });
      await ledger.close();
    },
  );
