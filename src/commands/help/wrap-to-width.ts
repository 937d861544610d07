/** Fits a help topic to the width of the terminal, like the help of a command. */
import { wrapSentence } from '../../flags/wrap-sentence.ts';

/** With less room than this beside a term, what is said about it goes below the term. */
const leastBeside = 24;

/**
 * Returns the text with each line broken between words to at most `width` columns. What comes after two spaces, or
 * after an arrow, stays in its column. A command line is left whole, ready to paste.
 */
export function wrapToWidth(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith('  pixctl ')) return line;
      const [, term = '', said = line] = /^( +-> |.*\S {2,}| +)(\S.*)$/.exec(line) ?? [];
      const isBeside = term.trim() === '' || width - term.length >= leastBeside;
      const indent = isBeside ? term.length : 6;
      const lines = wrapSentence(said, { columns: width, indent });
      return isBeside ? `${term}${lines}` : `${term.trimEnd()}\n${' '.repeat(indent)}${lines}`;
    })
    .join('\n');
}
