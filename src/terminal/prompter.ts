/** Questions to a person, on stderr. Callers check `canAsk` first: a prompt is never the only way. */
export interface Prompter {
  /** True when stdin and stderr are terminals, `--no-input` was not given, and it is no pipeline (`CI`). */
  readonly canAsk: boolean;
  /** Free text; `validate` returns true, or what is wrong, while the person types. */
  input(question: { message: string; validate?: (text: string) => true | string }): Promise<string>;
  /** Masked text, for keys. */
  secret(question: { message: string; validate?: (text: string) => true | string }): Promise<string>;
  confirm(question: { message: string; default?: boolean }): Promise<boolean>;
  select<T extends string>(question: {
    message: string;
    choices: readonly { value: T; name: string }[];
  }): Promise<T>;
  checkbox<T extends string>(question: {
    message: string;
    choices: readonly { value: T; name: string; checked?: boolean }[];
    validate?: (values: readonly T[]) => true | string;
  }): Promise<T[]>;
}
