/** When stdin has ended for whoever watches it, and that nothing of it is left once nobody does. */
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { watchStdinEnd } from '../../src/runtime/stdin-end.ts';

function watched(stdin: PassThrough, asked = true) {
  const stop = new AbortController();
  const io = { stdin } as unknown as Parameters<typeof watchStdinEnd>[0]['io'];
  return { stop, end: watchStdinEnd({ io, signal: stop.signal }, asked) };
}

const nothing = () => {};

it.each<[string, (stdin: PassThrough) => unknown, (stdin: PassThrough) => unknown]>([
  ['had ended before', (stdin) => stdin.resume().end(), nothing],
  ['was closed before', (stdin) => stdin.destroy(), nothing],
  ['ends, whatever it says', nothing, (stdin) => stdin.end('words')],
  ['is closed', nothing, (stdin) => stdin.destroy()],
  ['breaks', nothing, (stdin) => stdin.destroy(new Error('EIO'))],
])('stdin that %s is the end of the run', async (_, before, after) => {
  const stdin = new PassThrough();
  before(stdin);
  await turn();
  const { end } = watched(stdin);
  after(stdin);
  await turn();
  expect([end.signal.aborted, end.hasCome()]).toEqual([true, true]);
});

it('a signal is one too, and is not taken for stdin', async () => {
  const { stop, end } = watched(new PassThrough());
  expect(end.signal.aborted).toBe(false);
  stop.abort();
  expect([end.signal.aborted, end.hasCome()]).toEqual([true, false]);
});

it('once nobody watches, stdin is closed, which ends nothing any more', async () => {
  const stdin = new PassThrough();
  const { end } = watched(stdin);
  end.stopWatching();
  await turn();
  expect([stdin.destroyed, end.signal.aborted, end.hasCome()]).toEqual([true, false, false]);
});

it('is left alone where nobody asked', async () => {
  const stdin = new PassThrough();
  const { end } = watched(stdin, false);
  stdin.destroy();
  await turn();
  expect([end.signal.aborted, end.hasCome()]).toEqual([false, false]);
});
