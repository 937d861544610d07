/** A stdin without an end: told as what it is, and not read on. */
import { expect, it } from 'vitest';
import { start } from '../support/run.ts';

it('brcode decode ends with 65 once stdin is larger than any picture of a code', async () => {
  const child = start(['brcode', 'decode', '-']);
  const chunk = Buffer.alloc(65_536, '0');
  // Its end is what ends this writer.
  child.stdin.on('error', () => {});
  const write = () => {
    while (child.stdin.writable && child.stdin.write(chunk));
  };
  child.stdin.on('drain', write);
  write();
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said += text.toString();
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, said]).toEqual([65, expect.stringContaining('stdin has more than 4000000 bytes')]);
});
