/**
 * The terminal as an argument: the only room that touches `process.stdin`, `stdout`, `stderr` and asks whether they are
 * terminals. Tests pass their own.
 */
import type { Readable, Writable } from 'node:stream';

export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Columns and rows of the terminal that stdout (or else stderr) writes to; 80 x 24 if unknown. */
  size(): { columns: number; rows: number };
  /** Whether colour may be written to the stream: terminal, NO_COLOR, FORCE_COLOR, TERM=dumb, --no-color. */
  colour(stream: 'stdout' | 'stderr'): boolean;
  /** Writes to stdout, waiting while the reader is slow. A closed pipe ends quietly: later writes do nothing. */
  write(text: string | Uint8Array): Promise<void>;
  /** True once the reader of stdout has gone away. */
  readonly stdoutClosed: boolean;
  /** Bytes written to stdout and still waiting for its reader. */
  readonly stdoutBacklog: number;
  /**
   * For commands that serve others: from now on, a terminal that its user has stopped (Ctrl-S) holds up only the lines
   * for it, which wait in memory.
   */
  doNotBlock(): void;
  /**
   * Calls `leave` before Ctrl-Z suspends the process, and `resume` once it goes on: with true only if it is known that
   * the terminal is its own again (`fg`), which after `bg` is the shell's. Returns what ends that: until then, a
   * suspension has to wait for the event loop.
   */
  onSuspend(leave: () => void, resume: (inForeground: boolean) => void): () => void;
  /** Writes a line to stderr; never throws. */
  writeError(text: string): void;
  /** Resolves once stderr has taken what was written to it, or has failed; with whether it took everything. */
  errorsTaken(): Promise<boolean>;
  /** All of stdin as bytes. Throws `interrupted` (130) or `terminated` (143) at a signal, 65 if there is more. */
  readInput(options: ReadOptions): Promise<Uint8Array>;
}

export interface ReadOptions {
  /** Whatever has more bytes than this is refused (`flags/input.ts`). */
  readonly atMost: number;
  /** Goes on reading after a signal: the reader has more to report then than that it was stopped. */
  readonly despiteSignals?: boolean;
}
