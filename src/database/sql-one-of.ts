/**
 * The condition of a CHECK that a column holds one of these words. Not `IN`: for more than two words, SQLite builds a
 * table of them again for every row written, which took as long as an index of the row does.
 */
export const sqlOneOf = (column: string, words: readonly string[]): string =>
  `(${words.map((word) => `${column} = '${word}'`).join(' OR ')})`;
