/** A number of things, for people. */

/** `1 event`, `2 events`, for nouns that take an s. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
