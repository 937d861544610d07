/** The client of the service, bound to what flags, environment and settings say. */
import type { Api } from '../api/client.ts';
import type { Remedies } from '../api/remedies.ts';
import { sandboxProfile } from '../config/profile.ts';
import { configError, hideSecrets } from '../errors.ts';
import { parseBound, timeoutOf } from '../flags/duration.ts';
import type { Runtime } from '../runtime.ts';
import { makeVisible } from '../terminal/escape.ts';
import { remediesOf } from './remedies.ts';

/** The bound on one exchange where neither flag nor setting says otherwise, milliseconds. */
const defaultTimeoutMs = 30_000;

/** Of the profile in use. */
export async function openApi(runtime: Runtime, version: string): Promise<Api> {
  const config = await runtime.config();
  const profile = config.profile();
  const remedies = remediesOf(profile, config.ifReadable, runtime.environment);
  return clientFor(runtime, version, profile.baseUrl, () => config.apiKey(), remedies);
}

/** Of an address and a key that no profile need hold. */
export async function clientFor(
  runtime: Runtime,
  version: string,
  baseUrl: string,
  apiKey: () => Promise<string | null>,
  remedies?: Remedies,
): Promise<Api> {
  const { io, clock, environment, globals, signal, flight } = runtime;
  const { createClient } = await import('../api/create-client.ts');
  return createClient({
    baseUrl,
    apiKey,
    clock,
    timeoutMs: await boundOf(runtime),
    environment,
    signal,
    userAgent: `pixctl/${version}`,
    sandboxOrigins: await sandboxOriginsOf(runtime),
    readsOnly: globals.dryRun === true,
    preparing: () => runtime.holdCode(),
    leaving: () => {
      flight.left = true;
    },
    ...(remedies === undefined ? {} : { remedies }),
    ...(globals.debug === true
      ? { trace: (line: string) => io.writeError(makeVisible(hideSecrets(line))) }
      : {}),
  });
}

/** Where a sandbox was started last. */
export async function sandboxOriginsOf({ config }: Pick<Runtime, 'config'>): Promise<string[]> {
  const profiles = await config().then((it) => it.ifReadable.list());
  return profiles.filter(({ name }) => name === sandboxProfile).map(({ baseUrl }) => new URL(baseUrl).origin);
}

/** Flag, setting, default. */
async function boundOf({ globals, config }: Runtime): Promise<number> {
  const given = timeoutOf(globals);
  if (given !== undefined) return given;
  const set = (await config()).ifReadable.get('timeout');
  return set === undefined || set === null ? defaultTimeoutMs : keptBound(set);
}

/** Throws `config` (78): the call is right, and the default in its place could be longer than what was asked for. */
function keptBound(set: unknown): number {
  try {
    if (typeof set === 'string') return parseBound(set, 'The setting timeout');
  } catch {
    // Told below.
  }
  throw configError(
    'BAD_TIMEOUT',
    `The setting timeout is ${JSON.stringify(set)}, which is not a duration longer than 0. Nothing was sent.`,
    'Set another: pixctl config set timeout 30s',
  );
}
