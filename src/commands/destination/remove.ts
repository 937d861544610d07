/** `pixctl destination remove <name>`. */
import { usageError } from '../../errors.ts';
import { nearest } from '../../flags/nearest.ts';
import { confirmChange } from '../../runtime/confirm.ts';
import { noteChangeForAllProfiles } from '../../runtime/every-profile.ts';
import type { Runtime } from '../../runtime.ts';
import { readDestinations, removeDestination } from '../../withdrawal/policy/destinations.ts';
import { destinationView } from './view.ts';

export async function remove(runtime: Runtime, name: string): Promise<void> {
  const output = await runtime.output(destinationView);
  const config = await runtime.config();
  await noteChangeForAllProfiles(runtime, 'Destinations are saved');
  const saved = readDestinations(config);
  const destination = saved.get(name);
  if (destination === undefined) {
    const meant = nearest(name, [...saved.keys()]);
    throw usageError(
      `There is no destination ${JSON.stringify(name)}. Nothing was changed.`,
      meant === undefined ? 'pixctl destination list shows them.' : `Did you mean "${meant}"?`,
    );
  }
  await confirmChange(runtime, `Remove the destination "${name}"?`);
  await removeDestination(config, name);
  await output.done(destinationView, destination, `Removed the destination "${name}".`);
}
