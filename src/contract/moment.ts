/** Milliseconds since the epoch of a time in an answer; NaN for what is no text that can be read as one. */
export const momentOf = (value: unknown): number =>
  typeof value === 'string' ? Date.parse(value) : Number.NaN;
