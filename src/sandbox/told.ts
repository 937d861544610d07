/** A record that is told again and again: its JSON is made once. A changed copy of it is an object like any other. */
export class Told {
  #json: string | undefined;
  readonly #until: number;

  /** @param until milliseconds on the sandbox's clock from which it is to be told otherwise, whatever is written */
  constructor(until: number) {
    this.#until = until;
  }

  static json(it: Told): string {
    it.#json ??= JSON.stringify(it);
    return it.#json;
  }

  static until(it: Told): number {
    return it.#until;
  }
}
