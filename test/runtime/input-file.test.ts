import { expect, it } from 'vitest';
import { unreadable } from '../../src/runtime/input-file.ts';

it.each([
  ['ENOENT', 'there is no such file'],
  ['EACCES', 'its permissions do not let you'],
  ['EPERM', 'its permissions do not let you'],
  ['EBUSY', 'another program has it open'],
  ['EIO', 'EIO'],
])('a file that cannot be read is told in words: %s', (code, words) => {
  expect(unreadable('march.csv', { code })).toMatchObject({
    kind: 'usage',
    message: `The file march.csv cannot be read: ${words}. Nothing was sent.`,
  });
});
