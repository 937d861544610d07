/** Runs the built program as a real child process, in a home of its own. */
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A fresh, empty home: no test sees another's (or the user's) configuration. */
export const emptyHome = (): string => mkdtempSync(join(tmpdir(), 'pixctl-home-'));

export const programPath = (): string => {
  const path = process.env.PIXCTL_TEST_BIN;
  if (path === undefined) throw new Error('PIXCTL_TEST_BIN is not set: run through vitest');
  return path;
};

/** Where the tests look for settings and state: on Windows, which has places of its own, they have to be named. */
export const placesIn = (home: string): Record<string, string> =>
  process.platform === 'win32'
    ? { PIXCTL_CONFIG_DIR: join(home, '.config/pixctl'), PIXCTL_STATE_DIR: join(home, '.local/state/pixctl') }
    : {};

/** Named once: a test may set another temporary directory for what it runs. */
const compiled = join(tmpdir(), 'pixctl-cache');

/**
 * The environment of a run: nothing of ours but PATH, so that no ambient PIXCTL_* leaks in. Compiled code is kept for
 * all runs of the tests together, as for all runs of a user: to compile and keep it in each home is a quarter of a run.
 */
export const cleanEnvironment = (
  home: string,
  extra: Record<string, string> = {},
): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_STATE_HOME: join(home, '.local/state'),
  XDG_CACHE_HOME: compiled,
  ...placesIn(home),
  PIXCTL_KEYCHAIN: 'off',
  TZ: 'America/Sao_Paulo',
  ...extra,
});

/**
 * For what a run says or does after one of its long pauses, where how long that lasts is not the question: tests with a
 * clock of their own ask it (test/withdrawal), and those of kills and faults wait as a user does.
 */
export const hurried: Readonly<Record<string, string>> = {
  NODE_OPTIONS: `--require ${JSON.stringify(fileURLToPath(new URL('hurried.cjs', import.meta.url)))}`,
};

/** The Node that runs the program; scripts/nodes.ts names others. */
export const node = process.env.PIXCTL_TEST_NODE ?? process.execPath;

export function start(
  args: readonly string[],
  options: { home?: string; env?: Record<string, string> } = {},
) {
  const home = options.home ?? emptyHome();
  return spawn(node, [programPath(), ...args], { env: cleanEnvironment(home, options.env) });
}

/** Runs to the end. `input` is written to stdin, which is then closed. */
export function run(
  args: readonly string[],
  options: { home?: string; env?: Record<string, string>; input?: string | Uint8Array } = {},
): Promise<Finished> {
  const child = start(args, options);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({
        code,
        signal,
        stdout: Buffer.concat(out).toString('utf8'),
        stderr: Buffer.concat(err).toString('utf8'),
      }),
    );
  });
}
