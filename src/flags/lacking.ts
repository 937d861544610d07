/** A command line that lacks one thing, which a person at a terminal may be asked for. */
import type { Command } from 'commander';
import { PixctlError } from '../errors.ts';

/** The usage error (64) of a run in which nobody is asked. */
export class Lacking extends PixctlError {
  /** An argument by its name (`id`), an option by its flag (`--key`): what `HelpNotes.asks` knows it by. */
  readonly lacks: string;
  /** Whose line it is; undefined for the command that runs. */
  readonly command: Command | undefined;

  constructor(lacks: string, message: string, { hint, command }: { hint?: string; command?: Command } = {}) {
    super('usage', 'USAGE', message, { hint });
    this.lacks = lacks;
    this.command = command;
  }
}
