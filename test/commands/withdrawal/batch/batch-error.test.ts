/** What the run of a batch comes to, where it was stopped between two lines. */
import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../../src/commands/withdrawal/batch/batch-error.ts';
import type { Cents, IdempotencyKey } from '../../../../src/contract/brand.ts';
import type { ExitName } from '../../../../src/errors.ts';
import type { Intent } from '../../../../src/ledger/intent.ts';
import type { BatchLine } from '../../../../src/withdrawal/batch/line.ts';
import type { BatchEnd } from '../../../../src/withdrawal/batch/run.ts';
import { refused } from '../../../../src/withdrawal/outcome/create-outcome.ts';
import type { Outcome } from '../../../../src/withdrawal/outcome/outcome.ts';

const stopped = AbortSignal.abort('SIGTERM');

const row = (line: number, state: string): BatchEnd['rows'][number] => ({
  ...{ idempotencyKey: `k-${line}`, state, withdrawalId: null, reason: null },
  ...{ amount: 1_000, line },
});

/** A run with --continue-on-failed whose first line ended so, and that came to no other. */
const endOf = (exit: ExitName, states: readonly string[]): BatchEnd => {
  const line = { line: 2, idempotencyKey: 'k-2' as IdempotencyKey, amount: 1_000 as Cents } as BatchLine;
  const outcome: Outcome = {
    ...{ exit, code: exit.toUpperCase(), message: 'as scripted' },
    ...{ intent: null, withdrawal: null, replayed: true },
  };
  const rows = states.map((state, at) => row(at + 2, state));
  return {
    rows,
    exit,
    worst: { line, outcome },
    stoppedAt: null,
    left: rows.length - 1,
    replayed: 0,
    unsaved: null,
    recordTold: async () => {},
  };
};

describe('a batch stopped between two lines', () => {
  it.each([
    ['endedBadly', 'UNKNOWN', 81, 'money may have moved'],
    ['endedBadly', 'SENDING', 81, 'money may have moved'],
    ['endedBadly', 'ACCEPTED', 83, 'money is on its way'],
    ['policy', 'ACCEPTED', 87, 'money is on its way'],
    ['auth', 'ACCEPTED', 77, 'money is on its way'],
    ['later', 'ACCEPTED', 82, 'money is on its way'],
  ] as const)(
    'after %s, before a line that is %s, ends with %i and names that line',
    (exit, state, code, words) => {
      const error = errorOf(endOf(exit, ['FAILED', 'NOT_STARTED', state]), stopped);
      expect(error?.exit).toBe(code);
      expect(error?.message).toContain('The run was then stopped between two lines.');
      expect(error?.message).toContain(`Line 4 (k-4), of an earlier run: ${words}.`);
      expect(error?.message).not.toContain('nothing in flight');
    },
  );

  it('with nothing begun behind it says so', () => {
    const error = errorOf(endOf('endedBadly', ['FAILED', 'NOT_STARTED']), stopped);
    expect(error?.exit).toBe(83);
    expect(error?.message).toContain('stopped between two lines, with nothing in flight.');
  });

  it.each(['endedBadly', 'keyReused', 'duplicate', 'policy'] as const)(
    'says what goes on behind a line that would stop it again: %s',
    (exit) => {
      const error = errorOf(endOf(exit, ['FAILED', 'NOT_STARTED']), new AbortController().signal);
      expect(error?.hint).toContain('run the same file with --continue-on-failed.');
    },
  );

  it.each(['refused', 'unknown', 'later', 'auth', 'pending'] as const)(
    'does not say so of a line whose reason may be removed, or be that of the others too: %s',
    (exit) => {
      const error = errorOf(endOf(exit, ['FAILED', 'NOT_STARTED']), new AbortController().signal);
      expect(error?.hint).not.toContain('--continue-on-failed');
    },
  );

  it.each(['POLICY_MAX_PER_DAY', 'POLICY_QUIET_HOURS'])(
    'says to wait where the others would meet the same until time has passed: %s',
    (code) => {
      const end = endOf('policy', ['NOT_STARTED', 'NOT_STARTED']);
      const worst = {
        line: end.worst?.line as BatchLine,
        outcome: { ...end.worst?.outcome, code } as Outcome,
      };
      const { hint } = errorOf({ ...end, worst }, new AbortController().signal) ?? {};
      expect(hint).toContain('Run the same file again once this no longer applies');
      expect(hint).not.toContain('--continue-on-failed');
    },
  );

  it.each([
    ['SIGTERM', ['COMPLETED', 'NOT_STARTED'], 143, ', with nothing in flight.'],
    ['SIGINT', ['COMPLETED', 'NOT_STARTED'], 130, ', with nothing in flight.'],
    ['SIGTERM', ['COMPLETED', 'ACCEPTED'], 82, '.'],
    ['SIGTERM', ['COMPLETED', 'UNKNOWN'], 81, '.'],
  ] as const)('by %s, after lines that went well, is no success: %j is %i', (signal, states, code, words) => {
    const error = errorOf({ ...endOf('ok', states), worst: null }, AbortSignal.abort(signal));
    expect(error?.exit).toBe(code);
    expect(error?.message).toContain(
      `Stopped between two lines${words} 1 of 2 withdrawals completed (R$ 10,00), 1 not reached.`,
    );
  });

  it('by a signal that came after the last line is a success', () => {
    const end = { ...endOf('ok', ['COMPLETED', 'COMPLETED']), worst: null, left: 0 };
    expect(errorOf(end, stopped)).toBe(null);
  });

  it('not stopped by a signal ends with the worst that it came to', () => {
    const error = errorOf(endOf('endedBadly', ['FAILED', 'UNKNOWN']), new AbortController().signal);
    expect(error?.exit).toBe(83);
    expect(error?.message).not.toContain('earlier run');
  });
});

it('ends a command line before it goes on, so that nobody copies the next sentence along', () => {
  const end = endOf('duplicate', ['PLANNED', 'NOT_STARTED']);
  const correction = ' If both addresses are one service: pixctl withdrawal resolve k-2 --withdrawal w0';
  const outcome = { ...end.worst?.outcome, code: 'POSSIBLE_DUPLICATE', correction } as Outcome;
  const worst = { line: end.worst?.line as BatchLine, outcome };
  const hintOf = (left: number) => errorOf({ ...end, worst, left }, new AbortController().signal)?.hint;
  expect(hintOf(1)).toContain('resolve k-2 --withdrawal w0. To pay the lines that were not reached');
  expect(hintOf(0)).toMatch(/resolve k-2 --withdrawal w0$/);
});

it.each([
  [429, 'Run the same file again later.'],
  [400, 'Once the cause is fixed, run the same file again.'],
])('after a refusal with %i says: %s', (status, next) => {
  const end = endOf('later', ['REFUSED']);
  const outcome = refused({} as Intent, status, 'ANY', 'as scripted');
  const worst = { line: end.worst?.line as BatchLine, outcome };
  expect(errorOf({ ...end, exit: outcome.exit, worst }, new AbortController().signal)?.hint).toBe(next);
});
