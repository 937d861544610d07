/** A list that goes round under ever new cursors: it ends, and proves nothing. */
import { describe, expect, it } from 'vitest';
import type { Withdrawal } from '../../src/contract/withdrawal.ts';
import { audit } from '../../src/withdrawal/audit.ts';
import { reconcile } from '../../src/withdrawal/reconcile.ts';
import { withdraw } from '../../src/withdrawal/withdraw.ts';
import { hostileServer, json, success } from '../support/hostile-server.ts';
import { emptyHome, run } from '../support/run.ts';
import { payArgs } from '../support/withdrawal-bench.ts';
import { desk, key, lost, order, refused, scope, withdrawal } from './desk.ts';

const old = withdrawal('old', { amount: 7, status: 'COMPLETED' });

/** A desk whose list has an end until `goOn` is called. */
function roundDesk(...pages: Withdrawal[][]) {
  const it = desk();
  let goesOn = false;
  it.service.withdrawals = async function* () {
    do yield* pages;
    while (goesOn);
  };
  return Object.assign(it, { goOn: () => (goesOn = true) });
}

describe('a list of withdrawals without an end', () => {
  it('is not trusted enough to send', async () => {
    const it = roundDesk([old]);
    it.goOn();
    const { exit, code, message } = await withdraw(it, order());
    expect([exit, code]).toEqual(['unexpected', 'PAGINATION']);
    expect(message).toMatch(/stopped reading it; nothing was sent$/);
    expect(it.posts).toHaveLength(0);
  });

  it('confirms no refusal: the outcome is unknown, and stays so', async () => {
    const it = roundDesk([old], [], [withdrawal('other', { amount: 8, status: 'COMPLETED' })]);
    it.answers.push(() => {
      it.goOn();
      return refused(400, 'BAD_REQUEST')();
    });
    expect((await withdraw(it, order())).exit).toBe('unknown');
    expect((await reconcile(it, { scope, idempotencyKey: key('K1') })).exit).toBe('unknown');
    expect((await withdraw(it, order())).exit).toBe('unknown');
    expect(it.posts).toHaveLength(1);
  });

  it('settles no lost answer, and allows no audit', async () => {
    const it = roundDesk([old]);
    it.answers.push(() => {
      it.goOn();
      return lost();
    });
    expect((await withdraw(it, order())).exit).toBe('unknown');
    await expect(audit(it, scope)).rejects.toMatchObject({ kind: 'unexpected', code: 'PAGINATION' });
  });

  it('is distinguished from one whose pages are pushed back by new withdrawals', async () => {
    const it = roundDesk([old], [old], [withdrawal('w2', { amount: 8, status: 'COMPLETED' })]);
    it.answers.push(lost);
    await withdraw(it, order());
    expect(it.posts).toHaveLength(1);
  });

  it('ends a run of the program with 1, as waiting changes nothing, and nothing was sent', async () => {
    let cursor = 0;
    await using server = await hostileServer((response) =>
      json(response, 200, { ...success([old]), pagination: { hasMore: true, next: `c${++cursor}` } }),
    );
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' };
    const home = emptyHome();
    const told = await run(payArgs('k-1', 1_050), { home, env });
    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing was sent') });
    expect(server.received.every(({ method }) => method === 'GET')).toBe(true);
    const listed = await run(['withdrawal', 'list', '--all', '-o', 'ndjson'], { home, env });
    expect(listed).toMatchObject({ code: 1, stderr: expect.stringContaining('never end') });
    expect(listed.stdout.trimEnd().split('\n')).toHaveLength(1);
  });
});
