/** The lines of `webhook listen` with the body of each event, where `--fields` names it. */
import { type Bodies, bodyIn } from '../../read-body.ts';
import type { Line, TimedLine } from './lines.ts';

/** Bodies are read for so many lines at a time: of a reader that has stopped, thousands of lines come together. */
const together = 50;

/**
 * Read where they are stored once a line is written, so that lines that wait take no more memory. One that cannot be
 * read is null, and `onTrouble` is told: the delivery has been answered all the same.
 */
export async function* withBodies(
  portions: AsyncIterable<readonly TimedLine[]>,
  inbox: Bodies,
  onTrouble: (cause: unknown) => void,
): AsyncGenerator<readonly TimedLine[]> {
  const read = async (line: Line): Promise<unknown> => {
    if (line.type !== 'event' && line.type !== 'forward') return null;
    return bodyIn(inbox, line).catch((cause: unknown) => {
      onTrouble(cause);
      return null;
    });
  };
  for await (const portion of portions) {
    for (let from = 0; from < portion.length; from += together) {
      const some = portion.slice(from, from + together);
      yield await Promise.all(
        some.map(async (told) => ({ ...told, line: withBody(told.line, await read(told.line)) })),
      );
    }
  }
}

const withBody = <T extends Line>(line: T, body: unknown): T => ({ ...line, body });
