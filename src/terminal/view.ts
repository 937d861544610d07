/** A view is the columns of a resource: one definition for tables, csv and `--fields`. */
export interface View<T> {
  /** Singular noun, for messages: `charge`. */
  readonly name: string;
  readonly columns: readonly Column<T>[];
}

/** A field of the item, by the API's name for it, or what `value` makes of the item. `--fields` takes the key. */
export type Column<T> = ColumnDress<T> &
  (
    | { readonly key: keyof T & string; readonly value?: undefined }
    | {
        readonly key: string;
        /** For machines (csv): cents as a number, times as ISO text. */
        readonly value: (item: T) => unknown;
      }
  );

interface ColumnDress<T> {
  readonly header: string;
  /** For people: `R$ 10,50`, local time. Falls back to `value`. Untrusted text is made visible by the renderer. */
  readonly text?: (item: T) => string;
  /** For people, when a single item is shown: its lines, with times as `timeOf` shows them. Falls back to `text`. */
  readonly lines?: (item: T, timeOf: (iso: string) => string) => readonly string[];
  /**
   * The kind of value, if that decides how it is dressed: alignment, colour, csv locale. An amount is never cut (it
   * would read as a different one), nor is an id (it could not be copied). Of what is shown as `Header  value` lines,
   * only text breaks between words: a payment code has blanks too.
   */
  readonly kind?: 'cents' | 'id' | 'time' | 'status' | 'text';
  /** Shown in a table only if `--fields` names it, or when a single item is shown. */
  readonly detail?: boolean;
  /** Shown only where `--fields` names it, whatever the format: it is read for that, or another column tells it. */
  readonly named?: boolean;
  /**
   * How dispensable it is: a table too wide for the terminal leaves out the highest first. For what other columns tell
   * as well, or what people look up for a single item.
   */
  readonly dropPriority?: number;
  /**
   * The item's own field of this key holds words of ours that may name a command to run: see `OutputOptions.reword`.
   */
  readonly namesCommands?: boolean;
}

/** What a column is called where its position alone does not tell: a mark has no header in a table. */
export const nameOf = <T>({ header, key }: Column<T>): string =>
  header || key.replace(/^./, (letter) => letter.toUpperCase());

/** What a column holds for an item, for machines: cents as a number, times as ISO text. */
export const columnValue = <T>(column: Column<T>, item: T): unknown =>
  column.value === undefined ? item[column.key] : column.value(item);
