/** A view is the columns of a resource: one definition for tables, csv and `--fields`. */
export interface Column<T> {
  /** The API's field name; what `--fields` takes. */
  readonly key: string;
  readonly header: string;
  /** For machines (csv): cents as a number, times as ISO text. */
  readonly value: (item: T) => unknown;
  /** For people: `R$ 10,50`, local time. Falls back to `value`. Untrusted text is made visible by the renderer. */
  readonly text?: (item: T) => string;
  /** For people, of one item: a line each, with times as `timeOf` shows them. Falls back to `text`. */
  readonly lines?: (item: T, timeOf: (iso: string) => string) => readonly string[];
  /**
   * What kind of value it is, where that decides dress: alignment, colour, csv locale. An amount is never cut (it would
   * read as another one), nor an id (it could not be copied).
   */
  readonly kind?: 'cents' | 'id' | 'time' | 'status' | 'text';
  /** Shown in a table only when asked for by `--fields`, or when one item is shown. */
  readonly detail?: boolean;
  /** Shown only where `--fields` names it, whatever the format: it is read for that, or another column tells it. */
  readonly named?: boolean;
  /**
   * A table that is too wide for the terminal does without it, and the highest goes first: what is told by the others
   * too, or is looked up of one item.
   */
  readonly spare?: number;
  /** The item's own field of this key is words of ours that may name a command to run: see `OutputOptions.reword`. */
  readonly namesCommands?: boolean;
}

export interface View<T> {
  /** Singular noun, for messages: `charge`. */
  readonly name: string;
  readonly columns: readonly Column<T>[];
}

/** How a column is called where it is not told by its place alone: a mark has no header in a table. */
export const nameOf = <T>({ header, key }: Column<T>): string =>
  header || key.replace(/^./, (letter) => letter.toUpperCase());
