/** A record that is told again and again: its JSON is made once. A changed copy of it is an object like any other. */
export class Told {
  #json: string | undefined;

  static json(it: Told): string {
    it.#json ??= JSON.stringify(it);
    return it.#json;
  }
}
