/** The clock of a state, taken up where its last run left it. */
import { latestTime, tryParseJson } from '../store/corrupt-records.ts';
import type { Store } from '../store/store.ts';
import { CorruptStateError } from '../store/store-failures.ts';
import { createSandboxClock, type SandboxClock, type SavedClock } from './clock.ts';

/** Name under which the store keeps it. */
export const clockKey = 'clock';

/**
 * Takes up the clock. Throws `CorruptStateError` for a stored clock that makes no sense.
 * @param machine milliseconds since the epoch, as the machine sees them
 */
export function openStoredClock(store: Store, machine: () => number): SandboxClock {
  const text = store.readMeta(clockKey);
  const saved = text === null ? null : parseSavedClock(text);
  if (text !== null && saved === null) throw new CorruptStateError('its clock');
  return createSandboxClock(machine, saved, (next) => store.writeMeta(clockKey, JSON.stringify(next)));
}

/** Parses a saved clock. Null for what no clock has saved. */
export function parseSavedClock(text: string): SavedClock | null {
  const { offsetMs, frozenAt, latest } = (tryParseJson(text) ?? {}) as Partial<
    Record<keyof SavedClock, unknown>
  >;
  const isOffset = typeof offsetMs === 'number' && Math.abs(offsetMs) <= latestTime;
  if (!isOffset || !isTime(latest)) return null;
  return frozenAt === null || isTime(frozenAt) ? { offsetMs, frozenAt, latest } : null;
}

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= latestTime;
