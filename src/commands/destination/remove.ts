/** `pixctl destination remove <name>`. */
import { usageError } from '../../errors.ts';
import { nearest } from '../../flags/nearest.ts';
import type { Runtime } from '../../runtime.ts';
import { dropDestination, readDestinations } from '../../withdrawal/destinations.ts';
import { agreed } from './agreed.ts';

export async function remove(runtime: Runtime, name: string): Promise<void> {
  const config = await runtime.config();
  const saved = readDestinations(config);
  if (!saved.has(name)) {
    const meant = nearest(name, [...saved.keys()]);
    throw usageError(
      `There is no destination ${JSON.stringify(name)}.`,
      meant === undefined ? 'pixctl destination list shows them.' : `Did you mean "${meant}"?`,
    );
  }
  await agreed(runtime, `Forget the destination "${name}"?`);
  await dropDestination(config, name);
  (await runtime.output()).note(`Destination "${name}" is forgotten.`);
}
