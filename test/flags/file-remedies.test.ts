import { expect, it } from 'vitest';
import {
  makeReadable,
  makeWritable,
  moveAway,
  remove,
  writableResult,
} from '../../src/flags/file-remedies.ts';

it('names what the system has: a command, or on Windows what to do', () => {
  const remedies = [moveAway, remove, makeReadable, makeWritable];
  expect(remedies.map((remedy) => remedy('/a b', 'linux'))).toEqual([
    "mv '/a b' '/a b.old'",
    "rm '/a b'",
    "chmod 600 '/a b'",
    "chmod u+w '/a b'",
  ]);
  expect(remedies.map((remedy) => remedy('C:\\a b', 'win32'))).toEqual([
    'rename it to C:\\a b.old',
    'delete C:\\a b',
    'Give yourself access to C:\\a b, or close what has it open.',
    'attrib -R "C:\\a b"',
  ]);
});

it('says on Windows that another program may have the result of a batch open', () => {
  expect([writableResult('linux'), writableResult('win32')]).toEqual([
    'with --result and a file that can be written',
    'once no other program has that file open, or with --result and another one',
  ]);
});
