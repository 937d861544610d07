/** A command line as text that a shell reads back the same: what prompting prints at its end. */

/** The words joined, quoted where a POSIX shell would read them otherwise. */
export const commandLine = (words: readonly string[]): string => words.map(quoteWord).join(' ');

const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
