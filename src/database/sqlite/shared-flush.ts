/** For commits that are many and small: each is written, and one flush makes everything before it durable. */
import type { DatabaseSync } from 'node:sqlite';
import type { Driver } from '../driver.ts';
import { createCheckpointer } from './checkpointer.ts';
import { isFull } from './errors.ts';
import { createFlusher } from './flusher.ts';

/** 64 MiB: reached only by what the checkpointer's thread could not copy meanwhile. */
const pagesBetweenCheckpoints = 16_384;

/**
 * Returns `single`, the driver of `database` at `location`, with commits that are written at once and flushed by
 * whoever waits for them. `patiently` runs what may find the database busy.
 */
export async function withSharedFlush(
  single: Driver,
  database: DatabaseSync,
  location: string,
  patiently: <T>(work: () => T) => Promise<T>,
): Promise<Driver> {
  // The first read makes the log, if there is none yet.
  await patiently(() => database.prepare('PRAGMA schema_version').get());
  database.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${pagesBetweenCheckpoints}`);
  const flusher = createFlusher(location);
  const checkpointer = createCheckpointer(location);
  const { transactionSync: _, ...shared } = single;
  const write: Driver['write'] = async (work) => {
    const value = await single.transaction(work).catch((cause: unknown) => {
      if (isFull(cause)) checkpointer.full();
      throw cause;
    });
    checkpointer.committed();
    let flushed: Promise<void> | null = null;
    return { value, durable: (alone) => (flushed ??= flusher.flush(alone)) };
  };
  return {
    ...shared,
    write,
    async transaction(work) {
      const { value, durable } = await write(work);
      await durable();
      return value;
    },
    async close() {
      await flusher.close();
      await checkpointer.close();
      await single.close();
    },
  };
}
