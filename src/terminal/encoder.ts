/** One format of stdout, as text: what is written before, for, between and after items. */
export interface Encoder<T> {
  one(item: T): string;
  /** Items are handed over in chunks of at most this many. */
  readonly chunk: number;
  /** A chunk of a list; `index` is that of its first item. */
  some(items: readonly T[], index: number): string;
  /** After the last item of `count`. */
  end(count: number): string;
  /** Names of the columns that had something to show, and no room in what was written. */
  leftOut?(): readonly string[];
}
