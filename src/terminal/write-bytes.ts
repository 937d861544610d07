/** Bytes from elsewhere on stdout, for whoever asked for them as they came. */
import { makeVisible } from './escape.ts';
import type { Io } from './io.ts';

/** Writes them unchanged to a file or a pipe; to a terminal as text, with what it would obey made visible. */
export const writeBytes = (io: Pick<Io, 'write' | 'stdoutIsTerminal'>, bytes: Uint8Array): Promise<void> =>
  io.write(
    io.stdoutIsTerminal ? `${makeVisible(new TextDecoder().decode(bytes), { keep: 'lines' })}\n` : bytes,
  );
