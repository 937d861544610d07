/** The net under all that is written to a terminal of another encoding than UTF-8. */
import { inAscii } from '../escape.ts';

/**
 * Makes `stream` write all text in ASCII, and returns it. The stream itself, so that what libraries draw on it
 * (questions, a spinner) passes too. Whoever lays text out writes it in ASCII before, because that is wider.
 */
export function writeInAscii(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? inAscii(chunk) : chunk, ...rest);
  return stream;
}
