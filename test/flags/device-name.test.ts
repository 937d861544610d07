import { expect, it } from 'vitest';
import { isDeviceName } from '../../src/flags/device-name.ts';

it.each([
  'NUL',
  'nul.csv',
  'C:\\data\\Aux.result.csv',
  'C:/data/con',
  'nul:',
  'COM1',
  'lpt9.png',
  'PRN .txt',
  '.\\com³',
])('%s is a device on Windows, and a file elsewhere', (path) => {
  expect([isDeviceName(path, 'win32'), isDeviceName(path, 'linux')]).toEqual([true, false]);
});

it.each(['null.csv', 'console', 'com10', 'com.csv', 'nul\\march.csv', 'my con', '.nul', ''])(
  '"%s" is none',
  (path) => {
    expect(isDeviceName(path, 'win32')).toBe(false);
  },
);
