/** A CSV file from bytes to text: the encodings that spreadsheets write, and where the header begins. */
import { expect, it } from 'vitest';
import { decodeCsv, parseCsvHead, parseCsvRows } from '../../src/flags/csv-rows.ts';

const utf16 = 'the file is UTF-16; save it as "CSV UTF-8"';
it.each<[string, number[], string | { line: number; reason: string }]>([
  ['text', [0x61, 0x2c, 0xc3, 0xa7], 'a,ç'],
  ['CRLF, also within quotes', [...Buffer.from('a\r\n"b\r\nc"\r\n')], 'a\n"b\nc"\n'],
  ['UTF-16, little end first', [0xff, 0xfe, 0x61, 0x62], { line: 1, reason: utf16 }],
  ['UTF-16, big end first', [0xfe, 0xff, 0x61, 0x62], { line: 1, reason: utf16 }],
  [
    'UTF-16 without a mark',
    [0x61, 0, 0x62, 0],
    { line: 1, reason: 'the file is UTF-16, or not text; save it as "CSV UTF-8"' },
  ],
  ['Latin-1', [0x61, 0xe7], { line: 1, reason: 'the file is not UTF-8 text; save it as "CSV UTF-8"' }],
  [
    'bytes like half of a mark',
    [0xff, 0x61],
    { line: 1, reason: 'the file is not UTF-8 text; save it as "CSV UTF-8"' },
  ],
  ['nothing', [], ''],
  [
    'the longest line there may be',
    [...Buffer.from(`a\n${'b'.repeat(100_000)}\n`)],
    `a\n${'b'.repeat(100_000)}\n`,
  ],
  [
    'a line that is longer',
    [...Buffer.from(`a\rb\r\n\n${','.repeat(100_001)}`)],
    { line: 4, reason: 'a line of more than 100000 characters: this is no table' },
  ],
])('%s', (_, bytes, expected) => {
  expect(decodeCsv(Uint8Array.from(bytes))).toEqual(expected);
});

it.each([
  ['a,b\n', { line: 1, rest: 'a,b\n', delimiter: null }],
  ['sep=;\na;b\n', { line: 2, rest: 'a;b\n', delimiter: ';' }],
  ['"SEP=,",,\na,b\n', { line: 2, rest: 'a,b\n', delimiter: ',' }],
  ['sep=|\na', { line: 1, rest: 'sep=|\na', delimiter: null }],
  ['sep=;', { line: 2, rest: '', delimiter: ';' }],
])('the header of %j', (text, head) => {
  expect(parseCsvHead(text)).toEqual(head);
});

it('stops reading behind the one row that is too many', async () => {
  const rows = (lines: number) =>
    parseCsvRows(`a,b\n${'1,2\n'.repeat(lines)}"never closed`, { delimiter: ',', from: 1, most: 3 });
  expect(await rows(4)).toHaveLength(5);
  expect(await rows(3)).toMatchObject({ line: 5 });
});
