/** What a dry run says, and that it changes nothing. */
import { describe, expect, it } from 'vitest';
import { preview } from '../../src/withdrawal/dry-run.ts';
import { withdraw } from '../../src/withdrawal/withdraw.ts';
import { desk, key, order, scope, withdrawal } from './desk.ts';

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

  it('says as much as the run would of a twin that can be that of a key which the ledger has', async () => {
    const it = desk();
    it.listed?.push(withdrawal('w0', { status: 'COMPLETED' }));
    const { hint } = await withdraw(it, order());
    expect(hint).toContain('pixctl withdrawal resolve K1 --withdrawal w0');
    expect((await preview(it, order())).obstacle?.hint).toBe(hint);
    const unknown = await preview(it, order({ idempotencyKey: key('K2') }));
    expect(unknown.obstacle?.hint).toBe('If it is another withdrawal, confirm with --allow-duplicate.');
  });
});
