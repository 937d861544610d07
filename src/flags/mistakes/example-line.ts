/** The example of a command's help that shows what a line lacks. */
import type { Command } from 'commander';
import { hideSecrets } from '../../errors.ts';
import { helpNotes, pathOf } from '../help.ts';

/**
 * Returns the first example that gives what is missing: the flag, or any argument. Undefined without one. Left out are
 * lines with a pipe, of which half would be pasted, and those with a key, which no message shows.
 */
export function findExampleLine(command: Command, lacks: string): string | undefined {
  const path = pathOf(command);
  return Object.keys(helpNotes(command)?.examples ?? {}).find((run) => {
    const given = run.startsWith(`${path} `) ? run.slice(path.length) : '';
    const shows = lacks.startsWith('-') ? ` ${lacks} ` : /^ [^-]/;
    return given.search(shows) >= 0 && !/[|&<>]/.test(run) && hideSecrets(run) === run;
  });
}
