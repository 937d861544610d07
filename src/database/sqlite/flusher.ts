/**
 * Puts what is written of a database on the disk: a WAL commit in `synchronous=NORMAL` is written but not flushed,
 * and one `fdatasync` of the log flushes every commit before it. Those who ask while one is under way share the next.
 *
 * It is done beside the main thread, unless whoever asks is alone and the disk is quick: two threads take as long to
 * wake each other as such a disk to flush, and one time in a hundred much longer.
 */
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { type Clock, systemClock } from '../../clock.ts';
import { PixctlError, storageError } from '../../errors.ts';

export interface Flusher {
  /**
   * What was written before the call is on the disk when it resolves. `alone`: nobody else is expected to have
   * anything for this thread meanwhile. Rejects with `storage` (74), code `NOT_FLUSHED`, and from then on always.
   */
  flush(alone?: boolean): Promise<void>;
  /** Lets what was asked for end. */
  close(): Promise<void>;
}

/** Each flushes a file. */
export interface Disk {
  /** In another thread. */
  readonly sync: (file: number, done: Done) => void;
  /** In this one, which waits for it. Throws. */
  readonly syncHere: (file: number) => void;
  readonly monotonic: Clock['monotonic'];
}

type Done = (cause: NodeJS.ErrnoException | null) => void;

const systemDisk: Disk = { sync: fdatasync, syncHere: fdatasyncSync, monotonic: systemClock.monotonic };

/** A disk is quick while its last flush took less than this, and this thread may wait for the next. Milliseconds. */
const quickMs = 2;

/** For the database at `path`, which is open and has its log beside it. Throws `storage` (74). */
export function createFlusher(path: string, disk: Disk = systemDisk): Flusher {
  const file = openLog(path);
  let failure: unknown = null;
  let running: Promise<void> | null = null;
  let following: Promise<void> | null = null;
  /** Whether the one that is running has begun: until then, it serves whoever asks as well. */
  let begun = true;
  let quick = false;
  let open = true;

  function start(alone: boolean): Promise<void> {
    const mine = new Promise<void>((resolve, reject) => {
      // After a failed flush the kernel may forget what it could not write: nothing later can be trusted.
      if (failure !== null) return reject(failure);
      const sync = alone && quick ? syncHere : disk.sync;
      begun = sync === disk.sync;
      const from = disk.monotonic();
      sync(file, (cause) => {
        quick = disk.monotonic() - from < quickMs;
        if (cause !== null) failure ??= notFlushed(path, cause);
        if (failure === null) resolve();
        else reject(failure);
      });
    }).finally(() => {
      if (running === mine) running = null;
    });
    running = mine;
    return mine;
  }

  /** A turn of the event loop later: what else becomes of what is written, its forward, is under way then. */
  function syncHere(_: number, done: Done): void {
    setImmediate(() => {
      begun = true;
      try {
        disk.syncHere(file);
      } catch (cause) {
        return done(cause as NodeJS.ErrnoException);
      }
      done(null);
    });
  }

  return {
    flush(alone = false) {
      if (running === null) return start(alone);
      if (!begun) return running;
      following ??= running
        .catch(() => {})
        .then(() => {
          following = null;
          return start(false);
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
