/**
 * Puts what is written of a database on the disk without holding the main thread: a WAL commit in
 * `synchronous=NORMAL` is written but not flushed, and one `fdatasync` of the log flushes every commit before
 * it. Those who ask while one is under way share the next.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { PixctlError, storageError } from '../../errors.ts';

export interface Flusher {
  /**
   * What was written before the call is on the disk when it resolves. Rejects with `storage` (74), code
   * `NOT_FLUSHED`, and from then on always.
   */
  flush(): Promise<void>;
  /** Lets what was asked for end. */
  close(): Promise<void>;
}

type Sync = (file: number, done: (cause: NodeJS.ErrnoException | null) => void) => void;

/** For the database at `path`, which is open and has its log beside it. Throws `storage` (74). */
export function createFlusher(path: string, sync: Sync = fdatasync): Flusher {
  const file = openLog(path);
  let failure: unknown = null;
  let running: Promise<void> | null = null;
  let following: Promise<void> | null = null;
  let open = true;

  function start(): Promise<void> {
    running = new Promise<void>((resolve, reject) => {
      // After a failed flush the kernel may forget what it could not write: nothing later can be trusted.
      if (failure !== null) return reject(failure);
      sync(file, (cause) => {
        if (cause === null) return resolve();
        failure = notFlushed(path, cause);
        reject(failure);
      });
    }).finally(() => {
      running = null;
    });
    return running;
  }

  return {
    flush() {
      if (running === null) return start();
      following ??= running
        .catch(() => {})
        .then(() => {
          following = null;
          return start();
        });
      return following;
    },
    async close() {
      await (following ?? running)?.catch(() => {});
      if (open) closeSync(file);
      open = false;
    },
  };
}

/** Where SQLite itself only reads, this is the first to ask for more. */
function openLog(path: string): number {
  try {
    return openSync(`${path}-wal`, 'r+');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw storageError(`the database ${path} cannot be written: ${code}`, {
      cause,
      hint: 'Make the file and its directory writable, or set PIXCTL_STATE_DIR.',
    });
  }
}

const notFlushed = (path: string, cause: NodeJS.ErrnoException) =>
  new PixctlError(
    'storage',
    'NOT_FLUSHED',
    `the database ${path} could not be put on the disk: ${cause.code ?? cause.message}`,
    { cause, hint: 'Look at the disk, then start pixctl again.' },
  );
