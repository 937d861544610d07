/** Starts a program that does not outlive this one, however this one ends. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Writable } from 'node:stream';

const shell = '/bin/sh';

/**
 * The shell becomes the program, so that its pid and signals are the program's. What the shell leaves in the background
 * reads from a pipe of ours. It gets a line when the program has ended, so that no reused pid is killed later; it gets
 * the end of the pipe when we have ended, even by SIGKILL.
 */
const script = '( read -r line || kill $$ ) <&3 3<&- >/dev/null 2>&1 & exec "$@" 3<&-';

export interface Program {
  /** Looked up on PATH. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts the program; its output is in `stdout` and `stderr`. On Windows, which has no such shell, Node ties it to a
 * job that ends with us. Elsewhere, without a shell, a SIGKILL of ours leaves it running.
 */
export function spawnTied({ program, args, env }: Program): ChildProcess {
  const options: SpawnOptions = { env, stdio: ['ignore', 'pipe', 'pipe'] };
  // With no shell in between, a missing program is the error that callers know.
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
