/** Reconcile, resolve, follow, audit: what happens to a withdrawal after its run. */
import { beforeEach, describe, expect, it } from 'vitest';
import { audit } from '../../src/withdrawal/audit.ts';
import { follow } from '../../src/withdrawal/follow.ts';
import { reconcile } from '../../src/withdrawal/reconcile.ts';
import { resolve } from '../../src/withdrawal/resolve.ts';
import { withdraw } from '../../src/withdrawal/withdraw.ts';
import { memoryLedger } from '../support/memory-ledger.ts';
import { accepted, type Desk, desk, key, lost, order, scope, withdrawal } from './desk.ts';

let at: Desk;
const idempotencyKey = key('K1');
beforeEach(() => {
  at = desk();
});
const sendAndLose = async () => {
  at.answers.push(lost);
  await withdraw(at, order());
};
const codes = async (promise: Promise<{ exit: string; code: string }>) => {
  const { exit, code } = await promise;
  return [exit, code];
};

describe('reconcile', () => {
  it('says so when nothing is open, and when the ledger does not know the key', async () => {
    expect(await codes(reconcile(at, { scope }))).toEqual(['ok', 'NOTHING_OPEN']);
    expect(await codes(reconcile(at, { scope, idempotencyKey }))).toEqual(['notFound', 'UNKNOWN_KEY']);
  });

  it('adopts the one that is new, and marks it as inferred', async () => {
    await sendAndLose();
    expect(await codes(reconcile(at, { scope }))).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
    at.listed?.push(withdrawal('w1'));
    expect(await codes(reconcile(at, { scope }))).toEqual(['ok', 'ACCEPTED']);
    expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({ resourceId: 'w1', inferred: true });
  });

  it.each([
    ['alive', false, ['later', 'BUSY']],
    ['gone', true, ['ok', 'ACCEPTED']],
  ])('of a send whose process is %s', async (_, gone, expected) => {
    at.answers.push(() => new Promise(() => {}));
    void withdraw(at, order());
    await expect.poll(() => at.posts.length).toBe(1);
    at.listed?.push(withdrawal('w1'));
    if (gone) at.gone.add(1);
    expect(await codes(reconcile(at, { scope }))).toEqual(expected);
  });
});

describe('a process that is gone before its first byte', () => {
  const dieBeforeTheByte = async (departs: boolean) => {
    at = desk(memoryLedger({ departs }));
    const { service } = at;
    const dying = { ...at, service: { ...service, send: () => new Promise<never>(() => {}) } };
    void withdraw(dying, order());
    await expect.poll(async () => (await at.ledger.find(scope, idempotencyKey))?.state).toBe('SENDING');
    at.gone.add(1);
    at.answers.push(accepted('w1'));
  };

  it('sent nothing, which the ledger proves where it marks departures: the next run pays', async () => {
    await dieBeforeTheByte(true);
    expect(await codes(withdraw(at, order()))).toEqual(['ok', 'ACCEPTED']);
  });

  it('may have sent, where the ledger cannot mark departures: the next run does not', async () => {
    await dieBeforeTheByte(false);
    expect(await codes(withdraw(at, order()))).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
    expect(at.posts).toEqual([]);
  });

  it('cannot send after all once somebody called it off', async () => {
    at.answers.push(accepted('w1'));
    const { service } = at;
    const late = Promise.withResolvers<void>();
    const slow = {
      ...at,
      service: {
        ...service,
        send: async (request: Parameters<typeof service.send>[0]) => {
          await late.promise;
          return service.send(request);
        },
      },
    };
    const first = withdraw(slow, order());
    await expect.poll(async () => (await at.ledger.find(scope, idempotencyKey))?.state).toBe('SENDING');
    // Wrongly taken for gone: its pid is seen from another container.
    at.gone.add(1);
    expect(await codes(withdraw(at, order()))).toEqual(['ok', 'ACCEPTED']);
    late.resolve();
    expect(await codes(first)).toEqual(['ok', 'ACCEPTED']);
    expect(at.posts.length).toBe(1);
  });
});

