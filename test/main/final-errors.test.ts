/** The words and the code of a run that its command did not end itself. */
import { describe, expect, it } from 'vitest';
import { PixctlError } from '../../src/errors.ts';
import {
  endedTooSoonError,
  interruptedError,
  secondSignalError,
  toPixctlError,
} from '../../src/main/final-errors.ts';

const told = ({ exit, code, message, hint }: PixctlError) => ({ exit, code, message, hint });
const aborted = (reason: string) => AbortSignal.abort(reason);

describe('what was thrown', () => {
  it('stays what it is if it is of the family', () => {
    const error = new PixctlError('refused', 'NO', 'No.');
    expect(toPixctlError(error)).toBe(error);
  });

  it.each([
    [new Error('odd'), 'Unexpected: odd'],
    ['odd', 'Unexpected: odd'],
    [null, 'Unexpected: null'],
  ])('is otherwise a bug, which --debug shows: %s', (thrown, message) => {
    const error = toPixctlError(thrown);
    expect(told(error)).toEqual({
      exit: 1,
      code: 'UNEXPECTED',
      message,
      hint: 'This is a bug in pixctl, or a case it does not know; run it again with --debug to see where.',
    });
    expect(error.cause).toBe(thrown);
  });

  it('is no bug in a directory that is gone', () => {
    const thrown = Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'uv_cwd' });
    expect(told(toPixctlError(thrown))).toMatchObject({ exit: 78, code: 'NO_DIRECTORY' });
    expect(toPixctlError(thrown).cause).toBe(thrown);
  });
});

describe('a signal', () => {
  const bug = toPixctlError(new Error('aborted'));
  const idle = { hasSent: false, outcomeUnknown: false, outcomeHint: null };
  it.each([
    ['SIGINT', 130, 'INTERRUPTED'],
    ['SIGTERM', 143, 'TERMINATED'],
  ])('%s explains what nobody else does', (reason, exit, code) => {
    const error = interruptedError(aborted(reason), bug, idle);
    expect(error).toMatchObject({ exit, code, message: `Stopped by ${reason}; nothing was in flight.` });
    expect(error?.cause).toBe(bug);
  });

  it('explains neither what ended before it nor what has words of its own', () => {
    expect(interruptedError(new AbortController().signal, bug, idle)).toBeNull();
    const own = new PixctlError('unknown', 'OUTCOME_UNKNOWN', 'Money may have moved.');
    expect(interruptedError(aborted('SIGINT'), own, idle)).toBeNull();
  });

  it.each([
    { ...idle, hasSent: true },
    { ...idle, outcomeUnknown: true },
  ])('is an unknown outcome where %j', (flight) => {
    const error = interruptedError(aborted('SIGINT'), bug, { ...flight, outcomeHint: 'Look first.' });
    expect(error).toMatchObject({ exit: 81, code: 'OUTCOME_UNKNOWN', hint: 'Look first.', cause: bug });
    expect(error?.message).toContain('before the outcome was known');
  });

  type Flight = Parameters<typeof secondSignalError>[1];
  it.each<[string, Partial<Flight>, object]>([
    [
      'before anything is known',
      { completed: null },
      {
        exit: 81,
        code: 'OUTCOME_UNKNOWN',
        message:
          'Stopped at once by a second SIGINT, before the outcome was known: what was sent may have taken effect.',
        hint: 'Check what happened before you run it again; with the same idempotency key it is safe.',
      },
    ],
    [
      'of a command that says what to do then',
      { completed: null, outcomeHint: 'Run the same command again.' },
      { exit: 81, code: 'OUTCOME_UNKNOWN', hint: 'Run the same command again.' },
    ],
    [
      'after something was done',
      {
        completed: { what: 'The charge chg_1 was created.', hint: 'Do not create it again.' },
        outcomeHint: 'x',
      },
      {
        exit: 81,
        code: 'STOPPED',
        message: 'The charge chg_1 was created. Stopped at once by a second SIGINT.',
        hint: 'Do not create it again.',
      },
    ],
  ])('that is the second one, %s', (_, flight, expected) => {
    expect(told(secondSignalError('SIGINT', flight as Flight))).toMatchObject(expected);
  });
});

it.each([
  [true, 81],
  [false, 1],
])('a run that ends too soon, having sent something: %s, ends with %i', (mayHaveSent, exit) => {
  expect(told(endedTooSoonError(mayHaveSent))).toMatchObject({
    ...{ exit, code: 'ENDED_TOO_SOON' },
    hint: expect.stringContaining('Check what happened before you run it again'),
  });
});
