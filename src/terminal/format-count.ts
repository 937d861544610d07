/** A number of things, for people. */

/** `1 event`, `2 events`. */
export const formatCount = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : pluralOf(noun)}`;

/** `events`, `policies`, `replays`: of nouns that take an s. */
export const pluralOf = (noun: string): string => `${noun.replace(/(?<![aeiou])y$/, 'ie')}s`;
