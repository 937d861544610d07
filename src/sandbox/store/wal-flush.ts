/**
 * Flushes the log of a state to disk while it is being written, off the main thread. Nobody waits for that. But before
 * SQLite copies the log into the state, it flushes what is not on the disk yet, and no request is answered meanwhile:
 * what was flushed earlier then costs no wait.
 */
import { close, fdatasync, open } from 'node:fs';

/** At most some megabytes of log. */
const commitsBetween = 64;

type Sync = (file: number, done: () => void) => void;

/** Flushes the log at `path`. Call the result after each commit. */
export function createWalFlusher(path: string, sync: Sync = fdatasync): () => void {
  let commits = 0;
  let busy = false;
  const done = () => {
    busy = false;
  };
  return () => {
    commits += 1;
    if (busy || commits < commitsBetween) return;
    commits = 0;
    busy = true;
    // What fails here fails for SQLite too, which reports it.
    // Opened each time, so that whoever closes the state need not know of it.
    open(path, 'r+', (error, file) => {
      if (error === null) sync(file, () => close(file, done));
      else done();
    });
  };
}
