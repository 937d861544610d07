/** What holds for every command of the tree, whatever commander would do: who writes, who ends, what is refused. */
import { type Command, CommanderError } from 'commander';
import { parseBaseUrl } from '../config/base-url.ts';
import { usageError } from '../errors.ts';
import { parseBound } from '../flags/duration.ts';
import { refuseUnmeant } from '../flags/given.ts';
import type { Globals } from '../flags/globals.ts';
import { helpNotes } from '../flags/help.ts';
import { pathOf, refuseUnknownVerb, usageOf } from '../flags/usage-words.ts';
import type { Runtime } from '../runtime.ts';

/** A command and all below it. */
export function* everyCommand(command: Command): Generator<Command> {
  yield command;
  for (const child of command.commands) yield* everyCommand(child);
}

/** commander throws instead of exiting, and writes where we tell it: `main` alone ends the program. */
export function harden(command: Command, runtime: Runtime, words: readonly string[]): void {
  command
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : usageOf(error, command, words);
    })
    .helpCommand(false)
    .showSuggestionAfterError()
    .configureOutput({
      // A failure to write is remembered by the terminal, and reported by `main` at the end.
      writeOut: (text) => void runtime.io.write(text).catch(() => {}),
      writeErr: () => {},
      getOutHelpWidth: () => runtime.io.size().columns,
      getErrHelpWidth: () => runtime.io.size().columns,
      // Help has no colours; to find that out itself, commander would load the streams.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  // commander calls this when a command is given without a verb.
  if (command.commands.length > 0) command.help = () => withoutVerb(command);
  command.addHelpText('before', () => refuseUnknownVerb(command));
}

/** `pixctl` alone prints its help (0); a noun alone, like `pixctl charge`, is a usage error: a script must notice. */
function withoutVerb(command: Command): never {
  if (command.parent === null) {
    command.outputHelp();
    throw new CommanderError(0, 'commander.help', '');
  }
  const path = pathOf(command);
  const verbs = command.commands.map((each) => each.name()).join(', ');
  throw usageError(`${path} needs a command: ${verbs}. Nothing was sent.`, `${path} --help explains them.`);
}

/**
 * Refuses a --dry-run that the command would ignore, and really act; and, also where the command has no use for it, a
 * --timeout that bounds nothing and a --base-url that is no address of a service.
 */
export function refuseIdleFlags(program: Command, command: Command): void {
  refuseUnmeant(command);
  const { timeout, baseUrl } = program.opts<Globals>();
  if (timeout !== undefined) parseBound(timeout, '--timeout');
  if (baseUrl !== undefined) parseBaseUrl(baseUrl);
  if (program.opts<Globals>().dryRun !== true || helpNotes(command)?.rehearses !== undefined) return;
  throw usageError(
    `${pathOf(command)} takes no --dry-run. Nothing was sent.`,
    'Leave --dry-run out; a command that takes it says so in its --help.',
  );
}
