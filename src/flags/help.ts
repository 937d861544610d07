/**
 * The end of each command's help: examples to paste, exit codes that matter, where to go next. The data is kept beside
 * the command, so that the man page and docs/commands.md come from the same source.
 */
import type { Command } from 'commander';
import { type ExitName, exitCodes } from '../errors.ts';
import { wrapSentence } from './wrap-sentence.ts';

export interface HelpNotes {
  /** What each line does, by the line. */
  readonly examples: Readonly<Record<string, string>>;
  /** Only those that a script has to distinguish. */
  readonly exits: readonly ExitName[];
  /**
   * What exit codes mean for this command and those below it, where the words for all commands (`exitCodes`) also speak
   * of what these never do.
   */
  readonly exitWords?: Readonly<Partial<Record<ExitName, string>>>;
  /** What else is worth saying. Help wraps its lines for the terminal, except those that begin with a space. */
  readonly more?: string;
  /**
   * Set if the command honours --dry-run. Any other command refuses the flag, so that it never sends by mistake.
   * `reading`: it asks the service what would become of it.
   */
  readonly dryRun?: true | 'reading';
  /**
   * On a terminal, asks for a missing required argument (by its name) or option (by its flag). Resolves with its value,
   * and with further flags if they are needed. Null means no answer, which is a usage error, as it is without a
   * terminal.
   */
  readonly prompts?: Readonly<Record<string, (command: Command) => Promise<readonly string[] | null>>>;
  /**
   * Set if the command always asks on a terminal whether to act, so that the same line without questions needs --yes.
   */
  readonly confirms?: true;
  /** The view whose keys --fields accepts. Loaded only when help is shown. */
  readonly view?: () => Promise<{ readonly columns: readonly { readonly key: string }[] }>;
}

/**
 * Returns `words` with a `--help` that comes before the command moved right behind the command's name. So `pixctl
 * --help charge create` works as it does with gh, whereas commander would show the help of what comes before it. It is
 * not moved behind the flags: the last of them might take it for its value, and the command would run.
 */
export function moveHelpFlag(words: readonly string[]): readonly string[] {
  const at = words.findIndex(isFlag);
  const [flag = '', ...rest] = words.slice(at);
  if (!['--help', '-h'].includes(flag)) return words;
  const end = rest.findIndex(isFlag);
  const name = end < 0 ? rest : rest.slice(0, end);
  return [...words.slice(0, at), ...name, flag, ...rest.slice(name.length)];
}

const isFlag = (word: string): boolean => word.startsWith('-');

/** What --dry-run does, in a sentence; null if the command refuses it. */
export function describeDryRun({ dryRun }: Pick<HelpNotes, 'dryRun'>): string | null {
  if (dryRun === undefined) return null;
  const only = dryRun === 'reading' ? 'only reads from the service' : 'sends nothing';
  return `Takes --dry-run: shows what would be done, and ${only}.`;
}

/** What a command asks for, in a sentence; null if it asks for nothing in this way. */
export function describePrompts({ prompts = {} }: Pick<HelpNotes, 'prompts'>): string | null {
  const names = Object.keys(prompts).map((name) => (name.startsWith('--') ? name : `<${name}>`));
  return names.length === 0 ? null : `On a terminal, asks for ${names.join(' and ')} if missing.`;
}

const notes = new WeakMap<Command, HelpNotes>();
const fieldNames = new WeakMap<Command, readonly string[]>();

/** Adds the notes to the command's help, and keeps them for the documents. */
export function withHelp(command: Command, help: HelpNotes): Command {
  const exits = [...help.exits].sort((a, b) => exitCodes[a].exit - exitCodes[b].exit);
  notes.set(command, { ...help, exits });
  return command.addHelpText('after', () => `\n${renderNotes(command, { ...help, exits })}`);
}

/** What `withHelp` was given; undefined for a command without notes. */
export const helpNotes = (command: Command): HelpNotes | undefined => notes.get(command);

/** What `exit` means of this command: in its own words, in those of a command above it, or in those for all. */
export function exitMeaning(command: Command, exit: ExitName): string {
  for (let at: Command | null = command; at !== null; at = at.parent) {
    const words = notes.get(at)?.exitWords?.[exit];
    if (words !== undefined) return words;
  }
  return exitCodes[exit].meaning;
}

/** 75 of a command that sends no withdrawals. */
export const notReached = 'this run had no effect; try later: service not reached, 429, 5xx on a read';

/** What `loadFields` found; empty for a command that shows no fields. */
export const fieldsOf = (command: Command): readonly string[] => fieldNames.get(command) ?? [];

/** Loads the view of a command whose help is about to be shown. */
export async function loadFields(command: Command): Promise<void> {
  const view = await notes.get(command)?.view?.();
  if (view !== undefined)
    fieldNames.set(
      command,
      view.columns.map(({ key }) => key),
    );
}

function renderNotes(command: Command, help: HelpNotes): string {
  const { examples, exits, more, prompts = {} } = help;
  const fields = fieldsOf(command);
  const width = helpWidth(command);
  const blocks: string[] = [];
  if (more !== undefined) blocks.push(more);
  const shown = Object.entries(examples).flatMap(([run, does]) => [`  # ${does}`, `  ${run}`]);
  if (shown.length > 0) blocks.push(['Examples:', ...shown].join('\n'));
  if (exits.length > 0) {
    const lines = exits.map(
      (name) =>
        `  ${String(exitCodes[name].exit).padEnd(4)} ${wrapSentence(exitMeaning(command, name), { columns: Math.min(width, 80), indent: 7 })}`,
    );
    blocks.push(['Exit codes to handle (all: pixctl help exit-codes):', ...lines].join('\n'));
  }
  const questions = describePrompts({ prompts });
  if (questions !== null) blocks.push(questions);
  const rehearsal = describeDryRun(help);
  if (rehearsal !== null) blocks.push(rehearsal);
  if (fields.length > 0) blocks.push(`Fields for --fields: ${fields.join(', ')}`);
  if (command.commands.length > 0) blocks.push(`Help on one command: ${pathOf(command)} <command> --help`);
  blocks.push('Flags of every command (--json, --jq, --fields, --quiet, ...): pixctl --help');
  return blocks.map((block) => proseWrapped(block, width)).join('\n\n');
}

/** The command's whole name: `pixctl charge create`. */
export const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

/** Columns of the help: those of the terminal, if there are not too many to read along. */
export const helpWidth = (command: Command): number =>
  Math.min(command.configureOutput().getOutHelpWidth?.() ?? 80, 100);

/** Wraps text for the terminal; lines that begin with a space stay as they are. */
export const proseWrapped = (text: string, width: number): string =>
  text.replace(/^\S.*/gm, (prose) => wrapSentence(prose, { columns: width, indent: 0 }));
