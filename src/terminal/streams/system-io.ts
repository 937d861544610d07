/** The real terminal: the one place that touches the process's own streams. */
import { readFileSync } from 'node:fs';
import { PixctlError } from '../../errors.ts';
import { type Environment, findForeignLocale } from '../../flags/environment.ts';
import type { Io } from '../io.ts';
import { writeInAscii } from './ascii-stream.ts';
import { channel } from './channel-io.ts';
import { readAll } from './read-all.ts';

interface SystemIoOptions {
  /** `--no-color`. */
  readonly noColor?: boolean;
  /** `--quiet`; read only when it matters, because the line has not been parsed yet. */
  readonly quiet?: boolean;
  /** Stops the reading of stdin. */
  readonly signal?: AbortSignal;
}

/** An `Io` on the process's streams. `environment` decides colour: NO_COLOR, FORCE_COLOR, TERM. */
export function systemIo(environment: Environment, options: SystemIoOptions): Io {
  const isForeign = findForeignLocale(environment) !== null;
  const dressed = (stream: NodeJS.WriteStream) =>
    isForeign && stream.isTTY === true ? writeInAscii(stream) : stream;
  const channels = {
    stdout: channel(1, () => dressed(process.stdout), process.platform),
    stderr: channel(2, () => dressed(process.stderr), process.platform),
  };
  const { stdout, stderr } = channels;
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return stdout.stream;
    },
    get stderr() {
      return stderr.stream;
    },
    get stdinIsTerminal() {
      return process.stdin.isTTY === true;
    },
    get stdoutIsTerminal() {
      return stdout.isTerminal;
    },
    get stderrIsTerminal() {
      return stderr.isTerminal;
    },
    size() {
      const terminal = [stdout, stderr].find((it) => it.isTerminal)?.stream;
      return { columns: terminal?.columns || 80, rows: terminal?.rows || 24 };
    },
    colour(stream) {
      if (options.noColor === true || environment.NO_COLOR) return false;
      // What is piped is read by programs, whatever is forced.
      if (stream === 'stdout' && !stdout.isTerminal) return false;
      if (environment.FORCE_COLOR) return !['0', 'false'].includes(environment.FORCE_COLOR);
      return channels[stream].isTerminal && environment.TERM !== 'dumb';
    },
    get stdoutClosed() {
      return stdout.closed;
    },
    get stdoutBacklog() {
      return stdout.backlog;
    },
    async write(text) {
      await stdout.write(text);
      const { failure } = stdout;
      if (failure === undefined) return;
      // Not `storage`, which says that nothing was sent: this may be the answer to something that was.
      throw new PixctlError(
        'unexpected',
        'STDOUT',
        `Writing to stdout failed (${failure.code ?? failure.message}); the output is incomplete.`,
        {
          hint: 'Check the disk space and the permissions of the file that stdout is written to.',
          cause: failure,
        },
      );
    },
    doNotBlock() {
      stdout.doNotBlock();
      stderr.doNotBlock();
    },
    onSuspend: process.platform === 'win32' ? () => () => {} : onSuspend,
    writeError(text) {
      void stderr.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    async errorsTaken() {
      await stderr.write('');
      return !stderr.closed;
    },
    readInput({ despiteSignals = false, atMost }) {
      const isTerminal = process.stdin.isTTY === true;
      const { keys, endByte } = endOfTyping(process.platform);
      // Whoever forgot the pipe would see nothing happen.
      if (options.quiet !== true && isTerminal && stderr.isTerminal)
        this.writeError(`Reading from this terminal; ${keys} ends it.`);
      const signal = despiteSignals ? undefined : options.signal;
      return readAll(process.stdin, { what: 'stdin', atMost, signal, ...(isTerminal ? { endByte } : {}) });
    },
  };
}

interface Suspendable {
  leave(): void;
  resume(inForeground: boolean): void;
}
/** For all of them one listener, because the system suspends only a process that has none. */
const suspendables = new Set<Suspendable>();

function onSuspend(leave: () => void, resume: (inForeground: boolean) => void): () => void {
  const it = { leave, resume };
  if (suspendables.size === 0) process.on('SIGTSTP', suspend);
  suspendables.add(it);
  return () => {
    if (suspendables.delete(it) && suspendables.size === 0) process.off('SIGTSTP', suspend);
  };
}

function suspend(): void {
  for (const { leave } of suspendables) leave();
  process.off('SIGTSTP', suspend);
  // Returns when the process goes on; at once if there is no shell to continue it, because then nothing is suspended.
  process.kill(process.pid, 'SIGTSTP');
  process.on('SIGTSTP', suspend);
  const inForeground = isInForeground();
  // Only the foreground hears of a new size. So Node reads it again, and whoever draws hears of it.
  if (inForeground) process.emit('SIGWINCH', 'SIGWINCH');
  for (const { resume } of suspendables) resume(inForeground);
}

/** Whether the terminal belongs to this process's group. Linux alone tells; false where that is not known. */
function isInForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // After a name that may hold blanks and parentheses: state, parent, group, session, terminal, the terminal's group.
    const [, , group, , , ofTerminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === ofTerminal;
  } catch {
    return false;
  }
}

/** How a person ends typed input. On Windows, Node passes Ctrl-Z on as a byte, and would read for ever. */
export const endOfTyping = (
  platform: NodeJS.Platform,
): { readonly keys: string; readonly endByte?: number } =>
  platform === 'win32' ? { keys: 'Ctrl-Z and Enter', endByte: 0x1a } : { keys: 'Ctrl-D' };
