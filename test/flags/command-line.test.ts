/** Commands that a text names: they mean the merchant that this command line meant. */
import { expect, it } from 'vitest';
import { commandLine, commandLineWithKey, createMerchantFlagInserter } from '../../src/flags/command-line.ts';
import { inQuotes } from '../support/platform.ts';

const other = createMerchantFlagInserter({ profile: 'other' });

it.each([
  ['Wait again: pixctl charge wait chg_1', 'Wait again: pixctl --profile other charge wait chg_1'],
  [
    'If it is there: pixctl withdrawal resolve k --withdrawal <id>. If not: pixctl withdrawal resolve k --not-sent.',
    'If it is there: pixctl --profile other withdrawal resolve k --withdrawal <id>. If not: pixctl --profile other withdrawal resolve k --not-sent.',
  ],
  ['  npx pixctl sandbox pay chg_1', '  npx pixctl --profile other sandbox pay chg_1'],
  ['pixctl withdraw --profile mine --to a', 'pixctl withdraw --profile mine --to a'],
  ['Run pixctl login, or set PIXCTL_API_KEY.', 'Run pixctl --profile other login, or set PIXCTL_API_KEY.'],
  ['pixctl login --profile shop with a new key', 'pixctl login --profile shop with a new key'],
  ['Log in with a valid key: pixctl login.', 'Log in with a valid key: pixctl --profile other login.'],
  [
    'pixctl sandbox start, then pixctl profile use sandbox',
    'pixctl sandbox start, then pixctl profile use sandbox',
  ],
  ['This pixctl reads version 3', 'This pixctl reads version 3'],
])('%s', (text, expected) => {
  expect(other(text)).toBe(expected);
});

it('says an address again, quoted', () => {
  const reword = createMerchantFlagInserter({ profile: 'Café 2', baseUrl: 'http://127.0.0.1:4010' });
  expect(reword('pixctl charge list')).toBe(
    `pixctl ${commandLine(['--profile', 'Café 2'])} --base-url http://127.0.0.1:4010 charge list`,
  );
  expect(reword('pixctl withdraw --profile mine')).toBe(
    'pixctl --base-url http://127.0.0.1:4010 withdraw --profile mine',
  );
});

it('leaves all as it is where nothing was chosen', () => {
  expect(createMerchantFlagInserter({})('pixctl charge list')).toBe('pixctl charge list');
});

it.each([
  ['k 1', `pixctl withdrawal resolve ${inQuotes('k 1')} --withdrawal <id>`],
  ['-2026-03', 'pixctl withdrawal resolve --withdrawal <id> -- -2026-03'],
])('says the key %j where it is read as one', (key, expected) => {
  expect(commandLineWithKey(['pixctl', 'withdrawal', 'resolve'], key, '--withdrawal', '<id>')).toBe(expected);
});

it.each([
  [
    ['pixctl', 'withdrawal', 'batch', 'C:\\Pay\\may.csv'],
    'pixctl withdrawal batch C:\\Pay\\may.csv',
    "pixctl withdrawal batch 'C:\\Pay\\may.csv'",
  ],
  [['--result', 'C:\\My Pay\\'], '--result "C:\\My Pay\\\\"', "--result 'C:\\My Pay\\'"],
  [['--to', 'ana@example.com', '@file'], '--to ana@example.com "@file"', '--to ana@example.com @file'],
  [['--profile', 'Café 2'], '--profile "Café 2"', "--profile 'Café 2'"],
  [['--fields', 'id,status'], '--fields "id,status"', '--fields id,status'],
  [['--idempotency-key', "it's $5"], "--idempotency-key 'it''s $5'", "--idempotency-key 'it'\\''s $5'"],
  [['PIXCTL_MERCHANT=a b', 'pixctl'], "$env:PIXCTL_MERCHANT='a b'; pixctl", "PIXCTL_MERCHANT='a b' pixctl"],
])('%j is read back the same by PowerShell, and by a POSIX shell', (words, onWindows, elsewhere) => {
  expect([commandLine(words, 'win32'), commandLine(words, 'linux')]).toEqual([onWindows, elsewhere]);
});
