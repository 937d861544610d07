/**
 * The end of each command's help: examples to paste, exit codes that matter, where to go next. The data is
 * kept beside the command, so that the man page and docs/commands.md are made from the same source.
 */
import type { Command } from 'commander';
import { type ExitName, exitCodes } from '../errors.ts';

export interface HelpNotes {
  readonly examples: readonly { readonly run: string; readonly does: string }[];
  /** Besides 0, which goes without saying. */
  readonly exits: readonly ExitName[];
  /** Anything else worth a paragraph. */
  readonly more?: string;
  /** It honours --dry-run. Whoever does not say so is refused with it, and never sends by mistake. */
  readonly rehearses?: true;
  /** The view whose keys --fields takes. Loaded only when help is shown. */
  readonly view?: () => Promise<{ readonly columns: readonly { readonly key: string }[] }>;
}

export const rehearsal = 'Takes --dry-run: shows what it would do, and sends nothing.';

const notes = new WeakMap<Command, HelpNotes>();
const fieldNames = new WeakMap<Command, readonly string[]>();

/** Adds the notes to the command's help and remembers them for the documents. */
export function withHelp(command: Command, help: HelpNotes): Command {
  notes.set(command, help);
  return command.addHelpText('after', () => `\n${renderNotes(help, fieldsOf(command))}`);
}

export const helpNotes = (command: Command): HelpNotes | undefined => notes.get(command);

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

function renderNotes({ examples, exits, more, rehearses }: HelpNotes, fields: readonly string[]): string {
  const blocks: string[] = [];
  if (more !== undefined) blocks.push(more);
  if (examples.length > 0) {
    blocks.push(
      ['Examples:', ...examples.flatMap(({ run, does }) => [`  # ${does}`, `  ${run}`])].join('\n'),
    );
  }
  if (exits.length > 0) {
    const lines = exits.map(
      (name) => `  ${String(exitCodes[name].exit).padEnd(4)} ${hanging(exitCodes[name].meaning)}`,
    );
    blocks.push(['Exit codes besides 0 (all: pixctl help exit-codes):', ...lines].join('\n'));
  }
  if (rehearses === true) blocks.push(rehearsal);
  if (fields.length > 0) blocks.push(`Fields for --fields: ${fields.join(', ')}`);
  blocks.push('Flags of every command (--output, --fields, --profile, --quiet, ...): pixctl --help');
  return blocks.join('\n\n');
}

/** Broken for 80 columns, below the text that begins at column 7. */
const hanging = (text: string): string => text.replace(/(.{1,72})(?: |$)/g, '$1\n       ').trimEnd();
