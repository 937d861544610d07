/** Long values that were typed: shown by their beginning, which is enough to know them by. */
const mostCharacters = 100;

/** A word as a refusal repeats it: its first 100 characters, and `...` if there are more. */
export const shorten = (word: string): string =>
  word.length > mostCharacters ? `${word.slice(0, mostCharacters).toWellFormed()}...` : word;

/**
 * Shortens what a message quotes of the `typed` words: behind a long one nobody would find the reason. What else it
 * quotes stays whole, and so does a path or an id, which is not quoted.
 */
export const shortenQuoted = (message: string, typed: readonly string[]): string =>
  message.replace(/"([^"]*)"/g, (quoted, said: string) =>
    said.length > mostCharacters && typed.some((word) => word.includes(said)) ? `"${shorten(said)}"` : quoted,
  );
