/**
 * Times whole commands as users feel them, from spawn to exit, in turns with what they are compared to, so that a
 * machine whose speed drifts slows both sides of a pair alike. Only ratios are worth quoting.
 */
import { spawn } from 'node:child_process';
import { spawn as spawnOnTerminal } from '@lydell/node-pty';

export interface Subject {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: Record<string, string | undefined>;
  /** The exit code of a good run. Default 0. */
  readonly exit?: number;
  /** On a pseudo-terminal of 120 columns, rather than with its streams closed. */
  readonly terminal?: boolean;
}

export interface Measurement {
  readonly name: string;
  /** Median wall time of one run, for orientation only. Milliseconds. */
  readonly milliseconds: number;
  /** Median over the pairs of (this subject / the base in the same round). */
  readonly ratio: number;
}

/** Runs the base and every subject `rounds` times in turn, after two rounds that are not counted. */
export async function compare(
  base: Subject,
  subjects: readonly Subject[],
  rounds = 30,
): Promise<Measurement[]> {
  const all = [base, ...subjects];
  const times = all.map((): number[] => []);
  for (let round = -2; round < rounds; round++) {
    for (const [at, subject] of all.entries()) {
      const elapsed = await measureOnce(subject);
      if (round >= 0) times[at]?.push(elapsed);
    }
  }
  const baseTimes = times[0] ?? [];
  return all.map((subject, at) => {
    const own = times[at] ?? [];
    const ratios = own.map((elapsed, round) => elapsed / (baseTimes[round] ?? Number.NaN));
    return { name: subject.name, milliseconds: median(own), ratio: median(ratios) };
  });
}

/** Returns the wall time of one run in milliseconds. A run that does not end as it should is an error, not a figure. */
async function measureOnce(subject: Subject): Promise<number> {
  const started = process.hrtime.bigint();
  const ended = await (subject.terminal === true ? waitForExitOnTerminal(subject) : waitForExit(subject));
  const elapsed = Number(process.hrtime.bigint() - started) / 1e6;
  if (ended === (subject.exit ?? 0)) return elapsed;
  throw new Error(`${subject.name} ended with ${ended}`);
}

function waitForExit({ command: [program, ...args], env }: Subject): Promise<number | string | null> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? signal));
  });
}

function waitForExitOnTerminal({ command: [program, ...args], env }: Subject): Promise<number | string> {
  const terminal = spawnOnTerminal(program, args, {
    env: { ...process.env, ...env, TERM: 'xterm' },
    cols: 120,
    rows: 50,
  });
  // Read, as a person's terminal would.
  terminal.onData(() => {});
  return new Promise((resolve) =>
    terminal.onExit(({ exitCode, signal }) => resolve(signal ? `signal ${signal}` : exitCode)),
  );
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}
