/** A record that is told again and again: its JSON is made once. A changed copy of it is an object like any other. */
export abstract class CachedRecord {
  #json: readonly string[] | undefined;
  readonly #until: number;

  /** @param until milliseconds on the sandbox's clock from which it is to be told otherwise, whatever is written */
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
