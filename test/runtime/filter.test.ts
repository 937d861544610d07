/** `--jq` on what a run shows: dressed for its reader, and what a failure does to the run. */
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/api/json.ts';
import { systemClock } from '../../src/clock.ts';
import { openFilter } from '../../src/runtime/filter.ts';
import type { Runtime } from '../../src/runtime.ts';
import type { OutputOptions } from '../../src/terminal/output.ts';
import { createOutput } from '../../src/terminal/render-output.ts';
import { hostileTexts, rawIn } from '../support/hostile-text.ts';
import { type MemoryIoOptions, memoryIo } from '../support/memory-io.ts';

interface Sale {
  id: string;
  amount?: unknown;
  note?: string;
}
const view = {
  name: 'sale',
  columns: [
    { key: 'id', header: 'ID', value: ({ id }: Sale) => id },
    { key: 'amount', header: 'Amount', value: ({ amount }: Sale) => amount },
  ],
};

async function outputOf(jq: string, options: Partial<OutputOptions> = {}, ioOptions: MemoryIoOptions = {}) {
  const io = memoryIo(ioOptions);
  const flight: Runtime['flight'] = {
    outcomeUnknown: false,
    hasSent: false,
    outcomeHint: null,
    completed: null,
  };
  const signal = new AbortController().signal;
  const filter = await openFilter({ io, clock: systemClock, signal, flight }, jq);
  const all = { fields: null, quiet: false, csvLocale: 'machine', timeZone: null } as const;
  const output = createOutput(io, { ...all, format: 'json', ...options, filter }, systemClock);
  return { io, flight, output };
}

const sales: readonly Sale[] = [{ id: 'a', amount: 1 }, { id: 'b', amount: 2 }, { id: 'c' }];

describe('what is shown', () => {
  it.each([
    ['json', '.[].id', 'a\nb\nc\n'],
    ['json', 'length', '3\n'],
    ['json', 'map(.amount)', '[1,2,null]\n'],
    ['ndjson', '.id', 'a\nb\nc\n'],
    ['ndjson', 'select(.amount == 2)', '{"id":"b","amount":2}\n'],
    ['ndjson', 'empty', ''],
  ] as const)('of a list as %s is what %j makes of it', async (format, jq, out) => {
    const { io, output } = await outputOf(jq, { format });
    expect(await output.each(view, sales)).toBe(3);
    expect(io.out).toBe(out);
  });

  it('of an empty list is what the expression makes of []', async () => {
    const { io, output } = await outputOf('length');
    expect(await output.each(view, [])).toBe(0);
    expect(io.out).toBe('0\n');
  });

  it.each([false, true])('is compact, also on a terminal (%s)', async (terminal) => {
    const { io, output } = await outputOf('., .amount', {}, { terminal });
    await output.show(view, { id: 'a', amount: parseJson(Buffer.from('9007199254740993')) });
    expect(io.out).toBe('{"id":"a","amount":9007199254740993}\n9007199254740993\n');
  });

  it('is what --fields has left', async () => {
    const { io, output } = await outputOf('.', { fields: ['amount'] });
    await output.show(view, { id: 'a', amount: 5 });
    expect(io.out).toBe('{"amount":5}\n');
  });

  it('is text as it is in a pipe, and nothing that a terminal would obey on a terminal', async () => {
    for (const [, note] of hostileTexts) {
      const piped = await outputOf('.note');
      await piped.output.show(view, { id: 'a', note });
      expect(piped.io.out).toBe(`${note.toWellFormed()}\n`);
      const seen = await outputOf('.note, {note}', {}, { terminal: true });
      await seen.output.show(view, { id: 'a', note });
      expect(rawIn(seen.io.out)).toEqual([]);
    }
  });

  it('says on stderr what debug says, with nothing that a terminal would obey', async () => {
    const { io, output } = await outputOf('debug | .id');
    await output.show(view, { id: 'a', note: '\u202e' });
    expect(io.out).toBe('a\n');
    expect(io.err).toBe('["DEBUG:",{"id":"a","note":"\\u{202e}"}]\n');
  });

  it('masks a secret in what debug and stderr say', async () => {
    for (const filter of ['debug | .id', '(.note | stderr) | "a"']) {
      const { io, output } = await outputOf(filter);
      await output.show(view, { id: 'a', note: 'whsec_0123456789abcdef' });
      expect(io.err).toContain('whsec_****');
      expect(io.err).not.toContain('0123456789abcdef');
    }
  });
});

describe('an expression that fails', () => {
  const failed = { code: 'JQ', exit: 65, message: expect.stringMatching(/^--jq failed: null \(null\)/) };

  it('ends a list that is only read, with 65 and what came before', async () => {
    const { io, output } = await outputOf('.id, -.amount', { format: 'ndjson' });
    await expect(output.each(view, [...sales, { id: 'd', amount: 9 }])).rejects.toMatchObject(failed);
    // jq, too, has written what came before the failure on the same value.
    expect(io.out).toBe('a\n-1\nb\n-2\nc\n');
    expect(io.err).toBe('');
  });

  it('ends one that is one value in the same way', async () => {
    const { io, output } = await outputOf('.[] | -.amount');
    await expect(output.each(view, sales)).rejects.toMatchObject(failed);
    expect(io.out).toBe('-1\n-2\n');
  });

  it('on a single value leaves it to the end of the run: it may have a code of its own', async () => {
    const { io, flight, output } = await outputOf('-.amount');
    await output.show(view, { id: 'c' });
    expect(flight.filterError).toMatchObject(failed);
    expect({ out: io.out, err: io.err }).toEqual({ out: '', err: '' });
  });

  it.each<[string, Partial<Runtime['flight']>]>([
    ['has sent something', { hasSent: true }],
    ['does not know what became of it', { outcomeUnknown: true }],
    ['has done something', { completed: { what: 'It was paid.', hint: 'Do not pay it again.' } }],
    ['goes on with its work', { continuesOnFilterError: true }],
  ])('in a run that %s changes no code, and the whole value is on stderr', async (_, state) => {
    const { io, flight, output } = await outputOf('-.amount', { format: 'ndjson' });
    Object.assign(flight, state);
    expect(await output.each(view, [...sales, { id: 'd', amount: 4 }])).toBe(4);
    await output.show(view, { id: 'e', note: '\u001b' });
    expect(flight.filterError).toBeUndefined();
    expect(io.out).toBe('-1\n-2\n-4\n');
    expect(io.err).toMatch(
      /^warning: --jq failed: null \(null\) .*\. The whole value:\n{"id":"c"}\nwarning: .*:\n{"id":"e","note":"\\u001b"}\n$/,
    );
  });

  it.each(['.note | tonumber', '.note | error'])(
    'says %j about a secret without the secret, in a run that has sent something',
    async (jq) => {
      const { io, flight, output } = await outputOf(jq);
      flight.hasSent = true;
      await output.show(view, { id: 'a', note: 'whsec_0123456789abcdef' });
      expect(io.err).toMatch(/^warning: --jq failed: .*whsec_\*{4}/);
      expect(io.err).not.toContain('0123');
    },
  );
});
