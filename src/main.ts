/** From argv to exit code. The only final catch, and the only place where an error becomes words and a number. */
import { type Command, CommanderError } from 'commander';
import { systemClock } from './clock.ts';
import { type ExitCode, exitCodes, hideSecrets, type PixctlError } from './errors.ts';
import { environmentOf, findForeignLocale } from './flags/environment.ts';
import type { Globals } from './flags/globals.ts';
import { moveHelpFlag } from './flags/help.ts';
import { MissingInputError } from './flags/mistakes/missing-input-error.ts';
import { createCommandReworder, programNameOf } from './flags/reword-commands.ts';
import {
  endedTooSoonError,
  interruptedError,
  secondSignalError,
  toPixctlError,
} from './main/final-errors.ts';
import { endDespiteUnreadOutput, listenForSignals } from './main/signals.ts';
import { refuseIgnoredFlags } from './program/harden.ts';
import { createProgram } from './program.ts';
import { resultNotWrittenError } from './runtime/completed-action.ts';
import { createRuntime } from './runtime/create-runtime.ts';
import { readTimeZone } from './runtime/output-options.ts';
import { toReplacedError } from './runtime/replaced-error.ts';
import type { Runtime } from './runtime.ts';
import { errorText } from './terminal/error-text.ts';
import { makeVisible } from './terminal/escape.ts';
import { namesTime } from './terminal/local-times.ts';
import { systemIo } from './terminal/streams/system-io.ts';
import { version } from './version.ts';

/**
 * Runs one command line to its end and resolves with the exit code (`exitCodes` in errors.ts); never rejects
 * and never calls `process.exit`, which would cut a piped stdout short (but see `listenForSignals`).
 *
 * @param argv the words after the program's own name
 * @param node a Node that can be started as a child; null in the single executable, which cannot act as one
 * @param saveCompiledCode see `Runtime.saveCompiledCode`
 * @param preloadCode see `Runtime.preloadCode`
 */
export async function main(
  argv: readonly string[] = process.argv.slice(2),
  node: string | null = process.execPath,
  saveCompiledCode: Runtime['saveCompiledCode'] = () => {},
  preloadCode: Runtime['preloadCode'] = () => {},
): Promise<number> {
  const environment = environmentOf(process.env, process.platform);
  hardenEnvironment();
  const mayHaveSent = () => runtime.flight.outcomeUnknown || runtime.flight.completed !== null;
  /** The exit code, once the outcome has been shown. */
  let shownExitCode: ExitCode | null = null;
  const interrupt = listenForSignals((name) => {
    if (shownExitCode !== null) return shownExitCode;
    if (!mayHaveSent()) return null;
    tell(secondSignalError(name, runtime.flight));
    return exitCodes.unknown.exit;
  });
  let globals: Globals = {};
  const io = systemIo(environment, {
    noColor: argv.includes('--no-color'),
    signal: interrupt.signal,
    get quiet() {
      return globals.quiet === true;
    },
  });
  let stopped = false;
  const runtime = createRuntime({
    io,
    clock: systemClock,
    environment,
    platform: process.platform,
    uid: process.geteuid?.(),
    node,
    saveCompiledCode,
    preloadCode,
    version,
    signal: interrupt.signal,
    globals: () => globals,
  });
  let timeZone: string | null = null;
  const tell = (error: PixctlError): number => {
    const options = {
      json: wantsJson(argv),
      colour: io.colour('stderr'),
      debug: argv.includes('--debug'),
      columns: io.stderrIsTerminal ? io.size().columns : undefined,
      ascii: io.stderrIsTerminal && findForeignLocale(environment) !== null,
      timeZone,
      reword: createCommandReworder(programNameOf(environment, node), globals),
      typed: argv,
    };
    if (!error.alreadyShown) io.writeError(errorText(error, options));
    return error.exit;
  };
  const stopWatching = watchForEndTooSoon(() => tell(endedTooSoonError(mayHaveSent())));
  try {
    const words = moveHelpFlag(argv);
    const program = await createProgram(runtime, words);
    await runLine(program, runtime, words, () => {
      globals = program.opts<Globals>();
    });
    // Help and completion scripts are written without waiting, so wait here until they have arrived.
    await io.write('');
    if (runtime.flight.filterError !== undefined) throw runtime.flight.filterError;
    shownExitCode = exitCodes.ok.exit;
    return shownExitCode;
  } catch (thrown) {
    const translated = toReplacedError(thrown, runtime.flight) ?? toPixctlError(thrown);
    const error =
      resultNotWrittenError(translated, runtime.flight.completed) ??
      interruptedError(interrupt.signal, translated, runtime.flight) ??
      translated;
    stopped = error.kind === 'interrupted' || error.kind === 'terminated';
    if (!stopped) shownExitCode = error.exit;
    const { filterError } = runtime.flight;
    if (filterError !== undefined && filterError !== error)
      io.writeError(makeVisible(hideSecrets(`warning: ${filterError.message}`)));
    if (namesTime(`${error.message} ${error.hint}`)) timeZone = await readTimeZone(runtime);
    const exit = tell(error);
    if (error.afterShown !== undefined && (await io.errorsTaken())) await error.afterShown().catch(() => {});
    return exit;
  } finally {
    await runtime.close().catch((error: unknown) => io.writeError(makeVisible(String(error))));
    if (stopped && io.stdoutBacklog > 0) await endDespiteUnreadOutput(io, interrupt);
    stopWatching();
    interrupt.lockExitCode();
  }
}

