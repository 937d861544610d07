import { expect, it } from 'vitest';
import { writeBytes } from '../../src/terminal/write-bytes.ts';
import { memoryIo } from '../support/memory-io.ts';

const odd = Uint8Array.from([...Buffer.from('{"a":\t"\u001b]0;t\u0007\u202e"}\n'), 0xff]);

it('bytes reach a file or a pipe as they are', async () => {
  const handed: unknown[] = [];
  const io = { stdoutIsTerminal: false, write: async (bytes: unknown) => void handed.push(bytes) };
  await writeBytes(io, odd);
  expect(handed).toEqual([odd]);
});

it('nothing of them that a terminal would obey reaches one', async () => {
  const io = memoryIo({ terminal: true });
  await writeBytes(io, odd);
  expect(io.out).toBe('{"a":\t"\\x1b]0;t\\x07\\u{202e}"}\n\ufffd\n');
});
