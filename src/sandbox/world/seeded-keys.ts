/** Notes that a state has API keys that were drawn from a seed: a seed is a word, and whoever guesses it has them. */
import type { Store } from '../store/store.ts';

/** Under this, a state has the note. */
const name = 'keys-from-seed';

export const noteSeededKey = (store: Store): void => store.writeMeta(name, '1');

/** Whether the state has such keys, or the snapshot that is attached to it. */
export const hasSeededKey = (store: Pick<Store, 'get'>, database: 'main' | 'snapshot' = 'main'): boolean =>
  store.get(`SELECT 1 FROM ${database}.meta WHERE key = ?`, name) !== undefined;
