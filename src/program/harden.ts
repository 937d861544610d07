/** What holds for every command, whatever commander would do: who writes, who ends the run, what is refused. */
import { type Command, CommanderError } from 'commander';
import { parseBaseUrl } from '../config/base-url.ts';
import { usageError } from '../errors.ts';
import { parsePositiveDuration } from '../flags/duration.ts';
import type { Globals } from '../flags/globals.ts';
import { helpNotes, pathOf } from '../flags/help.ts';
import { refuseUnknownVerb, toUsageError } from '../flags/mistakes/usage-errors.ts';
import { refuseUnintendedValues } from '../flags/mistakes/value-checks.ts';
import type { Runtime } from '../runtime.ts';

/** Yields a command and all below it. */
export function* walkCommands(command: Command): Generator<Command> {
  yield command;
  for (const child of command.commands) yield* walkCommands(child);
}

/** Has commander throw instead of exit, and write where we say: only `main` ends the program. */
export function harden(command: Command, runtime: Runtime, words: readonly string[]): void {
  command
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : toUsageError(error, command, words);
    })
    .helpCommand(false)
    .showSuggestionAfterError()
    .configureOutput({
      // The terminal remembers a failure to write, and `main` reports it at the end.
      writeOut: (text) => void runtime.io.write(text).catch(() => {}),
      writeErr: () => {},
      getOutHelpWidth: () => runtime.io.size().columns,
      getErrHelpWidth: () => runtime.io.size().columns,
      // Help has no colours, and commander would load the streams to find that out.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  // commander calls this when a command is given without a verb.
  if (command.commands.length > 0) command.help = () => handleMissingVerb(command, runtime);
  command.addHelpText('before', () => refuseUnknownVerb(command));
}

/**
 * `pixctl` alone prints its help (0); a noun alone, like `pixctl charge`, is a usage error: a script must notice. A
 * person is shown the commands, which is what the noun was typed for.
 */
function handleMissingVerb(command: Command, { io }: Runtime): never {
  if (command.parent === null) {
    command.outputHelp();
    throw new CommanderError(0, 'commander.help', '');
  }
  const path = pathOf(command);
  const { json, output = 'table', jq } = command.optsWithGlobals<Globals>();
  if (io.stderrIsTerminal && json !== true && jq === undefined && output === 'table') {
    io.writeError(`${command.helpInformation({ error: true })}\n`);
    throw usageError(`${path} needs a command. Nothing was sent.`, `${path} --help has examples, too.`);
  }
  const verbs = command.commands.map((each) => each.name()).join(', ');
  throw usageError(`${path} needs a command: ${verbs}. Nothing was sent.`, `${path} --help explains them.`);
}

/**
 * Refuses a --dry-run that the command would ignore, and really act. Also refuses a --timeout that bounds nothing and a
 * --base-url that is no address of a service, even if the command has no use for them.
 */
export function refuseIgnoredFlags(program: Command, command: Command): void {
  refuseUnintendedValues(command);
  const { timeout, baseUrl } = program.opts<Globals>();
  if (timeout !== undefined) parsePositiveDuration(timeout, '--timeout');
  if (baseUrl !== undefined) parseBaseUrl(baseUrl);
  if (program.opts<Globals>().dryRun !== true || helpNotes(command)?.dryRun !== undefined) return;
  throw usageError(
    `${pathOf(command)} takes no --dry-run. Nothing was sent.`,
    'Leave --dry-run out; a command that takes it says so in its --help.',
  );
}
