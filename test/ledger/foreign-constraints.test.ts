/**
 * What somebody has added to the ledger's tables is told as that, never as another sender or another key's withdrawal.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Cents, IdempotencyKey } from '../../src/contract/brand.ts';
import { scopeOf } from '../../src/ledger/intent.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { skipped } from '../support/platform.ts';
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts';

const scope = scopeOf({ merchant: 'acme', baseUrl: 'https://pay.example' });
const order = {
  id: 'i1',
  kind: 'withdrawal',
  scope,
  idempotencyKey: 'k1' as IdempotencyKey,
  amount: 100 as Cents,
  request: '{}',
} as const;
const sending = {
  owner: { host: 'h', boot: 'b', pid: 1, started: 's' },
  at: 1,
  expectedFence: 0,
  baseline: ['w0'],
};
const event = (id: string) => ({ id, at: 1, what: id });

describe.skipIf(postgresMissing !== null)(
  skipped("a rule that a database's keeper added", postgresMissing),
  () => {
    let server: Postgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());

    const made = async () => {
      const url = await server.createDatabase();
      const ledger = await openLedger({ url, expectedId: null, clock: systemClock });
      return { ledger, add: (statement: string) => server.sql(statement, url) };
    };
    const refusal = (words: string) => ({
      kind: 'config',
      code: 'DATABASE_RULE',
      message: expect.stringContaining(words),
      hint: "Remove the constraint, index or trigger that was added to the ledger's tables, then run again.",
    });

    it('refuses to plan', async () => {
      const { ledger, add } = await made();
      add('CREATE UNIQUE INDEX one_amount ON ledger_intents (amount)');
      await ledger.plan(order, event('e1'));
      const same = { ...order, id: 'i2', idempotencyKey: 'k2' as IdempotencyKey };
      await expect(ledger.plan(same, event('e2'))).rejects.toMatchObject(refusal('one_amount'));
      await ledger.close();
    });

    it('refuses to send, without saying that somebody else is sending', async () => {
      const { ledger, add } = await made();
      add(`CREATE FUNCTION closed() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'closed on Sundays'; END $$;
           CREATE TRIGGER closed BEFORE UPDATE ON ledger_intents FOR EACH ROW EXECUTE FUNCTION closed()`);
      const { intent } = await ledger.plan(order, event('e1'));
      await expect(ledger.markSending(intent, sending, event('e2'))).rejects.toMatchObject(
        refusal('closed on Sundays'),
      );
      await ledger.close();
    });

    it('refuses to record an answer, without saying that another key has it', async () => {
      const { ledger, add } = await made();
      add("ALTER TABLE ledger_intents ADD CONSTRAINT never CHECK (state <> 'ACCEPTED')");
      const { intent } = await ledger.plan(order, event('e1'));
      const begun = await ledger.markSending(intent, sending, event('e2'));
      if (begun.kind !== 'sending') throw new Error(begun.kind);
      const accepted = { state: 'ACCEPTED', resourceId: 'w1' } as const;
      await expect(ledger.record(begun.intent, accepted, event('e3'))).rejects.toMatchObject(
        refusal('never'),
      );
      await ledger.close();
    });
  },
);
