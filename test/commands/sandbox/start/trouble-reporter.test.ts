/** What a sandbox that runs in a terminal says of what goes wrong inside. */
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createTroubleReporter } from '../../../../src/commands/sandbox/start/trouble-reporter.ts';
import { PixctlError } from '../../../../src/errors.ts';
import { CorruptStateError } from '../../../../src/sandbox/store/store-failures.ts';
import { allHostileText as evil, rawIn } from '../../../support/hostile-text.ts';

const teller = () => {
  const clock = { time: 0, monotonic: () => clock.time };
  const lines: string[] = [];
  return { clock, lines, tell: createTroubleReporter((line) => lines.push(line), clock) };
};

/** The database's own error for a write that finds no room, or that a constraint refuses. */
function failure(sql: string): unknown {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (x CHECK (x <> 1)); PRAGMA max_page_count = 2');
  try {
    database.exec(sql);
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
  throw new Error('it did not fail');
}
const noRoom = () => failure('INSERT INTO t VALUES (zeroblob(100000))');

it('a full disk is one line a minute, however many requests meet it', () => {
  const { clock, lines, tell } = teller();
  for (let count = 0; count < 100; count += 1) tell(noRoom());
  const line =
    'The sandbox cannot use its state: database or disk is full. Until that is repaired, requests that need it are answered with 500.';
  expect(lines).toEqual([line]);
  clock.time = 59_999;
  tell(noRoom());
  expect(lines).toEqual([line]);
  clock.time = 60_000;
  tell(noRoom());
  expect(lines).toEqual([line, line]);
});

it('a record that was edited by hand is one line a minute, with what to do', () => {
  const { lines, tell } = teller();
  for (let count = 0; count < 3; count += 1)
    tell(new CorruptStateError('the record chg_1 of its table charges'));
  expect(lines).toEqual([
    'The sandbox cannot read its state: the record chg_1 of its table charges is not as pixctl writes it (edited by hand, or damaged). Requests that need it are answered with 500. What to do: stop the sandbox and repair or delete that record, or start it with another file or a snapshot of this one.',
  ]);
});

it.each([
  ['Raise it.', 'Nearly all are taken. Raise it.'],
  [undefined, 'Nearly all are taken.'],
])('too many connections are one line a minute: %s', (hint, line) => {
  const { lines, tell } = teller();
  const message = 'Nearly all are taken.';
  const many = new PixctlError('later', 'TOO_MANY_CONNECTIONS', message, hint === undefined ? {} : { hint });
  tell(many);
  tell(many);
  expect(lines).toEqual([line]);
});

it('nothing in it is obeyed by a terminal, whatever a state of somebody else holds', () => {
  const { lines, tell } = teller();
  tell(new CorruptStateError(`the record chg_${evil} of its table charges`));
  tell(new TypeError(`${evil} is not a function`));
  expect(lines.map(rawIn)).toEqual([[], []]);
});

it.each([
  ['of the program', () => new TypeError('x is not a function')],
  ['that has words of its own', () => new PixctlError('unexpected', 'OTHER', 'It is broken.')],
  ['in what the database was asked for', () => failure('INSERT INTO t VALUES (1)')],
])('a bug %s is told with its stack, each time', (_, make) => {
  const { lines, tell } = teller();
  tell(make());
  tell(make());
  expect(lines).toEqual([expect.stringMatching(/\n +at /), expect.stringMatching(/\n +at /)]);
});
