/**
 * The terminal as an argument: the only room that touches `process.stdin`, `stdout`, `stderr` and asks
 * whether they are terminals. Tests hand in their own.
 */
import type { Readable, Writable } from 'node:stream';

export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Columns and rows of the terminal that stdout (else stderr) writes to; 80 x 24 where unknown. */
  size(): { columns: number; rows: number };
  /** Whether colour may be written to the stream: terminal, NO_COLOR, FORCE_COLOR, TERM=dumb, --no-color. */
  colour(stream: 'stdout' | 'stderr'): boolean;
  /** Writes to stdout and waits while the reader is slow. A closed pipe ends quietly: later writes do nothing. */
  write(text: string | Uint8Array): Promise<void>;
  /** True once the reader of stdout has gone away. */
  readonly stdoutClosed: boolean;
  /** Bytes written to stdout that wait for its reader. */
  readonly stdoutBacklog: number;
  /**
   * For what has others to serve: from now on a terminal that its user has stopped (Ctrl-S) stops no more than the
   * lines for it, which wait in memory.
   */
  doNotBlock(): void;
  /** Writes a line to stderr; never throws. */
  writeError(text: string): void;
  /** All of stdin as bytes. Throws `interrupted` (130), `terminated` (143) at a signal. */
  readInput(options?: ReadOptions): Promise<Uint8Array>;
}

export interface ReadOptions {
  /** Once there are more bytes than this, no more is read. */
  readonly atMost?: number;
  /** Read on after a signal: whoever reads has more to tell then than that it was stopped. */
  readonly despiteSignals?: boolean;
}
