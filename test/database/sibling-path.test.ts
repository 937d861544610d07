/** A file in the folder of another one, as each system writes paths. */
import { posix, win32 } from 'node:path';
import { expect, it } from 'vitest';
import { siblingPath } from '../../src/database/sibling-path.ts';

it.each([
  ['posix', 'march.csv', 'x'],
  ['posix', './march.csv', 'x'],
  ['posix', '../march.csv', '../x'],
  ['posix', '/march.csv', '/x'],
  ['posix', '/data/march.csv', '/data/x'],
  ['posix', 'data/a/../march.csv', 'data/x'],
  ['win32', 'march.csv', 'x'],
  ['win32', '.\\march.csv', 'x'],
  ['win32', 'C:\\march.csv', 'C:\\x'],
  ['win32', 'C:/data/march.csv', 'C:\\data\\x'],
  ['win32', 'C:march.csv', 'C:x'],
  ['win32', 'C:data\\march.csv', 'C:data\\x'],
  ['win32', '\\march.csv', '\\x'],
  ['win32', '\\\\server\\share\\march.csv', '\\\\server\\share\\x'],
  ['win32', '\\\\?\\C:\\data\\march.csv', '\\\\?\\C:\\data\\x'],
] as const)('%s: beside %s lies %s', (system, path, found) => {
  expect(siblingPath(path, 'x', { posix, win32 }[system])).toBe(found);
});
