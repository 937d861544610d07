/**
 * What made a call fail that nobody meant to: where the state holds a record that no sandbox has written, it is that
 * record, and not a bug. A start does not read all records (`odd-records.ts`); the call that meets one is told here.
 */
import { PixctlError } from '../../errors.ts';
import { oddRecord } from './odd-records.ts';
import type { Store } from './store.ts';
import { isUnusable, OddState } from './unusable.ts';

/** Stores in which nothing odd was found: what fails there again is not looked into again. */
const sound = new WeakSet<Store>();

/** An `OddState` that names the record, or the error itself. Reads all of a state that lies in a file, once. */
export function blame(store: Store, error: unknown): unknown {
  if (store.file === null || sound.has(store) || isKnown(error)) return error;
  const where = oddRecord(store);
  if (where !== null) return new OddState(where, { cause: error });
  sound.add(store);
  return error;
}

/** Where there is nothing left to find out. A store that is closed says so in an error of the family. */
const isKnown = (error: unknown): boolean =>
  error instanceof PixctlError || error instanceof OddState || isUnusable(error);
