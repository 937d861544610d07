import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { type ReadAllOptions, readAll as readAtMost } from '../../../src/terminal/streams/read-all.ts';
import { endOfTyping } from '../../../src/terminal/streams/system-io.ts';

const readAll = (stream: Readable, options: Partial<ReadAllOptions> & { readonly what: string }) =>
  readAtMost(stream, { atMost: 1_000, ...options });

it('what Ctrl-C has cut off is not the whole, though its end arrives before the signal', async () => {
  const controller = new AbortController();
  const stream = Readable.from(['half of it']);
  stream.once('close', () => controller.abort('SIGINT'));
  const read = readAll(stream, { what: 'the file', signal: controller.signal });
  await expect(read).rejects.toMatchObject({
    kind: 'interrupted',
    message: 'Interrupted while the file was read. Nothing was sent.',
  });
});

it('what has come to its end is the whole, even for a caller that reads on after a signal', async () => {
  const controller = new AbortController();
  const stream = () => Readable.from([Buffer.from('one'), Buffer.from('two')]);
  const whole = await readAll(stream(), { what: 'the file', signal: controller.signal });
  controller.abort('SIGINT');
  const despite = await readAll(stream(), { what: 'the file', signal: undefined });
  expect([String(whole), String(despite)]).toEqual(['onetwo', 'onetwo']);
});

it.each([[['123', '456', 'never read']], [['12345', '6', 'never read']]])(
  'what is longer than it may be is refused, and not read on: %j',
  async (chunks) => {
    const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
    await expect(readAll(stream, { what: 'stdin', atMost: 5_000_000 })).resolves.toHaveLength(
      chunks.join('').length,
    );
    const read: string[] = [];
    const counted = Readable.from(
      (function* () {
        for (const chunk of chunks) {
          read.push(chunk);
          yield Buffer.from(chunk);
        }
      })(),
      { highWaterMark: 1 },
    );
    await expect(readAll(counted, { what: 'stdin', atMost: 5 })).rejects.toMatchObject({
      kind: 'data',
      code: 'TOO_LARGE',
    });
    expect(read).toEqual(chunks.slice(0, 2));
  },
);

it('what the system cannot read is the error of the line that names it, unless a signal explains it', async () => {
  const broken = (tell = () => {}) =>
    new Readable({
      read() {
        tell();
        this.destroy(Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }));
      },
    });
  await expect(readAll(broken(), { what: 'stdin' })).rejects.toMatchObject({
    kind: 'usage',
    message: 'The input (stdin) cannot be read: EIO. Nothing was sent.',
  });
  const controller = new AbortController();
  const gone = broken(() => setImmediate(() => controller.abort('SIGHUP')));
  await expect(readAll(gone, { what: 'stdin', signal: controller.signal })).rejects.toMatchObject({
    kind: 'terminated',
  });
});

it('what is as long as it may be is the whole', async () => {
  const stream = Readable.from(['123', '45'].map((chunk) => Buffer.from(chunk)));
  expect(String(await readAll(stream, { what: 'stdin', atMost: 5 }))).toBe('12345');
});

/** What Node reads from a console of Windows: whole lines, one or more at a time, the Ctrl-Z among them. */
it.each([
  [['foo\r\n', '\u001a\r\n', 'never read'], 'foo\r\n'],
  [['foo\r\n\u001a\r\nnever read'], 'foo\r\n'],
  [['\u001a\r\n', 'never read'], ''],
  [['fo', 'o\r', '\n', '\u001a'], 'foo\r\n'],
  [['foo\u001a\r\n', 'bar\r\n'], 'foo\u001a\r\nbar\r\n'],
  [['foo', '\u001a\r\n'], 'foo\u001a\r\n'],
])('on Windows a line that begins with Ctrl-Z ends what a person types: %j', async (chunks, whole) => {
  const { keys, endByte } = endOfTyping('win32');
  expect(keys).toBe('Ctrl-Z and Enter');
  const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  expect(String(await readAll(stream, { what: 'stdin', endByte }))).toBe(whole);
});

it('elsewhere a Ctrl-Z is a byte as any other, because the terminal itself tells the end', async () => {
  const { keys, endByte } = endOfTyping('linux');
  const stream = Readable.from([Buffer.from('foo\n\u001a\nbar')]);
  expect([keys, String(await readAll(stream, { what: 'stdin', endByte }))]).toEqual([
    'Ctrl-D',
    'foo\n\u001a\nbar',
  ]);
});
