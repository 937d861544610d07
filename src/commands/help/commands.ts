/** Lists every command at a glance or, for programs, with its flags and exit codes. */
import type { Command } from 'commander';
import { exitCodes } from '../../errors.ts';
import { fieldsOf, helpNotes, pathOf } from '../../flags/help.ts';
import { choicesText, optionText } from '../../flags/help-format.ts';
import type { View } from '../../terminal/view.ts';

interface CommandRow {
  readonly command: string;
  readonly does: string;
  /** What comes after the command's path. */
  readonly usage: string;
  readonly arguments: readonly { readonly argument: string; readonly does: string }[];
  readonly flags: readonly { readonly flag: string; readonly does: string }[];
  /** Names that --fields takes. */
  readonly fields: readonly string[];
  readonly examples: readonly string[];
  readonly exits: readonly number[];
  /** What a terminal is asked for if it is missing: arguments by name, flags as they are given. */
  readonly asks: readonly string[];
  /** Whether it takes --dry-run; other commands refuse it. */
  readonly dryRun: boolean;
  /** What the help says below the flags; null if nothing. */
  readonly notes: string | null;
}

export const commandView: View<CommandRow> = {
  name: 'command',
  columns: [
    { key: 'command', header: 'Command' },
    { key: 'does', header: 'What it does' },
    { key: 'usage', header: 'Usage', detail: true },
    {
      key: 'arguments',
      header: 'Arguments',
      value: ({ arguments: all }) => all.map(({ argument }) => argument).join('; '),
      detail: true,
    },
    {
      key: 'flags',
      header: 'Flags',
      value: ({ flags }) => flags.map(({ flag }) => flag).join('; '),
      detail: true,
    },
    { key: 'fields', header: 'Fields', value: ({ fields }) => fields.join(','), detail: true },
    { key: 'examples', header: 'Examples', value: ({ examples }) => examples.join('; '), detail: true },
    { key: 'exits', header: 'Exit codes', value: ({ exits }) => exits.join(' '), detail: true },
    { key: 'asks', header: 'Asks for', value: ({ asks }) => asks.join(' '), detail: true },
    { key: 'dryRun', header: '--dry-run', value: ({ dryRun }) => dryRun, detail: true },
    { key: 'notes', header: 'Notes', value: ({ notes }) => notes, detail: true },
  ],
};

/**
 * Yields the program itself, with the flags that every command takes, and then the commands that do something, in the
 * order of the tree. `program` must have all of them loaded.
 */
export function* commandRows(program: Command): Generator<CommandRow> {
  yield { ...rowOf(program), does: 'the flags of every command' };
  yield* rowsBelow(program);
}

/** Yields the commands that do something, from `command` on, which may be one itself. */
export function* rowsBelow(command: Command): Generator<CommandRow> {
  const children = command.createHelp().visibleCommands(command);
  if (children.length === 0) yield rowOf(command);
  for (const child of children) yield* rowsBelow(child);
}

function rowOf(command: Command): CommandRow {
  const notes = helpNotes(command);
  const options = command.createHelp().visibleOptions(command);
  return {
    command: pathOf(command),
    does: command.description(),
    usage: command.usage(),
    arguments: command.registeredArguments.map((it) => ({
      argument: it.name(),
      does: `${it.description}${choicesText(it.argChoices)}`.trim(),
    })),
    flags: options
      .filter(({ long }) => long !== '--help')
      .map((option) => ({ flag: option.flags, does: optionText(option) })),
    fields: fieldsOf(command),
    examples: Object.keys(notes?.examples ?? {}),
    exits: [0, ...(notes?.exits ?? []).map((name) => exitCodes[name].exit)],
    asks: Object.keys(notes?.prompts ?? {}),
    dryRun: notes?.dryRun !== undefined,
    notes: notes?.more ?? null,
  };
}
