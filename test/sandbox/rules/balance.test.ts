/** The ledger: whatever happens, the books close, and nothing is made or lost. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assemble } from '../../../src/sandbox/assembly.ts';
import { readBalance } from '../../../src/sandbox/rules/balance.ts';
import { disputeCharge, expireCharge, payCharge } from '../../../src/sandbox/rules/charge-changes.ts';
import { handlers } from '../../../src/sandbox/rules/handlers.ts';
import { Refusal } from '../../../src/sandbox/rules/refusal.ts';
import { completeWithdrawal, failWithdrawal } from '../../../src/sandbox/rules/withdrawal-steps.ts';
import { auditBooks } from '../support/audit-books.ts';

type Step =
  | { do: 'charge'; amount: number }
  | { do: 'withdraw'; amount: number }
  | { do: 'pay' | 'refund' | 'expire' | 'dispute' | 'complete' | 'fail'; which: number }
  | { do: 'wait'; seconds: number };

const amount = fc.integer({ min: 100, max: 5_000 });
const which = fc.nat({ max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('charge' as const), amount }),
  fc.record({ do: fc.constant('withdraw' as const), amount }),
  fc.record({
    do: fc.constantFrom(...(['pay', 'pay', 'refund', 'expire', 'dispute', 'complete', 'fail'] as const)),
    which,
  }),
  fc.record({ do: fc.constant('wait' as const), seconds: fc.nat({ max: 4 }) }),
);

describe('the balance', () => {
  it('is what was paid in less what was sent out, after any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const bugs: unknown[] = [];
        const sandbox = assemble({
          state: null,
          settings: { seed: 'balance', withdrawals: 'timed' },
          merchant: {},
          report: (error) => bugs.push(error),
        });
        const { world, merchantId } = sandbox;
        world.clock.freeze();
        const context = { world, merchantId, assume: world.assume };
        const charges: { id: string; amount: number }[] = [];
        const withdrawals: string[] = [];
        const expected = { paidIn: 0 };
        const attempt = (act: () => void) => {
          try {
            world.store.transaction(act);
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
          }
        };
        for (const it of steps) {
          if (it.do === 'wait') await sandbox.jobs.advance(it.seconds * 1_000);
          else if (it.do === 'charge') {
            attempt(() => {
              const body = { method: 'PIX' as const, amount: it.amount };
              charges.push(handlers.createCharge(context, { path: undefined, query: undefined, body }).data);
            });
          } else if (it.do === 'withdraw') {
            attempt(() => {
              const body = { amount: it.amount, pixKey: '12345678909', pixKeyType: 'CPF' as const };
              const { data } = handlers.createWithdrawal(context, {
                path: undefined,
                query: undefined,
                body,
              });
              withdrawals.push(String(data.id));
            });
          } else {
            const charge = charges[it.which];
            const withdrawal = withdrawals.at(-1);
            attempt(() => {
              if (it.do === 'complete' && withdrawal) completeWithdrawal(world, withdrawal);
              if (it.do === 'fail' && withdrawal) failWithdrawal(world, withdrawal, 'no');
              if (!charge) return;
              if (it.do === 'expire') expireCharge(world, charge.id);
              if (it.do === 'dispute') disputeCharge(world, charge.id);
              if (it.do === 'pay') {
                payCharge(world, charge.id);
                expected.paidIn += charge.amount;
              }
              if (it.do === 'refund') {
                handlers.refundCharge(context, {
                  path: undefined,
                  query: { id: charge.id },
                  body: undefined,
                });
                expected.paidIn -= charge.amount;
              }
            });
          }
          const sent = world.store.get<{ cents: number }>(
            `SELECT coalesce(sum(amount + fee), 0) AS cents FROM withdrawals WHERE status = 'COMPLETED'`,
          );
          const { available, pending } = readBalance(world, merchantId);
          expect(available + pending).toBe(expected.paidIn - (sent?.cents ?? 0));
          expect(available).toBeGreaterThanOrEqual(0);
          expect(auditBooks(world)).toEqual([]);
        }
        await sandbox.close();
        expect(bugs).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('cannot be written so that it does not add up', async () => {
    const { world, merchantId, close } = assemble({
      state: null,
      settings: {},
      merchant: {},
      report: () => {},
    });
    const change = () =>
      world.store.run('UPDATE balances SET available = available + 1 WHERE merchant_id = ?', merchantId);
    expect(change).toThrow(/CHECK constraint/);
    await close();
  });
});
