/** The clock of a state, taken up where its last run left it. */
import { latestTime, parsed } from '../store/odd-records.ts';
import type { Store } from '../store/store.ts';
import { OddState } from '../store/unusable.ts';
import { type SandboxClock, type SavedClock, sandboxClock } from './clock.ts';

/** Name under which the store keeps it. */
export const clockKey = 'clock';

/**
 * Takes up the clock. Throws `OddState` for a stored clock that makes no sense.
 * @param machine milliseconds since the epoch, as the machine sees them
 */
export function keptClock(store: Store, machine: () => number): SandboxClock {
  const text = store.readMeta(clockKey);
  const saved = text === null ? null : readClock(text);
  if (text !== null && saved === null) throw new OddState('its clock');
  return sandboxClock(machine, saved, (next) => store.writeMeta(clockKey, JSON.stringify(next)));
}

/** Parses a saved clock. Null for what no clock has saved. */
export function readClock(text: string): SavedClock | null {
  const { offsetMs, frozenAt, latest } = (parsed(text) ?? {}) as Partial<Record<keyof SavedClock, unknown>>;
  const isOffset = typeof offsetMs === 'number' && Math.abs(offsetMs) <= latestTime;
  if (!isOffset || !isTime(latest)) return null;
  return frozenAt === null || isTime(frozenAt) ? { offsetMs, frozenAt, latest } : null;
}

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= latestTime;
