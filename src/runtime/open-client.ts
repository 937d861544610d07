/** Opens the client of the service as flags, environment and settings say. */
import type { Api } from '../api/client.ts';
import type { ClientOptions } from '../api/create-client.ts';
import { sandboxProfile } from '../config/profile.ts';
import { configError } from '../errors.ts';
import { parsePositiveDuration, timeoutOf } from '../flags/duration.ts';
import type { Runtime } from '../runtime.ts';
import { remediesOf } from './remedies.ts';
import { traceOf } from './trace.ts';

/** The limit on one exchange if neither flag nor setting gives one, in milliseconds. */
const defaultTimeoutMs = 30_000;

/** Opens the client of the profile in use. */
export async function openApi(runtime: Runtime, version: string): Promise<Api> {
  const config = await runtime.config();
  const profile = config.profile();
  const remedies = remediesOf(profile, config.ifReadable, runtime.environment);
  return openClientFor(runtime, version, {
    baseUrl: profile.baseUrl,
    apiKey: () => config.apiKey(),
    remedies,
  });
}

/** Opens a client for an address and a key that need not be in any profile. */
export async function openClientFor(
  runtime: Runtime,
  version: string,
  target: Pick<ClientOptions, 'baseUrl' | 'apiKey' | 'remedies'>,
): Promise<Api> {
  const { clock, environment, globals, signal, flight } = runtime;
  const { createClient } = await import('../api/create-client.ts');
  return createClient({
    ...target,
    clock,
    ...(await timeoutsOf(runtime)),
    environment,
    signal,
    userAgent: `pixctl/${version}`,
    sandboxOrigins: await sandboxOriginsOf(runtime),
    readsOnly: globals.dryRun === true,
    beforeSend: () => runtime.preloadCode(),
    onFirstByte: () => {
      flight.hasSent = true;
    },
    trace: traceOf(runtime),
  });
}

/** Where a sandbox was last started. */
export async function sandboxOriginsOf({ config }: Pick<Runtime, 'config'>): Promise<string[]> {
  const profiles = await config().then((it) => it.ifReadable.list());
  return profiles.filter(({ name }) => name === sandboxProfile).map(({ baseUrl }) => new URL(baseUrl).origin);
}

/** The limits: from the flag, else the setting, else the default. In a wait, the flag is the limit of the whole. */
async function timeoutsOf({
  globals,
  config,
}: Runtime): Promise<Pick<ClientOptions, 'timeoutMs' | 'lookTimeoutMs'>> {
  const given = timeoutOf(globals);
  const set = async () => parseTimeoutSetting((await config()).ifReadable.get('timeout')) ?? defaultTimeoutMs;
  if (given === undefined) return { timeoutMs: await set() };
  // The flag is given in the place of a setting that cannot be used.
  const lookTimeoutMs = await set().catch(() => defaultTimeoutMs);
  return { timeoutMs: given, lookTimeoutMs: Math.min(given, lookTimeoutMs) };
}

/**
 * Reads the setting. What `config set` would refuse was written into the file by hand, so it is an error of the
 * settings (78): there is nothing to mend on the command line.
 */
export function parseTimeoutSetting(set: unknown): number | undefined {
  if (set === undefined) return undefined;
  try {
    return parsePositiveDuration(typeof set === 'string' ? set : JSON.stringify(set), 'The setting timeout');
  } catch (cause) {
    throw configError(
      'TIMEOUT',
      (cause as Error).message,
      'Set another: pixctl config set timeout 30s. Or use the default: pixctl config unset timeout.',
      { cause },
    );
  }
}
