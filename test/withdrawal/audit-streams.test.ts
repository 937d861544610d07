/** The audit holds little: it finds what a plain one finds that holds everything, and lets go of each page. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cents } from '../../src/contract/brand.ts';
import type { Withdrawal } from '../../src/contract/withdrawal.ts';
import { audit } from '../../src/withdrawal/audit.ts';
import { bodyText } from '../../src/withdrawal/matching/body.ts';
import { type Desk, desk, key, scope, withdrawal } from './desk.ts';
import { plainAudit } from './plain-audit.ts';

/** One thing that happens to the ledger, to one of a few keys. */
const step = fc.record({
  key: fc.integer({ min: 0, max: 7 }),
  what: fc.constantFrom('plan', 'accept', 'accept', 'refuse', 'lose', 'adopt', 'complete', 'fail'),
  id: fc.integer({ min: 0, max: 9 }),
  amount: fc.constantFrom(1_050, 2_000),
  baseline: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const listed = fc.record({
  id: fc.integer({ min: 0, max: 12 }),
  amount: fc.constantFrom(1_050, 1_150, 2_000, 5),
  pixKey: fc.constantFrom('ana@example.com', 'a***@example.com', 'bia@example.com', null),
  status: fc.constantFrom('PENDING', 'COMPLETED', 'FAILED', 'NEW_STATUS'),
});

async function take(at: Desk, { what, ...one }: Step): Promise<void> {
  const { ledger } = at;
  const id = `w${one.id}`;
  const event = () => ({ id: at.newId(), at: at.time, what });
  const amount = one.amount as Cents;
  // Now and then two are planned within one millisecond.
  at.time += one.id % 2;
  const { intent } = await ledger.plan(
    {
      id: at.newId(),
      kind: 'withdrawal',
      scope,
      idempotencyKey: key(`K${one.key}`),
      amount,
      request: bodyText({ amount, pixKey: 'ana@example.com', pixKeyType: 'EMAIL' }),
    },
    event(),
  );
  const record = (of: typeof intent, change: Parameters<typeof ledger.record>[1]): Promise<unknown> =>
    ledger.record(of, change, event()).catch(() => null);
  if (what === 'plan') return;
  if (what === 'complete' || what === 'fail') {
    if (intent.state === 'ACCEPTED')
      await record(intent, { state: what === 'fail' ? 'FAILED' : 'COMPLETED' });
    return;
  }
  if (what === 'adopt') {
    const named = { state: 'ACCEPTED', resourceId: id, inferred: true } as const;
    const result = JSON.stringify(withdrawal(id, { pixKey: 'a***@example.com' }));
    if (['PLANNED', 'UNKNOWN', 'REFUSED', 'NOT_SENT'].includes(intent.state))
      await record(intent, { ...named, result });
    return;
  }
  const sending = { owner: at.owners.self, at: at.time, expectedFence: await ledger.fence(scope) };
  const baseline = one.baseline.map((number) => `w${number}`);
  const result = await ledger.markSending(intent, { ...sending, baseline }, event());
  if (result.kind !== 'sending') return;
  if (what === 'accept') await record(result.intent, { state: 'ACCEPTED', resourceId: id });
  if (what === 'refuse') await record(result.intent, { state: 'REFUSED' });
  if (what === 'lose') await record(result.intent, { state: 'UNKNOWN' });
}

const shown = (findings: Awaited<ReturnType<typeof audit>>) =>
  findings.map(({ code, severity, idempotencyKey, withdrawalId, amount, message }) => ({
    ...{ code, severity, idempotencyKey, withdrawalId, amount, message },
  }));

describe('an audit that keeps little in memory', () => {
  it('finds what an audit that keeps everything finds, whatever the ledger does meanwhile', async () => {
    const steps = fc.array(step, { maxLength: 12 });
    const pages = fc.array(fc.array(listed, { maxLength: 4 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(steps, pages, steps, async (before, list, meanwhile) => {
        const run = async (by: (at: Desk) => Promise<Parameters<typeof shown>[0]>) => {
          const at = desk();
          for (const one of before) await take(at, one);
          const withdrawals = async function* () {
            for (const page of list) yield page.map(({ id, ...rest }) => withdrawal(`w${id}`, rest));
            for (const one of meanwhile) await take(at, one);
          };
          return shown(await by({ ...at, newId: at.newId, service: { ...at.service, withdrawals } }));
        };
        expect(await run((at) => audit(at, scope))).toEqual(await run(plainAudit));
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not attribute a listed withdrawal to a key that is sent only afterwards', async () => {
    const at = desk();
    at.listed?.push(withdrawal('w9', { status: 'COMPLETED' }));
    let reads = 0;
    const ledger = {
      ...at.ledger,
      async *listClaims(...asked: Parameters<typeof at.ledger.listClaims>) {
        if (++reads === 2) await take(at, { key: 1, id: 1, amount: 1_050, baseline: [9], what: 'lose' });
        yield* at.ledger.listClaims(...asked);
      },
    };
    const messages = (await audit({ ...at, ledger }, scope)).map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringContaining('its outcome is not known'),
      expect.stringContaining('it was sent by other means, or'),
    ]);
  });

  it('keeps neither the list nor the ledger: what agrees is released as the next page is read', async () => {
    const at = desk();
    for (let one = 0; one < 40; one++) {
      await take(at, { key: one, id: one, amount: 1_050, baseline: [], what: 'accept' });
    }
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const pages: WeakRef<Withdrawal>[] = [];
    const held: number[] = [];
    const service = {
      ...at.service,
      async *withdrawals() {
        for (let from = 0; from < 40; from += 2) {
          const page = [withdrawal(`w${from}`), withdrawal(`w${from + 1}`)];
          pages.push(new WeakRef(page[0] as Withdrawal));
          yield page;
          await new Promise(setImmediate);
          collect();
          held.push(pages.filter((one) => one.deref() !== undefined).length);
        }
      },
    };
    const whole = async () => {
      throw new Error('all of it at once');
    };
    const ledger = { ...at.ledger, list: whole, baseline: whole, findClaimedIds: whole };
    expect(await audit({ ...at, ledger, service }, scope)).toEqual([]);
    expect(Math.max(...held)).toBeLessThan(4);
  });
});
