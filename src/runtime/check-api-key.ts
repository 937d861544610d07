/** For a command that asks a person something: checks first that what it will need in any case is there. */
import { keyFor, parseTarget } from '../api/target.ts';
import type { Runtime } from '../runtime.ts';
import { sandboxOriginsOf } from './open-client.ts';

/** Throws as a request would before sending anything: no API key that may go to this address (77, 78). */
export async function checkApiKey(runtime: Runtime): Promise<void> {
  const [config, { remedies }] = await Promise.all([runtime.config(), runtime.api()]);
  const target = parseTarget(config.profile().baseUrl);
  keyFor(target, await config.apiKey(), await sandboxOriginsOf(runtime), remedies);
}
