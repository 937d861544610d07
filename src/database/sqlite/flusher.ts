/**
 * Puts what a database has written on the disk: a WAL commit in `synchronous=NORMAL` is written but not flushed, and
 * one `fdatasync` of the log flushes every commit before it. Those who ask while one is under way share the next.
 *
 * It runs beside the main thread, unless the caller is alone and the disk is quick: two threads take as long to wake
 * each other as such a disk takes to flush.
 */
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { type Clock, systemClock } from '../../clock.ts';
import { PixctlError, storageError } from '../../errors.ts';
import { logOf } from './file.ts';

interface Flusher {
  /**
   * Resolves once what was written before the call is on the disk. `alone` is called when the flush begins, and tells
   * whether nobody else needs this thread meanwhile. Rejects with `storage` (74), code `NOT_FLUSHED`, and from then on
   * always.
   */
  flush(alone?: Alone): Promise<void>;
  /** Waits for the flushes already asked for. */
  close(): Promise<void>;
}

/** Two ways to flush a file. */
interface Disk {
  /** In another thread. */
  readonly sync: (file: number, done: Done) => void;
  /** In this thread, which it blocks. Throws. */
  readonly syncHere: (file: number) => void;
  readonly monotonic: Clock['monotonic'];
}

type Alone = () => boolean;
type Done = (cause: NodeJS.ErrnoException | null) => void;

const systemDisk: Disk = {
  sync: (file, done) => fdatasync(file, done),
  syncHere: fdatasyncSync,
  monotonic: systemClock.monotonic,
};

/** If its last flush took less than this, a disk is quick, and this thread may wait for the next one. Milliseconds. */
const quickMs = 2;

/** One flush, shared by all who wait for it. Until it has begun, others may still join. */
interface Round extends PromiseWithResolvers<void> {
  begun: boolean;
}

/** Creates the flusher of the database at `path`, which is open and has its log beside it. Throws `storage` (74). */
export function createFlusher(path: string, disk: Disk = systemDisk): Flusher {
  const file = openLog(path);
  /** After a failed flush, the kernel may forget what it could not write, so nothing later can be trusted. */
  let failure: unknown = null;
  let running: Round | null = null;
  let following: Round | null = null;
  let quick = false;
  let open = true;

  function start(round: Round, alone?: Alone): void {
    running = round;
    const from = disk.monotonic();
    const done = (cause: NodeJS.ErrnoException | null) => {
      quick = disk.monotonic() - from < quickMs;
      if (cause !== null) failure = notFlushed(path, cause);
      end(round);
    };
    if (alone !== undefined && quick) {
      syncIfAlone(round, alone, done);
    } else {
      round.begun = true;
      disk.sync(file, done);
    }
  }

  /**
   * Waits one turn of the event loop, so that whatever follows the write, such as a forward, is under way. If somebody
   * else has come by then, flushes in another thread after all.
   */
  function syncIfAlone(round: Round, alone: Alone, done: Done): void {
    setImmediate(() => {
      round.begun = true;
      if (!alone()) return disk.sync(file, done);
      try {
        disk.syncHere(file);
      } catch (cause) {
        return done(cause as NodeJS.ErrnoException);
      }
      done(null);
    });
  }

  /** Starts the next round before it settles this one, so that there is never more than one. */
  function end(round: Round): void {
    const next = following;
    running = null;
    following = null;
    if (failure === null) {
      if (next !== null) start(next);
      round.resolve();
    } else {
      round.reject(failure);
      next?.reject(failure);
    }
  }

  return {
    flush(alone) {
      if (failure !== null) return Promise.reject(failure);
      if (running === null) {
        const round = newRound();
        start(round, alone);
        return round.promise;
      }
      if (!running.begun) return running.promise;
      following ??= newRound();
      return following.promise;
    },
    async close() {
      await (following ?? running)?.promise.catch(() => {});
      if (open) closeSync(file);
      open = false;
    },
  };
}

const newRound = (): Round => ({ ...Promise.withResolvers<void>(), begun: false });

/** If SQLite itself only reads, this is the first to ask for write access. */
function openLog(path: string): number {
  try {
    return openSync(logOf(path), 'r+');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw storageError(`the database ${path} cannot be written: ${code}`, {
      cause,
      hint: 'Make the file and its directory writable, or set PIXCTL_STATE_DIR.',
    });
  }
}

/**
 * Flushes the database at `path` once, while the caller goes on; the flush has begun when this returns. Never rejects:
 * the next commit that waits for the disk reports a failure too, because it has the same file open.
 */
export async function flushBehind(path: string): Promise<void> {
  try {
    const flusher = createFlusher(path);
    await flusher.flush().finally(() => flusher.close());
  } catch {
    // See above.
  }
}

const notFlushed = (path: string, cause: NodeJS.ErrnoException) =>
  new PixctlError(
    'storage',
    'NOT_FLUSHED',
    `the database ${path} could not be written to the disk: ${cause.code ?? cause.message}`,
    { cause, hint: 'Check the disk, then start pixctl again.' },
  );
