/**
 * argv -> exit code. The only final catch, and the only place where an error becomes words and a number.
 */
import { type Command, CommanderError } from 'commander';
import { systemClock } from './clock.ts';
import { type ExitCode, endedBy, exitCodes, PixctlError } from './errors.ts';
import { forSameMerchant } from './flags/command-line.ts';
import { environmentOf } from './flags/environment.ts';
import type { Globals } from './flags/globals.ts';
import { helpBehindName } from './flags/help.ts';
import { Lacking } from './flags/lacking.ts';
import { createProgram, refuseIdleFlags, version } from './program.ts';
import { createRuntime } from './runtime/create-runtime.ts';
import { unshown } from './runtime/done.ts';
import { asReplaced } from './runtime/replaced.ts';
import type { Runtime } from './runtime.ts';
import { errorText } from './terminal/error-text.ts';
import type { Io } from './terminal/io.ts';
import { systemIo } from './terminal/system-io.ts';

/**
 * Runs one command line to its end and resolves with the exit code (`exitCodes` in errors.ts); never rejects
 * and never calls `process.exit`, which would cut a piped stdout short (but see `listenForSignals`).
 *
 * @param argv the words after the program's own name
 * @param node a Node that can be started as a child; null in the single executable, which cannot act as one
 * @param keepCode see `Runtime.keepCode`
 * @param holdCode see `Runtime.holdCode`
 */
export async function main(
  argv: readonly string[] = process.argv.slice(2),
  node: string | null = process.execPath,
  keepCode: Runtime['keepCode'] = () => {},
  holdCode: Runtime['holdCode'] = () => {},
): Promise<number> {
  const environment = environmentOf(process.env, process.platform);
  // Windows looks for a program in the working directory first: what lies there may be a stranger's.
  if (process.platform === 'win32') process.env.NoDefaultCurrentDirectoryInExePath = '1';
  const mayHaveSent = () => runtime.flight.unknown || runtime.flight.done !== null;
  const interrupt = listenForSignals((name) => {
    if (!mayHaveSent()) return null;
    tell(stoppedAtOnce(name, runtime.flight));
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
    keepCode,
    holdCode,
    version,
    signal: interrupt.signal,
    globals: () => globals,
  });
  const tell = (error: PixctlError): number => {
    const options = {
      json: wantsJson(argv),
      colour: io.colour('stderr'),
      debug: argv.includes('--debug'),
      reword: forSameMerchant(globals),
    };
    if (!error.told) io.writeError(errorText(error, options));
    return error.exit;
  };
  const isDone = watchForEndTooSoon(() => tell(endedTooSoon(mayHaveSent())));
  try {
    const words = helpBehindName(argv);
    const program = await createProgram(runtime, words);
    await parse(program, runtime, words, () => {
      globals = program.opts<Globals>();
    });
    // What was written without waiting for it (help, a completion script) must have arrived too.
    await io.write('');
    return 0;
  } catch (thrown) {
    const translated = asReplaced(thrown, runtime.flight) ?? translate(thrown);
    const error =
      unshown(translated, runtime.flight.done) ?? interrupted(interrupt.signal, translated) ?? translated;
    stopped = error.kind === 'interrupted' || error.kind === 'terminated';
    return tell(error);
  } finally {
    await runtime.close().catch((error: unknown) => io.writeError(String(error)));
    if (stopped && io.stdoutBacklog > 0) await endUnread(io, interrupt);
    isDone();
  }
}

/**
 * Runs the command, and asks where the line lacks something that a person can be asked for. `parsed`: the global flags
 * are known.
 */
async function parse(
  program: Command,
  runtime: Runtime,
  argv: readonly string[],
  parsed: () => void,
): Promise<void> {
  let running = program;
  program.hook('preAction', (_program, command) => {
    running = command;
    parsed();
  });
  try {
    await parseOnce(program, argv);
  } catch (lacking) {
    if (!(lacking instanceof Lacking)) throw lacking;
    const { command = running } = lacking;
    parsed();
    refuseIdleFlags(program, command);
    const { runAsking } = await import('./runtime/ask-missing.ts');
    await runAsking(runtime, { command, words: argv, lacking }, (words) => parseOnce(program, words));
  }
}

/** commander throws with exit code 0 when it only printed help or the version: that is no failure. */
async function parseOnce(program: Command, words: readonly string[]): Promise<void> {
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError) || thrown.exitCode !== 0) throw thrown;
  }
}

/** What asks a command to stop. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Interrupt {
  readonly signal: AbortSignal;
  /** From now on a signal ends the process as the system does. */
  stop(): void;
}

