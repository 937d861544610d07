/** Caches what was read from the store until anything there changes; then all of it is forgotten. */
import type { Store } from './store.ts';

interface StoreCache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
}

/**
 * Makes a cache for each store.
 * @param capacity how many entries are kept; beyond that, the oldest go first
 */
export function createCachePerStore<K, V>(capacity: number): (store: Store) => StoreCache<K, V> {
  const memories = new WeakMap<Store, StoreCache<K, V>>();
  return (store) => {
    const known = memories.get(store);
    if (known !== undefined) return known;
    const empty = createStoreCache<K, V>(store, capacity);
    memories.set(store, empty);
    return empty;
  };
}

function createStoreCache<K, V>(store: Store, capacity: number): StoreCache<K, V> {
  const known = new Map<K, V>();
  let version = store.version;
  const forget = () => {
    if (version === store.version) return;
    version = store.version;
    known.clear();
  };
  return {
    get(key) {
      forget();
      return known.get(key);
    },
    set(key, value) {
      forget();
      known.set(key, value);
      if (known.size <= capacity) return;
      for (const first of known.keys()) {
        known.delete(first);
        return;
      }
    },
  };
}
