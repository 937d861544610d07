/** One format of stdout, as text: what is written before, for, between and after items. */
export interface Encoder<T, Text extends string | Promise<string> = string> {
  one(item: T): Text;
  /** The most items in one chunk. */
  readonly chunk: number;
  /** One chunk of a list; `index` is that of its first item. */
  some(items: readonly T[], index: number): Text;
  /** What follows the last of `count` items. */
  end(count: number): Text;
  /** The names of columns that had something to show but no room for it. */
  leftOut?(): readonly string[];
  /**
   * Tells, or throws, what went wrong with items of the text before; called once that is written. `single`: it was one
   * item, not a list.
   */
  report?(single?: boolean): void;
}
