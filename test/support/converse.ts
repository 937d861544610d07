/** The program at a pseudo-terminal, with somebody who answers its questions. */
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { cleanEnvironment, programPath } from './run.ts';

/** What is asked, as it stands on the screen, and what is typed then. */
export type Answers = readonly (readonly [asked: string, typed: string])[];

/** Resolves with the exit code, and with all that was on the screen. `home` is the working directory too. */
export function converse(
  args: readonly string[],
  answers: Answers,
  { home, env = {} }: { readonly home: string; readonly env?: Record<string, string> },
): Promise<{ code: number; screen: string }> {
  return new Promise((resolve) => {
    const terminal = spawn(process.execPath, [programPath(), ...args], {
      cols: 200,
      rows: 40,
      cwd: home,
      env: { ...cleanEnvironment(home, env), TERM: 'xterm' },
    });
    let screen = '';
    const waiting = [...answers];
    terminal.onData((text) => {
      screen += stripVTControlCharacters(text);
      const [next] = waiting;
      if (next !== undefined && screen.includes(next[0])) {
        waiting.shift();
        terminal.write(next[1]);
      }
    });
    terminal.onExit(({ exitCode }) => resolve({ code: exitCode, screen }));
  });
}
