/** `pixctl destination list`. */
import { checkNamedProfile } from '../../runtime/every-profile.ts';
import type { Runtime } from '../../runtime.ts';
import { readDestinations } from '../../withdrawal/policy/destinations.ts';
import { destinationView } from './view.ts';

export async function list(runtime: Runtime): Promise<void> {
  await checkNamedProfile(runtime);
  const destinations = readDestinations(await runtime.config());
  await (await runtime.output()).each(destinationView, destinations.values());
}
