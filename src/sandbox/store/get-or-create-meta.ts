/** Small values that a sandbox makes at its first start and keeps for as long as it keeps its state. */
import type { Store } from './store.ts';

/** Returns the value made once for this state and stored in it: a secret, a name. */
export function getOrCreateMeta(store: Store, key: string, make: () => string): string {
  const known = store.readMeta(key);
  if (known !== null) return known;
  const made = make();
  store.writeMeta(key, made);
  return made;
}
