/** The example of a command's help that shows what a line lacks. */
import type { Command } from 'commander';
import { helpNotes, pathOf } from '../help.ts';

/**
 * Returns the first example that begins with the words given and goes on with what is missing. If none does, a missing
 * flag is shown after other words; a missing argument is not, because it depends on them. Left out are lines with a
 * pipe, of which half would be pasted, and those that stand for a longer one.
 */
export function findExampleLine(command: Command, lacks: string): string | undefined {
  const path = pathOf(command);
  const lines = Object.keys(helpNotes(command)?.examples ?? {}).filter((run) => !/[|&<>]|\.\.\./.test(run));
  const isFlag = lacks.startsWith('-');
  const findAfter = (begun: string) =>
    lines.find(
      (run) =>
        run.startsWith(`${begun} `) && run.slice(begun.length).search(isFlag ? ` ${lacks} ` : /^ [^-]/) >= 0,
    );
  return findAfter([path, ...command.args].join(' ')) ?? (isFlag ? findAfter(path) : undefined);
}
