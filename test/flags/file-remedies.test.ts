import { expect, it } from 'vitest';
import {
  makeReadableHint,
  makeWritableHint,
  moveAwayHint,
  removeHint,
  unreadableFileError,
  unwritableFileError,
  writableResult,
} from '../../src/flags/file-remedies.ts';

it('names what the system has: a command, or on Windows what to do', () => {
  const remedies = [moveAwayHint, removeHint, makeReadableHint, makeWritableHint];
  expect(remedies.map((remedy) => remedy('/a b', 'linux'))).toEqual([
    "mv '/a b' '/a b.old'",
    "rm '/a b'",
    "chmod 600 '/a b'",
    "chmod u+w '/a b'",
  ]);
  expect(remedies.map((remedy) => remedy('C:\\a b', 'win32'))).toEqual([
    'rename it to C:\\a b.old',
    'delete C:\\a b',
    'Give yourself access to C:\\a b, or close the program that has it open.',
    'attrib -R "C:\\a b"',
  ]);
});

it("names a file for a shell as one word also where a person's name in its path has an apostrophe", () => {
  const path = "/home/o'neil/a";
  expect(
    [moveAwayHint, removeHint, makeReadableHint, makeWritableHint].map((remedy) => remedy(path, 'linux')),
  ).toEqual([
    "mv '/home/o'\\''neil/a' '/home/o'\\''neil/a.old'",
    "rm '/home/o'\\''neil/a'",
    "chmod 600 '/home/o'\\''neil/a'",
    "chmod u+w '/home/o'\\''neil/a'",
  ]);
});

it('says on Windows that another program may have the result of a batch open', () => {
  expect([writableResult('linux'), writableResult('win32')]).toEqual([
    'with --result and a file that can be written',
    'once no other program has that file open, or with --result and another one',
  ]);
});

it.each([
  ['ENOENT', 'there is no such file', 'there is no such directory'],
  ['ENAMETOOLONG', 'its name is too long', 'its name is too long'],
  ['ELOOP', 'it is a link that leads to itself', 'it is a link that leads to itself'],
  ['EACCES', 'its permissions do not allow it', 'its permissions do not allow it'],
  ['EPERM', 'its permissions do not allow it', 'its permissions do not allow it'],
  ['EBUSY', 'another program has it open', 'another program has it open'],
  ['EROFS', 'EROFS', 'nothing can be written there'],
  ['EIO', 'EIO', 'EIO'],
])('a file that cannot be used is told in words: %s', (code, read, written) => {
  expect(unreadableFileError('march.csv', { code })).toMatchObject({
    kind: 'usage',
    message: `The file march.csv cannot be read: ${read}. Nothing was sent.`,
    hint: undefined,
  });
  expect(unwritableFileError('qr.png', { code })).toMatchObject({
    kind: 'usage',
    message: `The file qr.png cannot be written: ${written}. Nothing was sent.`,
    hint: undefined,
  });
});

it('explains a ~ that no shell has read', () => {
  for (const error of [
    unreadableFileError('~/march.csv', { code: 'ENOENT' }),
    unwritableFileError('~/qr.png', { code: 'ENOENT' }),
  ])
    expect(error.hint).toBe(
      'A shell expands ~ only at the start of a word: put a space in place of the = before it, or write the path in full.',
    );
});
