/**
 * Finds out what made a call fail unexpectedly. If the state holds a record that no sandbox has written, that record is
 * to blame, and not a bug. A start does not read all records (`odd-records.ts`), so the call that meets one is told
 * here.
 */
import { PixctlError } from '../../errors.ts';
import { oddRecord } from './odd-records.ts';
import type { Store } from './store.ts';
import { isUnusable, OddState } from './unusable.ts';

/** Stores in which nothing odd was found. Later failures there are not investigated again. */
const sound = new WeakSet<Store>();

/** Returns an `OddState` that names the record, or the error itself. Reads all of a state that lies in a file, once. */
export function blame(store: Store, error: unknown): unknown {
  if (store.file === null || sound.has(store) || isKnown(error)) return error;
  const where = oddRecord(store);
  if (where !== null) return new OddState(where, { cause: error });
  sound.add(store);
  return error;
}

/** Whether there is nothing left to find out. A closed store says so with a `PixctlError`. */
const isKnown = (error: unknown): boolean =>
  error instanceof PixctlError || error instanceof OddState || isUnusable(error);
