/** Outcomes to the letter: an operator's mail and an auditor's log have nothing else. */
import { describe, expect, it } from 'vitest';
import type { Cents } from '../../../src/contract/brand.ts';
import type { Intent } from '../../../src/ledger/intent.ts';
import * as say from '../../../src/withdrawal/outcome/create-outcome.ts';
import { withdraw } from '../../../src/withdrawal/withdraw.ts';
import { accepted, desk, order } from '../desk.ts';

async function intentWith(more: Partial<Intent>): Promise<Intent> {
  const at = desk();
  at.answers.push(accepted('w1'));
  const { intent } = await withdraw(at, order());
  return { ...(intent as Intent), ...more };
}

describe('what the service has', () => {
  const found =
    " It was found in the service's list or named by a person; the service never answered with it.";
  it.each([
    [{}, false, 'ok', 'the withdrawal of R$ 10,50 (w1) was accepted.'],
    [{}, true, 'ok', 'the withdrawal of R$ 10,50 (w1) was accepted. Nothing was sent in this run.'],
    [
      { state: 'COMPLETED', inferred: true },
      true,
      'ok',
      `the withdrawal of R$ 10,50 (w1) is completed.${found} Nothing was sent in this run.`,
    ],
    [{ state: 'FAILED', reason: null }, false, 'endedBadly', 'the withdrawal of R$ 10,50 (w1) failed.'],
    [
      { state: 'FAILED', reason: 'no such account' },
      true,
      'endedBadly',
      'the withdrawal of R$ 10,50 (w1) failed: no such account. Nothing was sent in this run.',
    ],
  ] as const)('%j, in a later run: %j', async (more, replayed, exit, message) => {
    expect(say.acceptedOutcome(await intentWith(more), replayed)).toMatchObject({ exit, message });
  });
});

it.each([
  ['LOST', 'its answer was lost'],
  ['HTTP_502', 'the service answered 502'],
  ['OWNER_GONE', 'the process that was sending it has ended'],
  ['MALFORMED', 'the answer does not show that it belongs to this withdrawal'],
  ['ID_CLAIMED', 'the answer belongs to another key of this ledger'],
  ['ID_SEEN_BEFORE', 'the answer names a withdrawal that existed before this one was sent'],
  ['REFUSED_BUT_LISTED', 'the service refused it, but lists a withdrawal that may be this one'],
  ['REFUSAL_UNCONFIRMED', 'the service refused it, and its list could not confirm that'],
])('why %s leaves the outcome unknown, and when it was sent', async (reason, words) => {
  const sentAt = Date.parse('2026-03-10T12:00:00Z');
  const unknown = await intentWith({ state: 'UNKNOWN', reason, sentAt });
  expect(say.unknownReason(unknown)).toBe(`${words} (sent 2026-03-10T12:00:00.000Z)`);
  expect(say.unknownReason({ ...unknown, sentAt: null })).toBe(words);
  expect(say.unknownOutcome(unknown, words).message).toBe(
    `the withdrawal of R$ 10,50 may have happened: ${words}. It is not sent again.`,
  );
});

it.each([
  [400, 'BAD_REQUEST', 'refused', 'Once the cause is fixed'],
  [401, 'UNAUTHORIZED', 'auth', 'Once the cause is fixed'],
  [403, 'FORBIDDEN', 'auth', 'Once the cause is fixed'],
  [409, 'CONFLICT', 'refused', 'Once the cause is fixed'],
  [429, 'RATE_LIMITED', 'later', 'Run the same withdraw command again later.'],
])('a refusal with %i %s, in this run and in a later one', async (status, code, exit, hint) => {
  const intent = await intentWith({ state: 'REFUSED', reason: code, resourceId: null });
  const begins = expect.stringContaining(hint);
  expect(say.refused(intent, status, code, 'words')).toMatchObject({ exit, hint: begins });
  expect(say.neverMoved(intent)).toMatchObject({ exit, hint: begins });
});

it('a refusal with a code that is not known counts as one for good', async () => {
  const intent = await intentWith({ state: 'REFUSED', reason: 'NEW_CODE', resourceId: null });
  expect(say.neverMoved(intent, 'words')).toMatchObject({
    exit: 'refused',
    message: 'the outcome is known: the service refused it (NEW_CODE: words)',
  });
});

it.each([
  [
    { rule: 'max-per-withdrawal', cap: 5_000 as Cents },
    'POLICY_MAX_PER_WITHDRAWAL',
    'it is above the limit for one withdrawal (R$ 50,00)',
  ],
  [
    { rule: 'max-per-day', cap: 5_000 as Cents, spentToday: 4_000 },
    'POLICY_MAX_PER_DAY',
    'it would exceed the daily limit (R$ 50,00, of which R$ 40,00 is spent or may be)',
  ],
  [
    { rule: 'quiet-hours', from: '22:00', to: '06:00', timeZone: 'America/Sao_Paulo' },
    'POLICY_QUIET_HOURS',
    'it is within the quiet hours (22:00 to 06:00, America/Sao_Paulo)',
  ],
] as const)('a breach of %j', (breach, code, words) => {
  expect(say.policyBreach(null, breach)).toMatchObject({
    exit: 'policy',
    code,
    message: `the local policy refuses this withdrawal: ${words}; nothing was sent`,
  });
});

it.each([
  ['SIGINT', 'interrupted'],
  ['SIGTERM', 'terminated'],
])('%s before anything was sent', (signal, exit) => {
  expect(say.interrupted(null, AbortSignal.abort(signal)).exit).toBe(exit);
});
