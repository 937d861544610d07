/** Writes what `webhook listen` has to tell on stdout, in the format of this run. */
import type { Runtime } from '../../../runtime.ts';
import type { Output } from '../../../terminal/output.ts';
import { type Line, lineForPeople, lineView, type Told } from './lines.ts';

/** Resolves when all lines are written, or once nobody reads stdout any more. */
export async function writeLines(
  runtime: Runtime,
  output: Output,
  lines: AsyncIterable<readonly Told[]>,
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

async function ndjsonText(fields: readonly string[] | null): Promise<(told: readonly Told[]) => string> {
  const { ndjsonEncoder } = await import('../../../terminal/encode-json.ts');
  const encoder = ndjsonEncoder(lineView, { fields, indent: false });
  return (told) =>
    encoder.some(
      told.map(({ line }) => line),
      0,
    );
}

function textForPeople({ io }: Runtime, output: Output): (told: readonly Told[]) => string {
  const dress = { colour: io.colour('stdout'), aligned: io.stdoutIsTerminal };
  const timeZone = output.options.timeZone ?? undefined;
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'medium' });
  return (told) =>
    told
      .map(({ line, at }) =>
        line.type === 'ready' ? '' : `${lineForPeople(line, { ...dress, time: time.format(at) })}\n`,
      )
      .join('');
}

async function* flattened(portions: AsyncIterable<readonly Told[]>): AsyncGenerator<Line> {
  for await (const portion of portions) for (const { line } of portion) yield line;
}
