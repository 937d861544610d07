/** One format of stdout, as text: what is written before, for, between and after items. */
export interface Encoder<T> {
  one(item: T): string;
  /** The most items in one chunk. */
  readonly chunk: number;
  /** One chunk of a list; `index` is that of its first item. */
  some(items: readonly T[], index: number): string;
  /** What follows the last of `count` items. */
  end(count: number): string;
  /** The names of columns that had something to show but no room for it. */
  leftOut?(): readonly string[];
}
