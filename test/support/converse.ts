/** The program at a pseudo-terminal, with somebody who answers its questions. */
import { stripVTControlCharacters } from 'node:util';
import { type IPty, spawn } from '@lydell/node-pty';
import { cleanEnvironment, programPath } from './run.ts';

/** What is asked, as it comes onto the screen after the last answer, and what is typed or else done then. */
export type Answers = readonly (readonly [
  asked: string,
  typed: string | ((terminal: IPty) => void | Promise<void>),
])[];

/** Closes the window. The program is told by the kernel, and a little later by node-pty, as by a shell. */
export const hangUp = (terminal: IPty): void => (terminal as unknown as { destroy(): void }).destroy();

interface Ended {
  readonly code: number;
  /** Of the signal that it ended by; 0 without one. */
  readonly signal: number;
  readonly screen: string;
  /** With its control sequences. */
  readonly written: string;
}

/** Resolves with the exit code, and with all that was on the screen. `home` is the working directory too. */
export function converse(
  args: readonly string[],
  answers: Answers,
  {
    home,
    env = {},
    columns = 200,
    rows = 40,
    early = '',
  }: {
    readonly home: string;
    readonly env?: Record<string, string>;
    readonly columns?: number;
    readonly rows?: number;
    /** What is typed before the program has begun. */
    readonly early?: string;
  },
): Promise<Ended> {
  return new Promise((resolve) => {
    const terminal = spawn(process.execPath, [programPath(), ...args], {
      cols: columns,
      rows,
      cwd: home,
      env: { TERM: 'xterm', ...cleanEnvironment(home, env) },
    });
    terminal.write(early);
    let written = '';
    let answered = 0;
    const waiting = [...answers];
    terminal.onData((text) => {
      written += text;
      const [next] = waiting;
      // All since then: what comes may end in the middle of a control sequence.
      if (next === undefined || !stripVTControlCharacters(written.slice(answered)).includes(next[0])) return;
      waiting.shift();
      answered = written.length;
      const [, typed] = next;
      if (typeof typed === 'string') terminal.write(typed);
      else void typed(terminal);
    });
    terminal.onExit(({ exitCode, signal = 0 }) =>
      resolve({ code: exitCode, signal, screen: stripVTControlCharacters(written), written }),
    );
  });
}
