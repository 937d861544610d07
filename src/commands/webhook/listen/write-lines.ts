/** Writes what `webhook listen` reports to stdout, in the format of this run. */
import type { Runtime } from '../../../runtime.ts';
import type { Io } from '../../../terminal/io.ts';
import { lineEncoder } from '../../../terminal/line-encoder.ts';
import type { Output } from '../../../terminal/output.ts';
import { type Line, lineForPeople, lineView, type TimedLine } from './lines.ts';

/** Resolves when all lines are written, or once nobody reads stdout any more. */
export async function writeLines(
  { io }: Pick<Runtime, 'io'>,
  output: Output,
  lines: AsyncIterable<readonly TimedLine[]>,
): Promise<void> {
  const { format, fields } = output.options;
  const columns = await lineEncoder(lineView, io, output.options);
  if (columns === null) return void (await output.each(lineView, flattened(lines)));
  const forPeople = format === 'table' && fields === null ? textForPeople(io, output) : null;
  let count = 0;
  for await (const portion of lines) {
    const rows = portion.map(({ line }) => line);
    await io.write(forPeople === null ? await columns.some(rows, count) : forPeople(portion));
    columns.report?.();
    count += rows.length;
    if (io.stdoutClosed) return;
  }
  if (forPeople === null) await io.write(await columns.end(count));
}

function textForPeople(io: Io, output: Output): (lines: readonly TimedLine[]) => string {
  const dress = { colour: io.colour('stdout'), aligned: io.stdoutIsTerminal };
  const timeZone = output.options.timeZone ?? undefined;
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'medium' });
  return (lines) =>
    lines
      .map(({ line, at }) =>
        line.type === 'ready' ? '' : `${lineForPeople(line, { ...dress, time: time.format(at) })}\n`,
      )
      .join('');
}

async function* flattened(portions: AsyncIterable<readonly TimedLine[]>): AsyncGenerator<Line> {
  for await (const portion of portions) for (const { line } of portion) yield line;
}
