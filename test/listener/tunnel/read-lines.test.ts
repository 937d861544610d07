import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readLines } from '../../../src/listener/tunnel/read-lines.ts';

const linesOf = async (chunks: readonly string[]): Promise<string[]> => {
  const stream = new PassThrough();
  const lines: string[] = [];
  readLines(stream, (line) => lines.push(line));
  for (const chunk of chunks) stream.write(chunk);
  const ended = new Promise((resolve) => stream.once('end', resolve));
  stream.end();
  await ended;
  return lines;
};

it.each<[string, string[], string[]]>([
  ['lines in one piece', ['a\nb\n'], ['a', 'b']],
  ['lines in many pieces', ['a', 'b\nc', '\n', 'd'], ['ab', 'c', 'd']],
  ['line breaks of Windows', ['a\r\nb\r\n'], ['a', 'b']],
  ['a last line without its end', ['a\n', ' b\r'], ['a', 'b']],
  ['nothing', [], []],
])('reads %s', async (_, chunks, expected) => {
  expect(await linesOf(chunks)).toEqual(expected);
});

it('keeps the beginning of a line without an end', async () => {
  const lines = await linesOf([...Array.from({ length: 100 }, () => 'x'.repeat(10_000)), '\nnext\n']);
  expect(lines.map(({ length }) => length)).toEqual([16_384, 4]);
});
