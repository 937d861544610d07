/** A command line as text is read back as the words it was made of. */
import { expect, it } from 'vitest';
import { commandLine, commandLineWithKey, outputWords } from '../../src/flags/command-line.ts';
import { inQuotes } from '../support/platform.ts';

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

it.each([
  [{}, ''],
  [{ json: true, fields: 'id,status' }, '--json --fields id,status'],
  [{ output: 'csv', jq: '.id', csvLocale: 'pt-BR' }, '-o csv --jq .id --csv-locale pt-BR'],
  [{ csvLocale: 'machine' }, ''],
] as [Parameters<typeof outputWords>[0], string][])('%j is shown again by "%s"', (globals, words) => {
  expect(outputWords(globals).join(' ')).toBe(words);
});
