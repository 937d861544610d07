/** What each answer to a case means for the receiver: accepting a forgery passes nowhere, and slowness is no success. */
import { describe, expect, it } from 'vitest';
import { type Delivery, receiverCases } from '../../../../src/commands/webhook/receiver/cases.ts';
import { scoreOf, type Terms } from '../../../../src/commands/webhook/receiver/score.ts';
import { verify } from '../../../../src/contract/signature.ts';
import type { PostResult } from '../../../../src/listener/posting/post.ts';

const answered = (status: number, ms = 1, words = ''): PostResult => ({
  status,
  ms,
  body: Buffer.from(words),
});
const silent: PostResult = { error: 'did not answer within 10 s', ms: 10_000, reached: true };
const terms: Terms = { maxAnswerMs: 2_000, notTaken: null, refusesForged: true };

function judged(name: string, results: readonly PostResult[], more: Partial<Terms> = {}) {
  const tried = receiverCases.find((each) => each.name === name);
  if (tried === undefined) throw new Error(`there is no case ${name}`);
  const { passed, reason, statuses, ms } = scoreOf(tried, results, { ...terms, ...more });
  return { passed, reason, statuses, ms };
}

const expectations = Object.fromEntries(receiverCases.map(({ name, expect }) => [name, expect]));

it('what is no genuine delivery must be refused', () => {
  for (const name of ['unsigned', 'forged', 'not-json', 'tampered', 're-serialised', 'stale', 'future'])
    expect([name, expectations[name]]).toEqual([name, 'refused']);
  for (const name of ['valid', 'duplicate', 'out-of-order', 'raw-bytes', 'unknown-event', 'unknown-fields'])
    expect([name, expectations[name]]).toEqual([name, 'taken']);
});

it('what is wrong with each of those is what its title says', () => {
  const kit = { secret: 'whsec_test', now: 1_767_323_045_000, toleranceMs: 300_000, newId: () => 'evt_1' };
  const judgedBy = ({ body, signature: header }: Delivery) => {
    const verified = verify({ ...kit, body, header });
    return verified.ok ? 'ok' : verified.reason;
  };
  const found = Object.fromEntries(
    receiverCases.map(({ name, deliveries }) => [name, deliveries(kit).map(judgedBy).join(' ')]),
  );
  expect(found).toMatchObject({
    valid: 'ok',
    duplicate: 'ok ok',
    'out-of-order': 'ok ok',
    unsigned: 'header-missing signature-malformed',
    forged: 'signature-mismatch',
    'not-json': 'signature-mismatch signature-mismatch',
    tampered: 'signature-mismatch',
    're-serialised': 'signature-mismatch',
    'raw-bytes': 'ok',
    'non-ascii': 'ok ok',
    stale: 'timestamp-too-old',
    future: 'timestamp-in-future',
    'unknown-event': 'ok',
    'unknown-fields': 'ok',
    'empty-data': 'ok',
  });
});

describe('one answer', () => {
  it.each([
    ['valid', 200, true],
    ['valid', 204, true],
    ['valid', 199, false],
    ['valid', 302, false],
    ['valid', 400, false],
    ['valid', 500, false],
    ['forged', 400, true],
    ['forged', 401, true],
    ['forged', 499, true],
    ['forged', 200, false],
    ['forged', 302, false],
    ['forged', 500, false],
    ['empty-data', 200, true],
    ['empty-data', 422, true],
    ['empty-data', 500, false],
    ['empty-data', 302, false],
  ])('to the case %s, with %i: passed %s', (name, status, passed) => {
    expect(judged(name, [answered(status)])).toMatchObject({ passed, statuses: [status], ms: 1 });
  });

  it.each(receiverCases.map(({ name }) => [name]))('that does not come passes no case: %s', (name) => {
    expect(judged(name, [silent])).toEqual({
      passed: false,
      reason: 'it did not answer within 10 s',
      statuses: [null],
      ms: 10_000,
    });
  });

  it.each([
    [2_000, true],
    [2_001, false],
  ])('that comes after %i ms, where 2,000 are allowed: passed %s', (ms, passed) => {
    const { reason, ...judgement } = judged('valid', [answered(200, ms)]);
    expect(judgement).toMatchObject({ passed, ms });
    if (!passed) expect(reason).toBe('answered after 2.0 s: longer than --max-answer allows');
  });
});

describe('several answers', () => {
  it.each([
    [[200, 200], true, 'answered 200'],
    [[200, 204], true, 'answered 200 and 204'],
    [[200, 409], false, expect.stringMatching(/^answered 409, which is final/)],
    [[500, 200], false, expect.stringMatching(/^answered 500, which the service tries again/)],
    [[409, 500], false, expect.stringMatching(/^answered 409, which is final/)],
  ])('%j to a duplicate: passed %s', (statuses, passed, reason) => {
    const results = statuses.map((status, at) => answered(status, at + 1));
    expect(judged('duplicate', results)).toEqual({ passed, reason, statuses, ms: 2 });
  });
});

describe('the reason', () => {
  it.each([
    [
      'valid',
      404,
      'answered 404, which is final: the service does not send it again: is this the path where it accepts a POST? It said "no such page"',
    ],
    [
      'valid',
      307,
      'answered 307, a redirect, which is not followed: give the address that it leads to, often the same one with a slash at its end. It said "no such page"',
    ],
    [
      'valid',
      503,
      'answered 503, which the service tries again, three times in all: it failed by itself; its own log says why. It said "no such page"',
    ],
    ['forged', 200, 'accepted it (200): anybody who finds the address could send it false payments'],
    ['forged', 503, 'answered 503, which the service tries again, three times in all: refuse it with 400'],
  ])('of %s answered with %i', (name, status, reason) => {
    expect(judged(name, [answered(status, 1, 'no\n such  page')]).reason).toBe(reason);
  });

  it('is that of the genuine delivery where the answer is alike', () => {
    const alike =
      'answered 404, which is final: the service does not send it again: the genuine delivery failed too: is this the path where it accepts a POST?';
    expect(judged('unknown-event', [answered(404)], { notTaken: 404 }).reason).toBe(alike);
    expect(judged('unknown-event', [answered(500)], { notTaken: 404 }).reason).toContain(
      'new events may be added',
    );
  });
});
