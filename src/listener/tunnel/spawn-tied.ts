/** A program that does not outlive this one, however this one ends. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Writable } from 'node:stream';

const shell = '/bin/sh';

/**
 * The shell becomes the program, so its pid and signals are the program's. What it leaves in the background reads
 * from a pipe of ours: a line when the program has ended, so that nobody's pid is taken for it later; the end of
 * the pipe when we have, also by SIGKILL.
 */
const script = '( read -r line || kill $$ ) <&3 3<&- >/dev/null 2>&1 & exec "$@" 3<&-';

export interface Program {
  /** Looked up on PATH. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Its output is in `stdout` and `stderr`. On Windows, where there is no shell, Node ties it to a job that ends with us.
 * Elsewhere without a shell, a SIGKILL of ours leaves it running.
 */
export function spawnTied({ program, args, env }: Program): ChildProcess {
  const options: SpawnOptions = { env, stdio: ['ignore', 'pipe', 'pipe'] };
  // Without a shell in between, the program that is not there is the error that a caller knows.
  if (!canRun(shell) || !isOnPath(program, env.PATH)) return spawn(program, args, options);
  const child = spawn(shell, ['-c', script, 'sh', program, ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const tie = child.stdio[3] as Writable;
  tie.on('error', () => {});
  child.once('exit', () => tie.end('\n', () => tie.destroy()));
  return child;
}

const isOnPath = (program: string, path = ''): boolean =>
  path.split(delimiter).some((directory) => canRun(join(directory, program)));

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
