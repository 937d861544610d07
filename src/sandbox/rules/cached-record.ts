/**
 * A record that many answers hold, whose JSON is written once and cached. A copy with changes (`{ ...it }`) caches
 * none.
 */
export abstract class CachedRecord {
  #json: readonly string[] | undefined;
  readonly #until: number;

  /** @param until milliseconds on the sandbox's clock at which the record changes by itself, as a charge expires */
  constructor(until: number) {
    this.#until = until;
  }

  /**
   * Returns what `JSON.stringify` would make of it, in pieces, so that long text is not copied from string to string.
   */
  protected abstract toJsonParts(): readonly string[];

  static json(it: CachedRecord): readonly string[] {
    it.#json ??= it.toJsonParts();
    return it.#json;
  }

  static validUntil(it: CachedRecord): number {
    return it.#until;
  }
}
