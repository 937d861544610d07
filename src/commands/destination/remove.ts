/** `pixctl destination remove <name>`. */
import { usageError } from '../../errors.ts';
import { nearest } from '../../flags/nearest.ts';
import { agreed } from '../../runtime/agreed.ts';
import { changesForAll } from '../../runtime/every-profile.ts';
import type { Runtime } from '../../runtime.ts';
import { dropDestination, readDestinations } from '../../withdrawal/policy/destinations.ts';
import { destinationView } from './view.ts';

export async function remove(runtime: Runtime, name: string): Promise<void> {
  const [config, output] = await Promise.all([runtime.config(), runtime.output()]);
  output.check(destinationView);
  await changesForAll(runtime, 'Destinations are saved');
  const saved = readDestinations(config);
  const destination = saved.get(name);
  if (destination === undefined) {
    const meant = nearest(name, [...saved.keys()]);
    throw usageError(
      `There is no destination ${JSON.stringify(name)}. Nothing was changed.`,
      meant === undefined ? 'pixctl destination list shows them.' : `Did you mean "${meant}"?`,
    );
  }
  await agreed(runtime, `Remove the destination "${name}"?`);
  await dropDestination(config, name);
  await output.done(destinationView, destination, `Removed the destination "${name}".`);
}
