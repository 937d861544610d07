import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readAll } from '../../src/terminal/read-all.ts';

it('what a Ctrl-C has cut off is not the whole, though its end is told before the signal', async () => {
  const controller = new AbortController();
  const stream = Readable.from(['half of it']);
  stream.once('close', () => controller.abort('SIGINT'));
  const read = readAll(stream, { what: 'the file', signal: controller.signal });
  await expect(read).rejects.toMatchObject({
    kind: 'interrupted',
    message: 'Interrupted while the file was read. Nothing was sent.',
  });
});

it('what has come to its end is the whole, also for who reads on at a signal', async () => {
  const controller = new AbortController();
  const stream = () => Readable.from([Buffer.from('one'), Buffer.from('two')]);
  const whole = await readAll(stream(), { what: 'the file', signal: controller.signal });
  controller.abort('SIGINT');
  const despite = await readAll(stream(), { what: 'the file', signal: undefined });
  expect([String(whole), String(despite)]).toEqual(['onetwo', 'onetwo']);
});
