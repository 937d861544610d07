/** A record that many answers hold: its JSON is written once and kept. A copy with changes (`{ ...it }`) keeps none. */
export abstract class CachedRecord {
  #json: readonly string[] | undefined;
  readonly #until: number;

  /** @param until milliseconds on the sandbox's clock at which the record changes by itself: a charge expires */
  constructor(until: number) {
    this.#until = until;
  }

  /** What `JSON.stringify` would make of it, in pieces: a long text in it is then not copied from string to string. */
  protected abstract write(): readonly string[];

  static json(it: CachedRecord): readonly string[] {
    it.#json ??= it.write();
    return it.#json;
  }

  static until(it: CachedRecord): number {
    return it.#until;
  }
}
