/** The real terminal: the one place that touches the process's own streams. */
import type { Writable } from 'node:stream';
import { PixctlError } from '../errors.ts';
import type { Io } from './io.ts';

export interface SystemIoOptions {
  /** `--no-color`. Read each time, so that a getter may answer once the command line is known. */
  readonly noColor?: boolean;
}

/** What the reader of a pipe, or a hung-up terminal, leaves behind: no fault of ours, and nothing to say. */
const readerGone = new Set([
  'EPIPE',
  'EIO',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** An `Io` over the process's streams. `environment` decides colour: NO_COLOR, FORCE_COLOR, TERM. */
export function systemIo(
  environment: Readonly<Record<string, string | undefined>>,
  options: SystemIoOptions = {},
): Io {
  const { stdout } = process;
  // The getters of the other two make a stream each, which most runs never use.
  let heard: NodeJS.WriteStream | undefined;
  const errorStream = () => {
    heard ??= process.stderr.on('error', () => {});
    return heard;
  };
  let closed = false;
  let failure: NodeJS.ErrnoException | undefined;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    closed = true;
    if (!readerGone.has(error.code ?? '')) failure = error;
  });

  const isTerminal = {
    stdout: stdout.isTTY === true,
    get stderr() {
      return errorStream().isTTY === true;
    },
  };
  return {
    get stdin() {
      return process.stdin;
    },
    stdout,
    get stderr() {
      return errorStream();
    },
    get stdinIsTerminal() {
      return process.stdin.isTTY === true;
    },
    stdoutIsTerminal: isTerminal.stdout,
    get stderrIsTerminal() {
      return isTerminal.stderr;
    },
    size() {
      const terminal = isTerminal.stdout ? stdout : errorStream();
      return { columns: terminal.columns || 80, rows: terminal.rows || 24 };
    },
    colour(stream) {
      if (options.noColor === true || environment.NO_COLOR) return false;
      if (environment.FORCE_COLOR) return environment.FORCE_COLOR !== '0';
      return isTerminal[stream] && environment.TERM !== 'dumb';
    },
    get stdoutClosed() {
      return closed;
    },
    async write(text) {
      if (!closed) await writeAll(stdout, text);
      if (failure !== undefined) {
        // Not `storage`: that says that nothing was sent, and this may be the answer to what was.
        throw new PixctlError(
          'unexpected',
          'STDOUT',
          `Writing to stdout failed (${failure.code ?? failure.message}); the output is incomplete.`,
          { hint: 'Check the space and the permissions of the file that stdout goes to.', cause: failure },
        );
      }
    },
    writeError(text) {
      errorStream().write(text.endsWith('\n') ? text : `${text}\n`);
    },
    async readInput() {
      const chunks: Uint8Array[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
      return Buffer.concat(chunks);
    },
  };
}

/** Resolves when the stream took the bytes, or broke: the error listener tells the two apart. */
function writeAll(stream: Writable, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => setImmediate(resolve));
  });
}
