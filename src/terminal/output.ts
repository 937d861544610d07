/**
 * stdout is data, stderr is everything else. The format never changes by itself, only its dress: a table
 * is bordered and coloured on a terminal, tab-separated without colour when piped.
 */
import type { OutputFormat } from '../flags/output-format.ts';
import type { Progress } from './progress.ts';
import type { View } from './view.ts';

export interface OutputOptions {
  readonly format: OutputFormat;
  /** Field names of `--fields`; null for all. */
  readonly fields: readonly string[] | null;
  readonly quiet: boolean;
  /** `pt-BR`: `;` and decimal commas in csv. */
  readonly csvLocale: 'machine' | 'pt-BR';
  /** Of times for people; null: this machine's. */
  readonly timeZone: string | null;
  /** Tables have borders of ASCII: a terminal that says it is dumb may draw no others. */
  readonly ascii?: boolean;
  /**
   * Words of ours on their way out, on stderr and in the columns that say so (`Column.namesCommands`), whatever the
   * format: what they name to run next must mean what this run meant.
   */
  readonly reword?: (words: string) => string;
  /** Told what was done (`Output.done`) before it is shown, for a run that cannot show it. */
  readonly onDone?: (sentence: string) => void;
}

export interface Output {
  readonly options: OutputOptions;
  /** Refuses (64) a `--fields` that the view does not have; for commands to call before they send anything. */
  check<T>(view: View<T>): void;
  /** One item. json: as it came, unknown fields included. */
  show<T extends object>(view: View<T>, item: T): Promise<void>;
  /**
   * Many items, written as they arrive (json collects into one array, streamed). Returns how many. `signal`: of a run
   * that only reads; it ends the wait for a reader that takes nothing (130, 143).
   */
  each<T extends object>(
    view: View<T>,
    items: AsyncIterable<T> | Iterable<T>,
    signal?: AbortSignal,
  ): Promise<number>;
  /**
   * A line of data for people on stdout (a QR code, a copy-and-paste code); nothing in json, ndjson, csv.
   * `trusted`: our own drawing, whose colours are written as they are; never for text from elsewhere.
   */
  text(text: string, options?: { trusted?: boolean }): Promise<void>;
  /** What was done: people read `sentence` on stderr, json, ndjson and csv get the item on stdout. */
  done<T extends object>(view: View<T>, item: T, sentence: string): Promise<void>;
  /** Hints and next steps, on stderr; silenced by --quiet. */
  note(text: string): void;
  /** What takes long, as a spinner or a bar on stderr, where that is a terminal; `stop` it in a `finally`. */
  progress(text: string): Progress;
  /** Warnings, on stderr; never silenced. */
  warn(text: string): void;
}
