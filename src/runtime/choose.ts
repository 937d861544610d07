/** Asks which thing a command is to act on: one from a list, or one that is typed. */
import { momentOf } from '../contract/moment.ts';
import type { Runtime } from '../runtime.ts';
import { peopleText } from '../terminal/columns.ts';
import type { View } from '../terminal/view.ts';

export interface Offer {
  readonly value: string;
  /** As it stands in the list. */
  readonly name: string;
}

/** As many as a person looks through. */
export const longestOffer = 20;

export interface Choice {
  readonly which: string;
  /** The question for one that is not in the list; null if it must be in the list. */
  readonly typed: string | null;
  readonly offered: () => Promise<readonly Offer[]> | readonly Offer[];
}

/**
 * The chosen value, as the words that complete the command line (`HelpNotes.asks`). Null if there is nothing to choose
 * from, and with --yes, which would act on the choice without asking again (nothing is looked up then).
 */
export async function choose(
  runtime: Runtime,
  { which, typed, offered }: Choice,
): Promise<readonly [string] | null> {
  if (runtime.globals.yes === true) return null;
  const prompter = await runtime.prompter();
  const offers = await offered();
  if (offers.length > 0) {
    const other = typed === null ? [] : [{ value: '', name: 'another one (type it)' }];
    const chosen = await prompter.select({ message: which, choices: [...offers, ...other] });
    if (chosen !== '') return [chosen];
  }
  return typed === null ? null : typeIn(runtime, typed);
}

/** The id of one of the first that are listed. */
export const chooseListed = <T extends { readonly id?: string | undefined }>(
  runtime: Runtime,
  view: View<T>,
  list: () => Promise<readonly T[]>,
  { which = `Which ${view.name}?`, typed = `Id of the ${view.name}:` } = {},
) =>
  choose(runtime, {
    which,
    typed,
    offered: async () => offersOf(runtime, view, (await list()).slice(0, longestOffer), ({ id }) => id),
  });

/** What is typed, as the words that complete the command line. */
export async function typeIn(
  runtime: Runtime,
  message: string,
  problem: (text: string) => string | null = () => null,
): Promise<readonly [string]> {
  const prompter = await runtime.prompter();
  const validate = (text: string) =>
    text.trim() === '' ? 'A value is required.' : (problem(text.trim()) ?? true);
  return [(await prompter.input({ message, validate })).trim()];
}

/** A line for each item that has an id, with the columns of its table. */
export async function offersOf<T>(
  runtime: Runtime,
  { columns }: View<T>,
  items: readonly T[],
  idOf: (item: T) => string | undefined,
): Promise<Offer[]> {
  const { timeZone } = (await runtime.output()).options;
  const shown = columns.filter(({ detail }) => detail !== true);
  const rows = items.flatMap((item) => {
    const value = idOf(item);
    return value ? [{ value, cells: shown.map((column) => peopleText(column, item, timeZone)) }] : [];
  });
  const widths = shown.map((_, at) => Math.max(...rows.map(({ cells }) => cells[at]?.length ?? 0)));
  return rows.map(({ value, cells }) => ({
    value,
    name: cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  }));
}

/** Newest first; the document does not say in which order the service lists. What has no time comes last. */
export const newestFirst = <T extends { readonly createdAt?: unknown }>(items: readonly T[]): T[] => {
  const timeOf = ({ createdAt }: T) => momentOf(createdAt) || 0;
  return items.toSorted((one, other) => timeOf(other) - timeOf(one));
};