describe('resolve', () => {
  const notSent = () => resolve(at, { scope, idempotencyKey, verdict: { kind: 'not-sent' } });
  const is = (id: string) => resolve(at, { scope, idempotencyKey, verdict: { kind: 'withdrawal', id } });

  it('takes "never sent" only after the settle time, and then the key may be sent again', async () => {
    await sendAndLose();
    expect(await codes(notSent())).toEqual(['later', 'NOT_SETTLED']);
    at.time += 95_000;
    expect(await codes(notSent())).toEqual(['ok', 'NOT_SENT']);
    at.answers[0] = accepted('w2');
    expect(await codes(withdraw(at, order()))).toEqual(['ok', 'ACCEPTED']);
  });

  it('does not take "never sent" against the list, or without it', async () => {
    await sendAndLose();
    at.time += 95_000;
    at.listed?.push(withdrawal('w1'));
    expect(await codes(notSent())).toEqual(['duplicate', 'CANDIDATES']);
    at.listed = null;
    expect(await codes(notSent())).toEqual(['later', 'NOT_REACHED']);
  });

  it.each([
    ['of another amount', withdrawal('w1', { amount: 1 }), ['usage', 'NOT_THIS_ONE']],
    ['of another PIX key', withdrawal('w1', { pixKey: 'bia@example.com' }), ['usage', 'NOT_THIS_ONE']],
    ['that fits', withdrawal('w1'), ['ok', 'ACCEPTED']],
    ['that fits and failed', withdrawal('w1', { status: 'FAILED' }), ['endedBadly', 'FAILED']],
  ])('with a withdrawal %s', async (_, found, expected) => {
    await sendAndLose();
    at.listed?.push(found);
    expect(await codes(is('w1'))).toEqual(expected);
  });

  it('refuses one that was there before the send', async () => {
    at.listed?.push(withdrawal('old', { status: 'COMPLETED', createdAt: '2026-01-01T00:00:00Z' }));
    await sendAndLose();
    expect(await codes(is('old'))).toEqual(['usage', 'NOT_THIS_ONE']);
  });

  it('refuses one that belongs to another key', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order({ idempotencyKey: key('K0') }));
    at.answers[0] = lost;
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1'));
    expect(await codes(is('w1'))).toEqual(['usage', 'NOT_THIS_ONE']);
  });

  it('does not overrule what is known', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    expect(await codes(notSent())).toEqual(['usage', 'NOT_THIS_ONE']);
    expect(await codes(is('w2'))).toEqual(['usage', 'NOT_THIS_ONE']);
    expect(await codes(is('w1'))).toEqual(['ok', 'ACCEPTED']);
  });
});

describe('follow', () => {
  const wait = () => follow(at, { scope, idempotencyKey, timeoutMs: 10_000 });

  it.each([
    ['COMPLETED', ['ok', 'COMPLETED']],
    ['FAILED', ['endedBadly', 'FAILED']],
    ['PROCESSING', ['pending', 'PENDING']],
    ['A_STATUS_OF_TOMORROW', ['pending', 'PENDING']],
  ])('to %s', async (status, expected) => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1', { status, failedReason: 'no such key' }));
    expect(await codes(wait())).toEqual(expected);
  });

  it('goes on while the service cannot be read, and says that it could not', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed = null;
    expect(await codes(wait())).toEqual(['pending', 'PENDING']);
  });

  it('does not wait for what is unknown', async () => {
    await sendAndLose();
    expect(await codes(wait())).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
  });
});

describe('audit', () => {
  const findings = async () => (await audit(at, scope)).map(({ code, severity }) => [code, severity]);

  it('finds nothing where ledger and list agree', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed?.push(withdrawal('w1'));
    expect(await findings()).toEqual([]);
  });

  it('finds what is unclaimed, missing, different, behind, inferred or unknown', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    expect(await findings()).toEqual([['NOT_LISTED', 'problem']]);
    at.listed?.push(
      withdrawal('w1', { amount: 1, status: 'COMPLETED' }),
      withdrawal('w9', { status: 'COMPLETED', amount: 5 }),
    );
    expect(await findings()).toEqual([
      ['DIFFERS', 'problem'],
      ['STATE_BEHIND', 'note'],
      ['UNCLAIMED', 'look'],
    ]);
    at.answers[0] = lost;
    await withdraw(at, order({ idempotencyKey: key('K2') }));
    expect((await findings()).at(0)).toEqual(['UNKNOWN', 'look']);
    at.listed?.push(withdrawal('w2'));
    await reconcile(at, { scope });
    expect((await findings()).at(0)).toEqual(['INFERRED', 'note']);
  });
});