/** Changes what Node and libraries see of the environment, of which the run has a copy: they shall take no risk. */
function hardenEnvironment(): void {
  // If it is set, Node verifies no certificate unless a connection asks for it (the one to a shared ledger does not),
  // and prints a warning.
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  // If it is set, pg uses its native client, which does not pass on the warning that a commit did not wait for its
  // replicas.
  delete process.env.NODE_PG_FORCE_NATIVE;
  // Windows looks for a program in the working directory first: what lies there may be a stranger's.
  if (process.platform === 'win32') process.env.NoDefaultCurrentDirectoryInExePath = '1';
}

/**
 * Runs the command. If the line lacks something, asks a person for it and runs it again. Calls `parsed` once the global
 * flags are known.
 */
async function runLine(
  program: Command,
  runtime: Runtime,
  argv: readonly string[],
  parsed: () => void,
): Promise<void> {
  let running = program;
  /** An expression of --jq that is wrong is refused before the command asks or sends anything. */
  const ready = async () => {
    parsed();
    if (runtime.globals.jq !== undefined) await runtime.output();
  };
  program.hook('preAction', async (_program, command) => {
    running = command;
    await ready();
  });
  try {
    await parseOnce(program, argv);
  } catch (missing) {
    if (!(missing instanceof MissingInputError)) throw missing;
    const { command = running } = missing;
    parsed();
    refuseIgnoredFlags(program, command);
    await ready();
    const { askMissingAndRun } = await import('./runtime/ask-missing.ts');
    await askMissingAndRun(runtime, { command, words: argv, missing }, (words) => parseOnce(program, words));
  }
}

/** commander throws with exit code 0 after it has only printed help or the version, which is no failure. */
async function parseOnce(program: Command, words: readonly string[]): Promise<void> {
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError) || thrown.exitCode !== 0) throw thrown;
  }
}

/**
 * Sets the exit code if Node ends too soon: when a library has lost a callback, Node has nothing left to wait for, and
 * would end with 0 as if all were done. Returns a function that stops the watch.
 */
function watchForEndTooSoon(tell: () => number): () => void {
  const onEnd = () => {
    process.exitCode = tell();
  };
  process.once('beforeExit', onEnd);
  return () => process.off('beforeExit', onEnd);
}

/** Reads the raw arguments, because a usage error leaves them unparsed. `-qo json` is `-q -o json`. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, at) =>
      word === '--json' ||
      /^--jq(=|$)/.test(word) ||
      /^(-[A-Za-z]*o|--output=)(nd)?json$/.test(word) ||
      (/^(-[A-Za-z]*o|--output)$/.test(word) && /^(nd)?json$/.test(argv[at + 1] ?? '')),
  );
}
