/** Writes what `webhook listen` reports to stdout, in the format of this run. */
import type { Runtime } from '../../../../runtime.ts';
import type { Io } from '../../../../terminal/io.ts';
import { lineEncoder } from '../../../../terminal/line-encoder.ts';
import { zonedTime } from '../../../../terminal/local-times.ts';
import type { Output } from '../../../../terminal/output.ts';
import { lineForPeople } from './line-for-people.ts';
import { type Line, lineView, type TimedLine } from './lines.ts';

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
    const items = portion.map(({ line }) => line);
    await io.write(forPeople === null ? await columns.some(items, count) : forPeople(portion));
    columns.report?.();
    count += items.length;
    if (io.stdoutClosed) return;
  }
  if (forPeople === null) await io.write(await columns.end(count));
}

function textForPeople(io: Io, output: Output): (lines: readonly TimedLine[]) => string {
  const colour = io.colour('stdout');
  const clockTime = (at: number) => zonedTime(at, output.options.timeZone).slice(11, 19);
  return (lines) => {
    // Asked each time, because the window may have another size now.
    const columns = io.stdoutIsTerminal ? io.size().columns : null;
    return lines
      .map(({ line, at }) =>
        line.type === 'ready' ? '' : `${lineForPeople(line, { colour, columns, time: clockTime(at) })}\n`,
      )
      .join('');
  };
}

async function* flattened(portions: AsyncIterable<readonly TimedLine[]>): AsyncGenerator<Line> {
  for await (const portion of portions) for (const { line } of portion) yield line;
}
