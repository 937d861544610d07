/** What a dry run says, and that it changes nothing. */
import { describe, expect, it } from 'vitest';
import { preview } from '../../src/withdrawal/dry-run.ts';
import { desk, order, scope, withdrawal } from './desk.ts';

describe('a preview', () => {
  it('writes and sends nothing, and says what stands in the way', async () => {
    const it = desk();
    expect((await preview(it, order())).obstacle).toBeNull();
    it.listed?.push(withdrawal('w0', { status: 'COMPLETED', createdAt: '2026-03-10T11:00:00Z' }));
    const { obstacle, twins } = await preview(it, order());
    expect([obstacle?.exit, twins.map(({ id }) => id)]).toEqual(['duplicate', ['w0']]);
    expect(await it.ledger.list(scope)).toEqual([]);
    expect(it.posts).toEqual([]);
  });
});
