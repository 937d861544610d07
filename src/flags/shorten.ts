/** Long values that were typed: shown by their beginning, which is enough to know them by. */
const mostCharacters = 100;

/** A word as a refusal repeats it: its first 100 characters, and `...` if there are more. */
export const shorten = (word: string): string =>
  word.length > mostCharacters ? `${word.slice(0, mostCharacters).toWellFormed()}...` : word;

/**
 * Shortens what a message quotes of the `typed` words, whole or the value of a flag, one of a list or what `=` gives:
 * behind a long one nobody would find the reason. What else it quotes stays as it is, and so does what follows "did you
 * mean": that is a line to copy.
 */
export function shortenQuoted(message: string, typed: readonly string[]): string {
  const [before = ''] = message.split('did you mean', 1);
  const values = typed
    .filter((word) => word.length > mostCharacters)
    .flatMap((word) => [word, word.replace(/^--?[\w-]+=/, ''), word.replace(/^-\w/, '')])
    .flatMap((value) => [value, value.slice(value.indexOf('=') + 1), ...value.split(/[=,]/)])
    .flatMap((value) => [value, value.trim()])
    .filter((value) => value.length > mostCharacters)
    .sort((a, b) => b.length - a.length);
  const cut = values.reduce((said, value) => {
    const short = shorten(value);
    return said
      .replaceAll(`"${value}"`, () => `"${short}"`)
      .replaceAll(JSON.stringify(value), () => JSON.stringify(short));
  }, before);
  return cut + message.slice(before.length);
}
