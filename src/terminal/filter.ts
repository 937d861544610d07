/** The expression of `--jq`, applied to what a run shows. */
export interface Filter {
  /**
   * Applies it to each of these JSON texts. An empty list is an expression that found nothing. Never rejects: whatever
   * goes wrong with a value is its `error`.
   */
  apply(texts: readonly string[]): Promise<readonly Filtered[]>;
  /** Whether the run goes on when the expression fails, because it has done more than read. */
  runContinues(): boolean;
  /**
   * Deals with a value on which the expression failed. If the run goes on, says so on stderr, with the whole value, so
   * that nothing is lost. In a run that only reads, throws (65); for a `single` value it ends with 65 only if it would
   * end with 0 otherwise, because the end of a wait, for example, has a code of its own.
   */
  failed(failure: Failure, options: { readonly single: boolean }): void;
}

/** What the expression made of one value. */
export interface Filtered {
  /** JSON texts: the outputs, up to the failure if there was one. */
  readonly outputs: readonly string[];
  /** What jq says, if the expression failed on the value. */
  readonly error: string | null;
}

export interface Failure {
  /** What jq says. */
  readonly error: string;
  /** The value, as JSON text. */
  readonly value: string;
}
