/** `--debug`: shows on stderr what goes over the wire. */
import { hideSecrets } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { makeVisible } from '../terminal/escape.ts';

/** Writes a line of the trace, without the secrets in it; undefined if this run has no `--debug`. */
export const traceOf = ({
  io,
  globals,
}: Pick<Runtime, 'io' | 'globals'>): ((line: string) => void) | undefined =>
  globals.debug === true ? (line) => io.writeError(makeVisible(hideSecrets(line))) : undefined;
