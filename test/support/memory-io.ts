/** A terminal, or a pipe, in memory. */
import { PassThrough } from 'node:stream';
import type { Io } from '../../src/terminal/io.ts';

export interface MemoryIo extends Io {
  readonly out: string;
  readonly err: string;
  /** What each `write` was handed. */
  readonly writes: readonly string[];
}

export interface MemoryIoOptions {
  readonly terminal?: boolean;
  readonly errorTerminal?: boolean;
  readonly columns?: number;
  readonly colour?: boolean;
  /** The reader goes away after so many writes. */
  readonly closeAfter?: number;
}

export function memoryIo(options: MemoryIoOptions = {}): MemoryIo {
  const { terminal = false, errorTerminal = false, columns = 80, colour = false } = options;
  const { closeAfter = Number.POSITIVE_INFINITY } = options;
  const writes: string[] = [];
  const errors: string[] = [];
  return {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    stdinIsTerminal: terminal,
    stdoutIsTerminal: terminal,
    stderrIsTerminal: errorTerminal,
    size: () => ({ columns, rows: 24 }),
    colour: () => colour,
    write: async (text) => void writes.push(Buffer.from(text).toString('utf8')),
    stdoutBacklog: 0,
    get stdoutClosed() {
      return writes.length >= closeAfter;
    },
    doNotBlock: () => {},
    onSuspend: () => () => {},
    writeError: (text) => void errors.push(`${text}\n`),
    errorsTaken: async () => true,
    readInput: async () => new Uint8Array(),
    get out() {
      return writes.join('');
    },
    get err() {
      return errors.join('');
    },
    writes,
  };
}
