/** One service under two addresses: what was paid under one is not paid under the other, however long ago that was. */
import { describe, expect, it } from 'vitest';
import type { Cents } from '../../../src/contract/brand.ts';
import type { Scope } from '../../../src/ledger/intent.ts';
import { preview } from '../../../src/withdrawal/dry-run.ts';
import type { WithdrawRequest } from '../../../src/withdrawal/request.ts';
import { withdraw } from '../../../src/withdrawal/withdraw.ts';
import { accepted, type Desk, desk, key, order } from '../desk.ts';

describe('an order that this label has paid at another address', () => {
  /** Says so of the key K1 at each of these addresses, then asks for it at the desk's own. */
  async function paidAt(addresses: readonly string[], more: Partial<Desk> = {}) {
    const it = Object.assign(desk(), more);
    for (const [at, scope] of addresses.entries()) {
      it.answers.splice(0, 1, accepted(`w${at}`));
      const outcome = await withdraw(it, order({ scope: scope as Scope, allowDuplicate: true }));
      expect(outcome.exit).toBe('ok');
    }
    it.answers.splice(0, 1, accepted('w9'));
    return { it, ask: (request: Partial<WithdrawRequest> = {}) => withdraw(it, order(request)) };
  }

  it('is not sent there, unless it is confirmed', async () => {
    const { it, ask } = await paidAt(['loja https://old.example']);
    const held = await ask();
    expect([held.exit, held.code, held.intent]).toEqual(['duplicate', 'POSSIBLE_DUPLICATE', null]);
    expect(held.message).toBe(
      'this same withdrawal (key K1, R$ 10,50) was accepted at another address, https://old.example (w0); nothing was sent',
    );
    expect(held.hint).toBe(
      'If both addresses are one service, nothing is left to do. If they are two, or it is to be paid again, confirm with --allow-duplicate.',
    );
    expect(await preview(it, order())).toMatchObject({ obstacle: { exit: 'duplicate' } });
    expect(it.posts).toHaveLength(1);
    expect((await ask({ allowDuplicate: true })).exit).toBe('ok');
    expect(it.posts).toHaveLength(2);
  });

  it('is told as paid once it is known to be', async () => {
    const { it, ask } = await paidAt(['loja https://old.example']);
    const [intent] = await it.ledger.inEveryScope(key('K1'));
    if (intent === undefined) throw new Error('no intent');
    await it.ledger.record(intent, { state: 'COMPLETED' }, { id: 'e', at: it.time, what: 'ended' });
    expect((await ask()).message).toContain('was paid at another address');
  });

  it('is sent where it failed there', async () => {
    const { it, ask } = await paidAt(['loja https://old.example']);
    const [intent] = await it.ledger.inEveryScope(key('K1'));
    if (intent === undefined) throw new Error('no intent');
    await it.ledger.record(intent, { state: 'FAILED' }, { id: 'e', at: it.time, what: 'ended' });
    expect((await ask()).exit).toBe('ok');
  });

  it.each<[string, string, Partial<WithdrawRequest>, Partial<Desk>]>([
    ['under another label', 'outra https://old.example', {}, {}],
    ['as another order', 'loja https://old.example', { amount: 1051 as Cents }, {}],
    ['under another key', 'loja https://old.example', { idempotencyKey: key('K2') }, {}],
    ['as a rehearsal on this machine', 'loja http://127.0.0.1:4010', {}, {}],
    ['and a sandbox moves no money', 'loja https://old.example', {}, { isSandbox: async () => true }],
  ])('is sent if that was %s', async (_, address, request, more) => {
    const { it, ask } = await paidAt([address], more);
    expect((await ask(request)).exit).not.toBe('duplicate');
    expect(it.posts).toHaveLength(2);
  });

  it('is held up on this machine by what another address of it was told in earnest', async () => {
    const { ask } = await paidAt(['loja http://127.0.0.1:4010']);
    expect((await ask({ scope: 'loja http://localhost:4011' as Scope })).exit).toBe('duplicate');
  });
});
