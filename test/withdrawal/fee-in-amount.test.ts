/** A service whose `amount` is what it debits, the fee in it: what it lists can be ours, and is paid once. */
import { describe, expect, it } from 'vitest';
import { audit } from '../../src/withdrawal/audit.ts';
import { follow } from '../../src/withdrawal/follow.ts';
import { withdraw } from '../../src/withdrawal/withdraw.ts';
import { accepted, codes, lost, order, refused, replied, scope, withdrawal } from './desk.ts';
import { at, idempotencyKey, is, notSent } from './own-desk.ts';

describe('a list whose amounts include the fee', () => {
  const debited = withdrawal('w1', { amount: 1_150, fee: 100 });
  const answeredBy = (answer: ReturnType<typeof refused>) => {
    at.answers.push(() => {
      at.listed?.push(debited);
      return answer();
    });
  };

  it('neither hides the withdrawal whose answer was lost nor lets it be adopted', async () => {
    answeredBy(lost);
    const outcome = await withdraw(at, order());
    expect([outcome.code, outcome.candidates?.map(({ id }) => id)]).toEqual(['OUTCOME_UNKNOWN', ['w1']]);
    at.time += 95_000;
    expect(await codes(notSent())).toEqual(['duplicate', 'CANDIDATES']);
    expect(await codes(is('w1'))).toEqual(['ok', 'ACCEPTED']);
    expect(at.posts.length).toBe(1);
  });

  it('does not confirm the refusal of a second copy of the request', async () => {
    answeredBy(refused(400, 'BAD_REQUEST'));
    expect(await codes(withdraw(at, order()))).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
    expect(await at.ledger.find(scope, idempotencyKey)).toMatchObject({ reason: 'REFUSED_BUT_LISTED' });
  });

  it('holds up a key that was refused before the list showed it', async () => {
    at.answers.push(refused(400, 'BAD_REQUEST'));
    await withdraw(at, order());
    at.listed?.push({ ...debited, status: 'COMPLETED' });
    at.time += 200_000;
    const held = await withdraw(at, order());
    expect(held.code).toBe('POSSIBLE_DUPLICATE');
    expect(held.hint).toContain('pixctl withdrawal resolve K1 --withdrawal w1');
    expect(await codes(is('w1'))).toEqual(['ok', 'COMPLETED']);
    expect(at.posts.length).toBe(1);
  });

  it.each(['COMPLETED', 'FAILED'])('is followed to its end: %s', async (status) => {
    at.answers.push(() => replied(201, { data: debited, error: null, success: true }));
    await withdraw(at, order());
    at.listed?.push(debited);
    expect(await codes(is('w1'))).toEqual(['ok', 'ACCEPTED']);
    at.listed?.splice(0, 1, { ...debited, status });
    const end = status === 'FAILED' ? 'endedBadly' : 'ok';
    expect(await codes(follow(at, { scope, idempotencyKey, timeoutMs: 0 }))).toEqual([end, status]);
  });

  it('is reported if the withdrawal was accepted without it', async () => {
    at.answers.push(accepted('w1'));
    await withdraw(at, order());
    at.listed?.push(debited);
    expect((await audit(at, scope)).map(({ code }) => code)).toEqual(['DIFFERS']);
    const { exit, message } = await follow(at, { scope, idempotencyKey, timeoutMs: 0 });
    expect([exit, message]).toEqual(['pending', expect.stringContaining('the same id and another amount')]);
  });
});
