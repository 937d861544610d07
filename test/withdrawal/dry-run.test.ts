/** What a dry run says, and that it changes nothing. */
import { describe, expect, it } from 'vitest';
import { type Preview, preview } from '../../src/withdrawal/dry-run.ts';
import { moneyMovedBy } from '../../src/withdrawal/outcome/money-moved.ts';
import { withdraw } from '../../src/withdrawal/withdraw.ts';
import { desk, key, order, scope, sendAndLose, withdrawal } from './desk.ts';

describe('a preview', () => {
  it('writes and sends nothing, and says what stands in the way', async () => {
    const it = desk();
    expect((await preview(it, order())).obstacle).toBeNull();
    it.listed?.push(withdrawal('w0', { status: 'COMPLETED', createdAt: '2026-03-10T11:00:00Z' }));
    const { obstacle } = await preview(it, order());
    expect([obstacle?.exit, obstacle?.candidates?.map(({ id }) => id)]).toEqual(['duplicate', ['w0']]);
    expect(await it.ledger.list(scope)).toEqual([]);
    expect(it.posts).toEqual([]);
  });

  it('says as much as the run about a twin that a key of the ledger may stand for', async () => {
    const it = desk();
    it.listed?.push(withdrawal('w0', { status: 'COMPLETED' }));
    const { hint } = await withdraw(it, order());
    expect(hint).toContain('pixctl withdrawal resolve K1 --withdrawal w0');
    expect((await preview(it, order())).obstacle?.hint).toBe(hint);
    const unknown = await preview(it, order({ idempotencyKey: key('K2') }));
    expect(unknown.obstacle?.hint).toBe('If it is another withdrawal, confirm with --allow-duplicate.');
  });

  it.each([
    ['K1', ['unknown', 'OUTCOME_UNKNOWN', 'UNKNOWN', 'maybe']],
    ['K2', ['blocked', 'BLOCKED', undefined, 'no']],
  ])(
    'leaves an unknown outcome as it is, even if the list would settle it, for %s too',
    async (name, told) => {
      const it = desk();
      await sendAndLose(it);
      it.listed?.push(withdrawal('w1'));
      expect(tell(await preview(it, order({ idempotencyKey: key(name) })))).toEqual(told);
      expect(await it.ledger.find(scope, key('K1'))).toMatchObject({ state: 'UNKNOWN' });
    },
  );

  it.each([
    ['K1', 'before its first byte left', false, ['would send', 'NOT_SENT']],
    ['K2', 'before its first byte left', false, ['would send', undefined]],
    ['K1', 'when its first byte had left', true, ['unknown', 'OUTCOME_UNKNOWN', 'SENDING', 'maybe']],
    ['K2', 'when its first byte had left', true, ['blocked', 'BLOCKED', undefined, 'no']],
  ])(
    'says about %s what a run would, if the sender of K1 ended %s, and records nothing',
    async (name, _, left, told) => {
      const it = desk();
      const { ledger } = it;
      const of = {
        id: 'i1',
        kind: 'withdrawal',
        scope,
        idempotencyKey: key('K1'),
        amount: order().amount,
      } as const;
      const { intent } = await ledger.plan(
        { ...of, request: '{"amount":1050,"pixKey":"ana@example.com","pixKeyType":"EMAIL"}' },
        { id: 'e1', at: it.time, what: 'planned' },
      );
      const begun = await ledger.markSending(
        intent,
        { owner: { ...it.owners.self, pid: 2 }, at: it.time, expectedFence: 0, baseline: [] },
        { id: 'e2', at: it.time, what: 'sending' },
      );
      if (left && begun.kind === 'sending')
        ledger.markDeparted?.(begun.intent, { id: 'e3', at: it.time, what: 'departing' });
      it.gone.add(2);
      expect(tell(await preview(it, order({ idempotencyKey: key(name) })))).toEqual(told);
      expect(await ledger.find(scope, key('K1'))).toMatchObject({ state: 'SENDING' });
    },
  );

  it('does not give a key that waits for another the state of that other', async () => {
    const it = desk();
    it.answers.push(() => new Promise(() => {}));
    void withdraw(it, order());
    await expect.poll(() => it.posts.length).toBe(1);
    const { obstacle } = await preview(it, order({ idempotencyKey: key('K2') }));
    expect([obstacle?.code, obstacle?.intent, obstacle && moneyMovedBy(obstacle)]).toEqual([
      'BUSY',
      null,
      'no',
    ]);
    expect(obstacle?.message).toContain('another withdrawal (key K1) is being sent by another process');
  });
});

const tell = ({ obstacle, intent }: Preview) =>
  obstacle === null
    ? ['would send', intent?.state]
    : [obstacle.exit, obstacle.code, obstacle.intent?.state, moneyMovedBy(obstacle)];
