/** A help topic as wide as the terminal, as the help of a command is. */
import { Help } from 'commander';

/** Less beside a term than this, and what is said of it stands below the term. */
const leastBeside = 24;

/**
 * The text with each of its lines broken between words to at most `width` columns. What stands behind two spaces, or
 * behind an arrow, stays in its column; a command line is left whole, to be pasted.
 */
export function fitted(text: string, width: number): string {
  const help = new Help();
  help.minWidthToWrap = 12;
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith('  pixctl ')) return line;
      const [, term = '', said = line] = /^( +-> |.*\S {2,}| +)(\S.*)$/.exec(line) ?? [];
      const isBeside = term.trim() === '' || width - term.length >= leastBeside;
      const indent = ' '.repeat(isBeside ? term.length : 6);
      const lines = help.boxWrap(said, width - indent.length).replaceAll('\n', `\n${indent}`);
      return isBeside ? `${term}${lines}` : `${term.trimEnd()}\n${indent}${lines}`;
    })
    .join('\n');
}
