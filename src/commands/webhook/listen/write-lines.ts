/** Writes what `webhook listen` has to tell on stdout, in the format of this run. */
import type { Runtime } from '../../../runtime.ts';
import type { Output } from '../../../terminal/output.ts';
import { type Line, lineForPeople, lineView } from './lines.ts';

/** Resolves when all lines are written, or once nobody reads stdout any more. */
export async function writeLines(
  runtime: Runtime,
  output: Output,
  lines: AsyncIterable<readonly Line[]>,
): Promise<void> {
  const { io } = runtime;
  const { format, fields } = output.options;
  if (format === 'json' || format === 'csv') {
    await output.each(lineView, flattened(lines));
    return;
  }
  const textOf = format === 'ndjson' ? await ndjsonText(fields) : textForPeople(runtime, output);
  for await (const portion of lines) {
    await io.write(textOf(portion));
    if (io.stdoutClosed) return;
  }
}

async function ndjsonText(fields: readonly string[] | null): Promise<(lines: readonly Line[]) => string> {
  const { ndjsonEncoder } = await import('../../../terminal/encode-json.ts');
  const encoder = ndjsonEncoder(lineView, { fields, indent: false });
  return (lines) => encoder.some(lines, 0);
}

function textForPeople({ io, clock }: Runtime, output: Output): (lines: readonly Line[]) => string {
  const dress = { colour: io.colour('stdout'), aligned: io.stdoutIsTerminal };
  const timeZone = output.options.timeZone ?? undefined;
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'medium' });
  return (lines) =>
    lines
      .filter((line) => line.type !== 'ready')
      .map((line) => `${lineForPeople(line, { ...dress, time: time.format(clock.now()) })}\n`)
      .join('');
}

async function* flattened<T>(portions: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const portion of portions) yield* portion;
}
