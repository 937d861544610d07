/** A reader that takes nothing, and a run that is told to stop: the one must not hold up the other for ever. */
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { createOutput } from '../../../src/terminal/render-output.ts';
import { memoryIo } from '../../support/memory-io.ts';

const options = {
  format: 'ndjson',
  fields: null,
  quiet: true,
  csvLocale: 'machine',
  timeZone: null,
} as const;
const view = { name: 'sale', columns: [{ key: 'id', header: 'ID', value: ({ id }: { id: number }) => id }] };
const atOnce = { sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) } as unknown as Clock;

/** stdout of whose reader takes a write only when `take` is called. */
function slowReader() {
  const waiting: (() => void)[] = [];
  const memory = memoryIo();
  const io = Object.defineProperties(Object.create(memory) as typeof memory, {
    stdoutBacklog: { get: () => waiting.length },
    write: { value: () => new Promise<void>((resolve) => waiting.push(resolve)) },
  });
  return { io, take: () => waiting.shift()?.() };
}

async function* endless(closed: { yes: boolean }) {
  try {
    for (let id = 0; ; id++) yield { id };
  } finally {
    closed.yes = true;
  }
}

describe('a list whose reader takes nothing', () => {
  it.each([
    ['SIGINT', 'interrupted', 130],
    ['SIGTERM', 'terminated', 143],
    ['SIGHUP', 'terminated', 143],
  ])('ends at %s, and asks for no more of it', async (name, kind, exit) => {
    const closed = { yes: false };
    const stop = new AbortController();
    const listed = createOutput(slowReader().io, options, atOnce).each(view, endless(closed), stop.signal);
    stop.abort(name);
    await expect(listed).rejects.toMatchObject({
      kind,
      exit,
      message: `Stopped by ${name} while nothing was reading the output, which is incomplete.`,
    });
    expect(closed.yes).toBe(true);
  });

  it('ends at a signal that came before it began', async () => {
    const listed = createOutput(slowReader().io, options, atOnce).each(
      view,
      [{ id: 1 }],
      AbortSignal.abort('SIGTERM'),
    );
    await expect(listed).rejects.toMatchObject({ exit: 143 });
  });

  it('is waited for without a signal, and with one as long as what waits becomes less', async () => {
    const { io, take } = slowReader();
    const sizes = [3, 2, 1];
    const shrinking = Object.defineProperty(Object.create(io) as typeof io, 'stdoutBacklog', {
      get: () => sizes.shift() ?? 0,
    });
    const stop = new AbortController();
    const listed = createOutput(shrinking, options, atOnce).each(view, [{ id: 1 }], stop.signal);
    const unasked = createOutput(io, options, atOnce).each(view, [{ id: 2 }]);
    stop.abort('SIGTERM');
    const pump = setInterval(take, 1);
    try {
      expect(await Promise.all([listed, unasked])).toEqual([1, 1]);
    } finally {
      clearInterval(pump);
    }
  });
});
