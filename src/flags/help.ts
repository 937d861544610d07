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
}

const notes = new WeakMap<Command, HelpNotes>();

/** Adds the notes to the command's help and remembers them for the documents. */
export function withHelp(command: Command, help: HelpNotes): Command {
  notes.set(command, help);
  return command.addHelpText('after', () => `\n${renderNotes(help)}`);
}

export const helpNotes = (command: Command): HelpNotes | undefined => notes.get(command);

function renderNotes({ examples, exits, more }: HelpNotes): string {
  const blocks: string[] = [];
  if (more !== undefined) blocks.push(more);
  if (examples.length > 0) {
    blocks.push(
      ['Examples:', ...examples.flatMap(({ run, does }) => [`  # ${does}`, `  ${run}`])].join('\n'),
    );
  }
  if (exits.length > 0) {
    const lines = exits.map(
      (name) => `  ${String(exitCodes[name].exit).padEnd(4)} ${exitCodes[name].meaning}`,
    );
    blocks.push(['Exit codes besides 0 (all: pixctl help exit-codes):', ...lines].join('\n'));
  }
  return blocks.join('\n\n');
}
