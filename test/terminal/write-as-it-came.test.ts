/** Bytes that came from elsewhere, on their way to stdout. */
import { expect, it } from 'vitest';
import { writeAsItCame } from '../../src/terminal/write-as-it-came.ts';
import { allHostileText, hostileTexts, rawIn } from '../support/hostile-text.ts';
import { memoryIo } from '../support/memory-io.ts';

it.each(hostileTexts)('%s: a terminal obeys none of it', async (_title, text) => {
  const io = memoryIo({ terminal: true });
  await writeAsItCame(io, Buffer.from(text));
  expect(rawIn(io.out)).toEqual([]);
});

it('ends with one line break on a terminal', async () => {
  const io = memoryIo({ terminal: true });
  await writeAsItCame(io, Buffer.from('a'));
  await writeAsItCame(io, Buffer.from('b\n'));
  expect(io.out).toBe('a\nb\n');
});

it('a pipe gets the same bytes, whatever they are', async () => {
  const got: (string | Uint8Array)[] = [];
  const bytes = Buffer.concat([Buffer.from(allHostileText), Buffer.of(0xff, 0x00, 0x9b)]);
  await writeAsItCame({ stdoutIsTerminal: false, write: async (what) => void got.push(what) }, bytes);
  expect(got).toEqual([bytes]);
});
