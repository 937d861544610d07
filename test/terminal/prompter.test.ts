import { expect, it } from 'vitest';
import { canAsk } from '../../src/terminal/prompter.ts';
import { memoryIo } from '../support/memory-io.ts';

it.each([
  [true, true, false, true],
  [false, true, false, false],
  [true, false, false, false],
  [false, false, false, false],
  [true, true, true, false],
])(
  'stdin a terminal: %s, stderr a terminal: %s, --no-input: %s; somebody can answer: %s',
  (stdinIsTerminal, stderrIsTerminal, noInput, said) => {
    expect(canAsk({ ...memoryIo(), stdinIsTerminal, stderrIsTerminal }, { noInput })).toBe(said);
  },
);
