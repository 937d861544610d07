/** Asks which thing a command should act on: one from a list, or one that is typed. */
import { parseIsoTime } from '../contract/iso-time.ts';
import { type IntentKind, type IntentState, scopeOf } from '../ledger/intent.ts';
import type { Runtime } from '../runtime.ts';
import { columnsOf, formatAmount, peopleText } from '../terminal/columns.ts';
import type { View } from '../terminal/view.ts';

interface SelectChoice {
  readonly value: string;
  /** Its line in the list. */
  readonly name: string;
}

/** As many as a person will look through. */
export const maxChoices = 20;

export interface Choice {
  readonly which: string;
  /** The question for one that is not in the list; null if it must be in the list. */
  readonly typed: string | null;
  readonly loadChoices: () => Promise<readonly SelectChoice[]> | readonly SelectChoice[];
}

/**
 * Returns the chosen value as the words that complete the command line (`HelpNotes.prompts`). Null if there is nothing
 * to choose from; also with --yes, which would act on the choice without asking again (nothing is looked up then).
 */
export async function choose(
  runtime: Runtime,
  { which, typed, loadChoices }: Choice,
): Promise<readonly [string] | null> {
  if (runtime.globals.yes === true) return null;
  const prompter = await runtime.prompter();
  const offers = await loadChoices();
  if (offers.length > 0) {
    const other = typed === null ? [] : [{ value: '', name: 'another one (type it)' }];
    const chosen = await prompter.select({ message: which, choices: [...offers, ...other] });
    if (chosen !== '') return [chosen];
  }
  return typed === null ? null : askText(runtime, typed);
}

/** Chooses an id from the first items of a list. */
export const chooseListed = <T extends { readonly id?: string | undefined }>(
  runtime: Runtime,
  view: View<T>,
  list: () => Promise<readonly T[]>,
  { which = `Which ${view.name}?`, typed = `Id of the ${view.name}:` } = {},
) =>
  choose(runtime, {
    which,
    typed,
    loadChoices: async () => choicesOf(runtime, view, (await list()).slice(0, maxChoices), ({ id }) => id),
  });

/** Returns what is typed as the words that complete the command line. */
export async function askText(
  runtime: Runtime,
  message: string,
  problem: (text: string) => string | null = () => null,
): Promise<readonly [string]> {
  const prompter = await runtime.prompter();
  const validate = (text: string) =>
    text.trim() === '' ? 'A value is required.' : (problem(text.trim()) ?? true);
  return [(await prompter.input({ message, validate })).trim()];
}

/** One line for each item that has an id, with the columns of its table, as far as they fit into one. */
export async function choicesOf<T>(
  runtime: Runtime,
  view: View<T>,
  items: readonly T[],
  idOf: (item: T) => string | undefined,
): Promise<SelectChoice[]> {
  const { timeZone } = (await runtime.output()).options;
  const named = items.flatMap((item) => {
    const value = idOf(item);
    return value ? [{ value, item }] : [];
  });
  const columns = columnsOf(view, null, 'without-details').map((column) => {
    const cells = named.map(({ item }) => peopleText(column, item, timeZone));
    return { cells, width: Math.max(...cells.map(({ length }) => length)), spare: column.dropPriority ?? 0 };
  });
  const shown = fitting(
    columns.filter(({ width }) => width > 0),
    runtime.io.size().columns - pointer.length,
  );
  return named.map(({ value }, row) => ({
    value,
    name: shown
      .map(({ cells, width }) => cells[row]?.padEnd(width))
      .join(gap)
      .trimEnd(),
  }));
}

/** Before each line of a list. */
const pointer = '> ';
const gap = '  ';

/** Leaves out the most dispensable columns until the rest fits into `room`, as a table does. */
function fitting<C extends { readonly width: number; readonly spare: number }>(
  columns: readonly C[],
  room: number,
): readonly C[] {
  const used = columns.reduce((sum, { width }) => sum + width + gap.length, -gap.length);
  const sparest = Math.max(...columns.map(({ spare }) => spare));
  return used <= room || sparest <= 0
    ? columns
    : fitting(
        columns.filter(({ spare }) => spare !== sparest),
        room,
      );
}

/**
 * Sorts newest first, because the document does not say in which order the service lists. Items without a time come
 * last.
 */
export const newestFirst = <T extends { readonly createdAt?: unknown }>(items: readonly T[]): T[] => {
  const timeOf = ({ createdAt }: T) => parseIsoTime(createdAt) || 0;
  return items.toSorted((one, other) => timeOf(other) - timeOf(one));
};

/** Offers the newest idempotency keys of the current scope. */
export async function chooseIdempotencyKey(
  runtime: Runtime,
  kind: IntentKind,
  states?: readonly IntentState[],
) {
  return choose(runtime, {
    which: 'Which idempotency key?',
    typed: 'Idempotency key:',
    async loadChoices() {
      const scope = scopeOf((await runtime.config()).profile());
      const filter = { kind, limit: maxChoices, ...(states === undefined ? {} : { states }) };
      const intents = await (await runtime.ledger()).list(scope, filter);
      return intents.map(({ idempotencyKey, state, amount }) => ({
        value: idempotencyKey,
        name: `${idempotencyKey}  ${state}  ${formatAmount(amount)}`,
      }));
    },
  });
}
