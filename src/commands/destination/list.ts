/** `pixctl destination list`. */
import type { Runtime } from '../../runtime.ts';
import { readDestinations } from '../../withdrawal/policy/destinations.ts';
import { destinationView } from './view.ts';

export async function list(runtime: Runtime): Promise<void> {
  const destinations = readDestinations(await runtime.config());
  await (await runtime.output()).each(destinationView, destinations.values());
}
