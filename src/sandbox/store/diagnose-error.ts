/**
 * Finds out what made a call fail unexpectedly. If the state holds a record that no sandbox has written, that record is
 * to blame, and not a bug. A start does not read all records (`corrupt-records.ts`), so the call that meets one is told
 * here.
 */
import { PixctlError } from '../../errors.ts';
import { findCorruptRecord } from './corrupt-records.ts';
import type { Store } from './store.ts';
import { CorruptStateError, isStorageFailure } from './store-failures.ts';

/** Stores in which nothing odd was found. Later failures there are not investigated again. */
const intactStores = new WeakSet<Store>();

/**
 * Returns a `CorruptStateError` that names the record, or the error itself. Reads all of a state that lies in a file,
 * once.
 */
export function diagnoseError(store: Store, error: unknown): unknown {
  if (store.file === null || intactStores.has(store) || isKnown(error)) return error;
  const where = findCorruptRecord(store);
  if (where !== null) return new CorruptStateError(where, { cause: error });
  intactStores.add(store);
  return error;
}

/** Whether there is nothing left to find out. A closed store says so with a `PixctlError`. */
const isKnown = (error: unknown): boolean =>
  error instanceof PixctlError || error instanceof CorruptStateError || isStorageFailure(error);
