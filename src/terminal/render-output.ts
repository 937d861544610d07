/** The `Output` of a run: picks the encoder of the format, feeds it, and waits for a slow reader. */
import { styleText } from 'node:util';
import type { Clock } from '../clock.ts';
import { PixctlError } from '../errors.ts';
import { columnsOf } from './columns.ts';
import type { Encoder } from './encoder.ts';
import { makeVisible } from './escape.ts';
import type { Io } from './io.ts';
import type { Output, OutputOptions } from './output.ts';
import { startProgress } from './progress.ts';
import type { View } from './view.ts';

export function createOutput(io: Io, options: OutputOptions, clock: Clock): Output {
  const colourOf = (stream: 'stdout' | 'stderr') => io.colour(stream);
  const warn = (text: string) => {
    const label = colourOf('stderr')
      ? styleText('yellow', 'warning:', { validateStream: false })
      : 'warning:';
    io.writeError(`${label} ${makeVisible(text, { keep: 'lines' })}`);
  };
  const check = <T>(view: View<T>) => void columnsOf(view, options.fields, 'all');

  // Rows that run over the screen are progress enough.
  const begin = (text: string, useful: boolean) =>
    startProgress(io, clock, { quiet: options.quiet || !useful, text });

  return {
    options,
    check,
    async show(view, item) {
      await io.write((await encoderOf(view, io, fieldsThatExist(view, options, warn), clock)).one(item));
    },
    async each(view, items) {
      check(view);
      const progress = begin(`reading ${view.name}s`, !io.stdoutIsTerminal);
      try {
        return await feed(io, await encoderOf(view, io, options, clock), items, (count) =>
          progress.count(count, null, `${view.name}s`),
        );
      } finally {
        progress.stop();
      }
    },
    async text(text, { trusted = false } = {}) {
      if (options.format !== 'table') return;
      const shown = trusted ? text : makeVisible(text, { keep: 'lines' });
      await io.write(shown.endsWith('\n') ? shown : `${shown}\n`);
    },
    note(text) {
      if (!options.quiet) io.writeError(makeVisible(text, { keep: 'lines' }));
    },
    progress: (text) => begin(text, true),
    warn,
  };
}

/** Writes chunk by chunk; ends early, and quietly, when the reader has gone. Returns how many were written. */
async function feed<T>(
  io: Io,
  encoder: Encoder<T>,
  items: AsyncIterable<T> | Iterable<T>,
  tell: (count: number) => void,
): Promise<number> {
  let waiting: T[] = [];
  let count = 0;
  const flush = async () => {
    await io.write(encoder.some(waiting, count));
    count += waiting.length;
    tell(count);
    waiting = [];
  };
  for await (const item of items) {
    waiting.push(item);
    if (waiting.length >= encoder.chunk) await flush();
    if (io.stdoutClosed) return count;
  }
  if (waiting.length > 0) await flush();
  await io.write(encoder.end(count));
  return count;
}

/**
 * What is shown of one item may be the answer to a request that changed something: a field that does not
 * exist must not turn a success into "nothing was sent". Commands call `check` before they send.
 */
function fieldsThatExist<T>(
  view: View<T>,
  options: OutputOptions,
  warn: (text: string) => void,
): OutputOptions {
  try {
    columnsOf(view, options.fields, 'all');
    return options;
  } catch (error) {
    if (!(error instanceof PixctlError)) throw error;
    warn(`${error.message}. All fields are shown. ${error.hint ?? ''}`);
    return { ...options, fields: null };
  }
}

/** Encoders are loaded by need: a json run loads neither the table's nor the csv's library. */
async function encoderOf<T extends object>(
  view: View<T>,
  io: Io,
  options: OutputOptions,
  clock: Clock,
): Promise<Encoder<T>> {
  const { format, fields, csvLocale } = options;
  switch (format) {
    case 'json':
      return (await import('./encode-json.ts')).jsonEncoder(view, { fields, indent: io.stdoutIsTerminal });
    case 'ndjson':
      return (await import('./encode-json.ts')).ndjsonEncoder(view, { fields, indent: false });
    case 'csv':
      return (await import('./encode-csv.ts')).csvEncoder(view, { fields, locale: csvLocale });
    case 'table':
      if (!io.stdoutIsTerminal)
        return (await import('./encode-plain-table.ts')).plainTableEncoder(view, fields);
      return (await import('./encode-table.ts')).tableEncoder(view, {
        fields,
        columns: io.size().columns,
        colour: io.colour('stdout'),
        context: { timeZone: options.timeZone, now: clock.now() },
      });
  }
}
