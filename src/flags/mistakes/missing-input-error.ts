/** A command line that lacks one thing, which a person at a terminal may be asked for. */
import type { Command } from 'commander';
import { PixctlError } from '../../errors.ts';

/** The usage error (64) if nobody is asked. */
export class MissingInputError extends PixctlError {
  /** An argument by its name (`id`), an option by its flag (`--key`): the key in `HelpNotes.prompts`. */
  readonly inputName: string;
  /** The command whose line it is; undefined means the one that runs. */
  readonly command: Command | undefined;

  constructor(lacks: string, message: string, { hint, command }: { hint?: string; command?: Command } = {}) {
    super('usage', 'USAGE', message, { hint, field: lacks.startsWith('-') ? lacks : `<${lacks}>` });
    this.inputName = lacks;
    this.command = command;
  }
}
