import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { writeInAscii } from '../../../src/terminal/streams/ascii-stream.ts';

it('a terminal of another encoding gets in ASCII what a library writes', async () => {
  const raw = new PassThrough();
  const stream = writeInAscii(raw as unknown as NodeJS.WriteStream);
  await new Promise<void>((resolve) => stream.write('\u276f Jo\u00e3o \u00db2J\n', () => resolve()));
  expect(raw.read().toString()).toBe('\\u276f Jo\\u00e3o \\u00db2J\n');
});
