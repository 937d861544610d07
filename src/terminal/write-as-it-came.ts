/** Writes bytes that came from elsewhere as they are, except to a terminal, which would obey what is in them. */
import { makeVisible } from './escape.ts';
import type { Io } from './io.ts';

/** A file or a pipe gets every byte; a terminal gets text, with a line break at its end. */
export async function writeAsItCame(
  io: Pick<Io, 'stdoutIsTerminal' | 'write'>,
  bytes: Uint8Array,
): Promise<void> {
  if (!io.stdoutIsTerminal) return io.write(bytes);
  const text = makeVisible(new TextDecoder().decode(bytes), { keep: 'lines' });
  await io.write(text.endsWith('\n') ? text : `${text}\n`);
}
