/** Starts the tunnel program without our secrets in its environment, and reads its public address. */
import type { ChildProcess } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '../../clock.ts';
import { configError, PixctlError } from '../../errors.ts';
import { commandLine } from '../../flags/command-line.ts';
import type { Environment } from '../../flags/environment.ts';
import type { TunnelPlan } from './plan.ts';
import { readLines } from './read-lines.ts';
import { spawnTied } from './spawn-tied.ts';

export interface RunningTunnel {
  /** Public origin, without a path. */
  readonly address: string;
  /** Resolves with its last words when the program ends, by itself or through `stop`. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface TunnelOptions {
  readonly plan: TunnelPlan;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called when it shows another address than its first and goes on: a new session of the same program. */
  readonly onMoved?: (address: string) => void;
}

/** How long it may take to show its address. */
const patienceMs = 45_000;

const harmlessVariable = new RegExp(
  `^(${[
    'PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\\w+|TZ|TMPDIR|TEMP|TMP|XDG_\\w+|HTTPS?_PROXY|NO_PROXY|https?_proxy|no_proxy',
    // Windows: without the second line, its ssh exits with 255 and no message, whatever it is asked.
    'SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|USERPROFILE|USERNAME|APPDATA|LOCALAPPDATA',
    'PROGRAMDATA|ALLUSERSPROFILE|PROGRAMFILES',
  ].join('|')})$`,
);

/** Returns the variables that a tunnel program is given. */
export const tunnelEnvironment = (
  environment: TunnelOptions['environment'],
  passes: RegExp,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && (harmlessVariable.test(entry[0]) || passes.test(entry[0])),
    ),
  );

/**
 * Starts the tunnel. Rejects with `configError` (78) when there is no such program, and with 75 when no address comes.
 */
export async function startTunnel(options: TunnelOptions): Promise<RunningTunnel> {
  const { plan, clock, signal } = options;
  const { program, args } = plan;
  const env = tunnelEnvironment(options.environment, plan.allowedVariables);
  const child = spawnTied({ program, args, env });
  const words: string[] = [];
  const ended = waitForEnd(child, words, clock);
  const stop = async () => {
    child.kill('SIGTERM');
    const patience = new AbortController();
    await Promise.race([ended, clock.sleep(2_000, patience.signal)]);
    patience.abort();
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  };
  const waiting = new AbortController();
  try {
    const address = await Promise.race([
      waitForAddress(child, options, words),
      ended.then((last) => Promise.reject(startError(plan, last))),
      clock.sleep(patienceMs, AbortSignal.any([signal, waiting.signal])).then(() => {
        throw startError(plan, `it gave no public address within ${patienceMs / 1000} s`);
      }),
    ]);
    return { address, ended, stop };
  } catch (cause) {
    await stop();
    throw cause;
  } finally {
    waiting.abort();
  }
}

/**
 * Waits for the address, and reads on after it has come: a full pipe would stop the program, and the address may
 * change.
 */
function waitForAddress(
  child: ChildProcess,
  { plan, onMoved }: TunnelOptions,
  words: string[],
): Promise<string> {
  let latest: string | null = null;
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      readLines(stream, (coloured) => {
        const line = stripVTControlCharacters(coloured);
        words.push(line.slice(0, 300));
        if (words.length > 5) words.shift();
        const address = plan.readAddress(line);
        if (address === null || address === latest) return;
        if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
          return reject(startError(plan, `it gave ${address}, where no deliveries can be sent`));
        }
        if (latest !== null) onMoved?.(address);
        latest = address;
        resolve(address);
      });
    }
    child.once('error', (cause) => reject(spawnError(plan, cause)));
    if (plan.address !== null) child.once('spawn', () => resolve(plan.address as string));
  });
}

/** How long to wait for the last words of a program that has ended. Milliseconds. */
const lastWordsMs = 500;

/** Resolves when the program has ended: what it leaves in the background may hold the output open for ever. */
function waitForEnd(
  child: ChildProcess,
  words: readonly string[],
  clock: TunnelOptions['clock'],
): Promise<string> {
  return new Promise((resolve) => {
    const closed = new AbortController();
    child.once('error', (cause: NodeJS.ErrnoException) => {
      resolve(cause.message);
    });
    child.once('exit', async () => {
      await clock.sleep(lastWordsMs, closed.signal);
      child.stdout?.destroy();
      child.stderr?.destroy();
    });
    child.once('close', (code, signal) => {
      closed.abort();
      resolve(words.length > 0 ? words.join(' / ') : `it ended with ${signal ?? code}`);
    });
  });
}

/** Why the system did not start a program, by error code: trying again would not help. */
const startFailureReasons: Readonly<Record<string, string>> = {
  ENOENT: 'is not on PATH',
  EACCES: 'cannot be run (it is not executable, or a directory in PATH is not accessible)',
};

function spawnError(plan: TunnelPlan, { code = '', message }: NodeJS.ErrnoException): PixctlError {
  const why = startFailureReasons[code];
  if (why === undefined) return startError(plan, message);
  return configError(
    'NO_TUNNEL_PROGRAM',
    `The program ${plan.program} ${why}, so no tunnel was started.`,
    `${plan.install} Or give the address of your own tunnel as --public-url.`,
  );
}

function startError(plan: TunnelPlan, last: string): PixctlError {
  return new PixctlError('later', 'TUNNEL', `The ${plan.program} tunnel did not start: ${last}`, {
    hint: `Run ${commandLine([plan.program, ...(plan.interactiveArgs ?? plan.args)])} by hand to see more, and to answer what it may ask.`,
  });
}
