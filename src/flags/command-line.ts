/** A command line as text that a shell reads back the same: what prompting prints at its end. */

/**
 * How this program is called where it runs: by npx in a tree that has it, where `pixctl` alone is not found.
 * npm says so in the environment of what it runs.
 */
export const programName = (environment: Readonly<Record<string, string | undefined>>): string =>
  environment.npm_command === undefined ? 'pixctl' : 'npx pixctl';

/** The words joined, quoted where a POSIX shell would read them otherwise. */
export const commandLine = (words: readonly string[]): string => words.map(quoteWord).join(' ');

const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
