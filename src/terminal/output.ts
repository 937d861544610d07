/**
 * stdout is data, stderr is everything else. The format never changes by itself, only how it is dressed: a table is
 * bordered and coloured on a terminal, tab-separated without colour when piped.
 */
import type { OutputFormat } from '../flags/globals.ts';
import type { Filter } from './filter.ts';
import type { Progress } from './progress.ts';
import type { View } from './view.ts';

export interface OutputOptions {
  readonly format: OutputFormat;
  /** Field names of `--fields`; null for all. */
  readonly fields: readonly string[] | null;
  /** The expression of `--jq`, for json and ndjson; none if undefined. */
  readonly filter?: Filter | undefined;
  readonly quiet: boolean;
  /** `pt-BR`: `;` and decimal commas in csv. */
  readonly csvLocale: 'machine' | 'pt-BR';
  /** The zone of times for people; null, or a name that is not known: this machine's. */
  readonly timeZone: string | null;
  /** What a table's borders, or all that is shown, is of: a dumb terminal may draw no other borders. */
  readonly ascii?: 'borders' | 'all' | undefined;
  /** The terminal moves no cursor. */
  readonly dumb?: boolean;
  /**
   * Rewords our own text on its way out, on stderr and in the columns that are marked for it (`Column.namesCommands`),
   * in any format: the commands that it suggests must mean what this run meant.
   */
  readonly reword?: (words: string) => string;
  /** Receives what was done (`Output.done`) before it is shown, for a run that cannot show it. */
  readonly onDone?: (sentence: string) => void;
}

export interface Output {
  readonly options: OutputOptions;
  /** Refuses (64) a `--fields` that the view does not have. Commands call it before they send anything. */
  check<T>(view: View<T>): void;
  /** Shows one item. json: as it came, unknown fields included. */
  show<T extends object>(view: View<T>, item: T): Promise<void>;
  /**
   * Writes many items as they arrive (json: one array, streamed). Resolves with how many. `signal`, for a run that only
   * reads, ends the wait for a reader that takes nothing (130, 143).
   */
  each<T extends object>(
    view: View<T>,
    items: AsyncIterable<T> | Iterable<T>,
    signal?: AbortSignal,
  ): Promise<number>;
  /**
   * Writes a line of data for people to stdout (a QR code, a copy-and-paste code); nothing in json, ndjson, csv.
   * `trusted`: our own drawing, whose colours are written as they are; never for text from elsewhere.
   */
  text(text: string, options?: { trusted?: boolean }): Promise<void>;
  /** Shows what was done: people read `sentence` on stderr; json, ndjson and csv get the item on stdout. */
  done<T extends object>(view: View<T>, item: T, sentence: string): Promise<void>;
  /** Hints and next steps, on stderr; silenced by --quiet. */
  note(text: string): void;
  /** Shows what takes long as a spinner or a bar, if stderr is a terminal; `stop` it in a `finally`. */
  progress(text: string): Progress;
  /** Warnings, on stderr; never silenced. */
  warn(text: string): void;
}
