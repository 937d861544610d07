/** The `Output` of a run: chooses the encoder of the format, feeds it, and waits for a slow reader. */
import type { Clock } from '../clock.ts';
import { PixctlError } from '../errors.ts';
import { columnsOf } from './columns.ts';
import type { Encoder } from './encoding/encoder.ts';
import { linesInAscii, makeVisible } from './escape.ts';
import { forStderr } from './for-stderr.ts';
import { pluralOf } from './format-count.ts';
import type { Io } from './io.ts';
import { withLocalTimes } from './local-times.ts';
import type { Output, OutputOptions } from './output.ts';
import { paint } from './paint.ts';
import { startProgress } from './progress.ts';
import { createInterruptibleWriter, type Writable } from './streams/stalled.ts';
import type { View } from './view.ts';

/** The output of one run, in the format of `options`. */
export function createOutput(io: Io, options: OutputOptions, clock: Clock): Output {
  const { reword = (words) => words } = options;
  const inWords = (text: string, used = 0) => {
    const said = makeVisible(reword(text), { keep: 'lines' });
    if (!io.stderrIsTerminal) return said;
    const local = withLocalTimes(said, options.timeZone);
    return forStderr(io, options.ascii === 'all' ? linesInAscii(local) : local, used);
  };
  const warn = (text: string) => {
    const label = paint('yellow', 'warning:', io.colour('stderr'));
    io.writeError(`${label} ${inWords(text, 'warning: '.length)}`);
  };
  const note = (text: string) => {
    if (!options.quiet) io.writeError(inWords(text));
  };
  const check = <T>(view: View<T>) => void columnsOf(view, options.fields, 'all');

  // Rows running down the screen are progress enough.
  const begin = (text: string, useful: boolean) =>
    startProgress(io, clock, {
      quiet: options.quiet || !useful,
      text,
      dumb: options.dumb === true,
      ascii: options.ascii === 'all',
    });

  const show = async <T extends object>(view: View<T>, item: T) => {
    const encoder = await encoderOf(view, io, fieldsThatExist(view, options, warn));
    await io.write(await encoder.one(item));
    encoder.report?.(true);
  };

  return {
    options,
    check,
    show,
    async done(view, item, sentence) {
      options.onDone?.(sentence);
      if (options.format !== 'table' || options.fields !== null) await show(view, item);
      if (!options.quiet) io.writeError(inWords(sentence));
    },
    async each(view, items, signal) {
      check(view);
      const progress = begin(`reading ${pluralOf(view.name)}`, !io.stdoutIsTerminal);
      const { writable, stop } = createInterruptibleWriter(io, clock, signal);
      let leftOut: AnyEncoder<object>['leftOut'];
      try {
        const encoder = await encoderOf(view, io, options);
        leftOut = encoder.leftOut;
        return await feed(writable, encoder, items, (count) =>
          progress.count(count, null, pluralOf(view.name)),
        );
      } finally {
        stop();
        progress.stop();
        const left = leftOut?.() ?? [];
        if (left.length > 0)
          note(`Too narrow here for: ${left.join(', ')}. --fields chooses columns, -o json has all.`);
      }
    },
    async text(text, { trusted = false } = {}) {
      if (options.format !== 'table') return;
      const shown = trusted ? text : makeVisible(text, { keep: 'lines' });
      await io.write(shown.endsWith('\n') ? shown : `${shown}\n`);
    },
    note,
    progress: (text) => begin(text, true),
    warn,
  };
}

