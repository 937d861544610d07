/**
 * Puts the log of a state on the disk while it is written, beside the main thread. Nobody waits for that. But when
 * SQLite copies the log into the state it first flushes what of it is not on the disk yet, and no request is answered
 * meanwhile: what was flushed before need not be waited for then.
 */
import { close, fdatasync, open } from 'node:fs';

/** Some megabytes of log at the most. */
const commitsBetween = 64;

type Sync = (file: number, done: () => void) => void;

/** For the log at `path`. To be called after each commit. */
export function flushBehind(path: string, sync: Sync = fdatasync): () => void {
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
    // What fails here fails for SQLite too, which tells of it.
    // Opened each time, so that whoever closes the state need not know of it.
    open(path, 'r+', (error, file) => {
      if (error === null) sync(file, () => close(file, done));
      else done();
    });
  };
}
