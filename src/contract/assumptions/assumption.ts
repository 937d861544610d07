/** The form of one open point of the document. */
export interface Assumption {
  /** What is not known. */
  readonly subject: string;
  /** What we assume, in words. */
  readonly assumed: string;
  readonly why: string;
  /** How a user overrides it. */
  readonly override: string;
  /** The behaviours that the sandbox offers for it; the first is the default. */
  readonly choices: readonly [string, ...string[]];
}

/** Preserves the literal types of an entry. */
export const assume = <const T extends Assumption>(entry: T): T => entry;