/** Writes chunk by chunk; ends early, and quietly, if the reader has gone. Resolves with how many were written. */
async function feed<T>(
  io: Writable,
  encoder: AnyEncoder<T>,
  items: AsyncIterable<T> | Iterable<T>,
  tell: (count: number) => void,
): Promise<number> {
  // Encoders of single items get as many as came in one turn: a page is one write, and waits for nothing else.
  const together = encoder.chunk === 1;
  const most = together ? mostTogether : encoder.chunk;
  let waiting: T[] = [];
  let count = 0;
  let writing = Promise.resolve();
  const flush = () => {
    writing = writing.then(async () => {
      if (waiting.length === 0) return;
      const some = waiting;
      waiting = [];
      await io.write(await encoder.some(some, count));
      count += some.length;
      tell(count);
      encoder.report?.();
    });
    // A failure is thrown at the next `await writing`, and must not count as unhandled until then.
    writing.catch(() => {});
    return writing;
  };
  try {
    for await (const item of items) {
      waiting.push(item);
      // The first at once, so that whoever watches sees that it has begun.
      if (waiting.length >= most || (together && count === 0)) await flush();
      else if (together && waiting.length === 1) setImmediate(flush);
      if (io.stdoutClosed) return count;
    }
  } catch (error) {
    // Shows what came before the failure, because a list resumes where it failed; does not wait for the reader.
    void flush();
    throw error;
  }
  await flush();
  await io.write(await encoder.end(count));
  encoder.report?.();
  return count;
}

/** An encoder that may need time: what filters runs in a thread of its own. */
type AnyEncoder<T> = Encoder<T, string | Promise<string>>;

/** The most items in one write, and so the most that wait for a slow reader. */
const mostTogether = 256;

/**
 * A single item that is shown may be the answer to a request that changed something: a field that does not exist must
 * not turn a success into "nothing was sent". Commands call `check` before they send.
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
    warn(`${error.message.replace('Nothing was sent.', 'All fields are shown.')} ${error.hint ?? ''}`);
    return { ...options, fields: null };
  }
}

/** The format's encoder; commands named in an item's own words are reworded before any format sees them. */
async function encoderOf<T extends object>(
  view: View<T>,
  io: Io,
  options: OutputOptions,
): Promise<AnyEncoder<T>> {
  const encoder = await formatOf(view, io, options);
  const keys = view.columns.flatMap(({ key, namesCommands }) => (namesCommands === true ? [key] : []));
  const { reword } = options;
  if (reword === undefined || keys.length === 0) return encoder;
  const said = (item: T): T => {
    const words = Object.entries(item).filter(
      ([key, value]) => keys.includes(key) && typeof value === 'string',
    );
    return { ...item, ...Object.fromEntries(words.map(([key, value]) => [key, reword(value)])) };
  };
  return {
    ...encoder,
    one: (item) => encoder.one(said(item)),
    some: (items, index) => encoder.some(items.map(said), index),
  };
}

/** Loads encoders on demand: a json run loads neither the table's nor the csv's library. */
export async function formatOf<T extends object>(
  view: View<T>,
  io: Io,
  options: OutputOptions,
): Promise<AnyEncoder<T>> {
  const { format, fields, csvLocale, filter } = options;
  if (filter !== undefined) {
    const { filteredEncoder } = await import('./encoding/filtered.ts');
    const text = (await import('./encoding/json.ts')).jsonOf(view, { fields, indent: false });
    return filteredEncoder({ filter, text, whole: format === 'json', terminal: io.stdoutIsTerminal });
  }
  switch (format) {
    case 'json':
      return (await import('./encoding/json.ts')).jsonEncoder(view, { fields, indent: io.stdoutIsTerminal });
    case 'ndjson':
      return (await import('./encoding/json.ts')).ndjsonEncoder(view, fields);
    case 'csv':
      return (await import('./encoding/csv.ts')).csvEncoder(view, { fields, locale: csvLocale });
    case 'table':
      if (!io.stdoutIsTerminal)
        return (await import('./encoding/plain-table.ts')).plainTableEncoder(view, fields);
      return (await import('./encoding/table.ts')).tableEncoder(view, {
        fields,
        columns: io.size().columns,
        colour: io.colour('stdout'),
        ascii: options.ascii,
        timeZone: options.timeZone,
      });
  }
}
