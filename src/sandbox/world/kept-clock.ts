/** The clock of a state: taken up where its last run left it. */
import type { Store } from '../store/store.ts';
import { type SandboxClock, type SavedClock, sandboxClock } from './clock.ts';

/** Name under which the store keeps it. */
export const clockKey = 'clock';

/** @param machine milliseconds since the epoch, as the machine sees them */
export function keptClock(store: Store, machine: () => number): SandboxClock {
  const saved = store.readMeta(clockKey);
  return sandboxClock(machine, saved === null ? null : (JSON.parse(saved) as SavedClock), (next) =>
    store.writeMeta(clockKey, JSON.stringify(next)),
  );
}