/** At a SIGUSR1 Node would open its debugger, and with it our keys, to every user of the machine. */
const ignore = () => {};

/**
 * The first signal asks the command to stop; the second ends the process as the system does. To a shell that is
 * 130 or 143, "nothing was sent": where that is not known, or not so, the one `process.exit` of this program says what
 * `atOnce` answers instead of null. Listened to until the process has ended: one that comes after the outcome has been
 * told must not change its code.
 */
function listenForSignals(atOnce: (name: NodeJS.Signals) => ExitCode | null): Interrupt {
  const controller = new AbortController();
  const stop = () => {
    for (const name of stopSignals) process.off(name, onSignal);
  };
  const onSignal = (name: NodeJS.Signals) => {
    // We stay listening: a library that finds itself the last listener would end the process in our stead.
    if (!controller.signal.aborted) return controller.abort(name);
    // Nobody's impatience: one hangup is told by the kernel and by the shell, and systemd sends one with its SIGTERM.
    if (name === 'SIGHUP') return;
    stop();
    const code = atOnce(name);
    if (code !== null) process.exit(code);
    process.kill(process.pid, name);
  };
  for (const name of stopSignals) process.on(name, onSignal);
  process.on('SIGUSR1', ignore);
  return { signal: controller.signal, stop };
}

/** The last words of a run that does not wait for what it has begun. */
function stoppedAtOnce(name: NodeJS.Signals, { done, findOut }: Runtime['flight']): PixctlError {
  const stopped = `Stopped at once by a second ${name}`;
  if (done !== null)
    return new PixctlError('unknown', 'STOPPED', `${done.what} ${stopped}.`, { hint: done.hint });
  return new PixctlError(
    'unknown',
    'OUTCOME_UNKNOWN',
    `${stopped}, before the outcome was known: what was sent may have had its effect.`,
    { hint: findOut ?? 'Look before you do it again; with the same idempotency key it is safe.' },
  );
}

/** What nobody will ever answer (a library that lost a callback) ends Node with 0, as if all were done. */
function watchForEndTooSoon(tell: () => number): () => void {
  const onEnd = () => {
    process.exitCode = tell();
  };
  process.once('beforeExit', onEnd);
  return () => process.off('beforeExit', onEnd);
}

const endedTooSoon = (mayHaveSent: boolean): PixctlError =>
  new PixctlError(
    mayHaveSent ? 'unknown' : 'unexpected',
    'ENDED_TOO_SOON',
    'pixctl ended before it was done: what it was asked for may have happened or not.',
    {
      hint: 'This is a bug in pixctl, or a case that it does not know. Look before you run it again; with the same idempotency key it is safe.',
    },
  );

/** All is done, but stdout still waits for its reader. If the reader has stopped, Node would wait for ever. */
async function endUnread(io: Io, { signal: { reason }, stop }: Interrupt): Promise<void> {
  const { untilStalled } = await import('./terminal/stalled.ts');
  const taken = new AbortController();
  const take = () => taken.abort();
  io.write('').then(take, take);
  await untilStalled(io, systemClock, taken.signal);
  if (taken.signal.aborted) return;
  stop();
  process.kill(process.pid, endedBy(reason) === 'terminated' ? 'SIGTERM' : 'SIGINT');
}

/** The error (130, 143) of a run that a signal ended; null without a signal, or if its own error says more. */
function interrupted(signal: AbortSignal, thrown: PixctlError): PixctlError | null {
  if (!signal.aborted || thrown.code !== 'UNEXPECTED') return null;
  const kind = endedBy(signal.reason);
  return new PixctlError(
    kind,
    kind.toUpperCase(),
    `Stopped by ${String(signal.reason)}; nothing was in flight.`,
    {
      cause: thrown,
    },
  );
}

/** Any thrown value as one of the family. */
function translate(thrown: unknown): PixctlError {
  if (thrown instanceof PixctlError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new PixctlError('unexpected', 'UNEXPECTED', `Unexpected: ${message}`, {
    cause: thrown,
    hint: 'This is a bug in pixctl, or a case that it does not know; run again with --debug to see where.',
  });
}

/** Read from the raw arguments, because a usage error leaves them unparsed. `-qo json` is `-q -o json`. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, at) =>
      word === '--json' ||
      /^(-[A-Za-z]*o|--output=)(nd)?json$/.test(word) ||
      (/^(-[A-Za-z]*o|--output)$/.test(word) && /^(nd)?json$/.test(argv[at + 1] ?? '')),
  );
}
