/**
 * Flushes the log of a state to disk while it is being written, off the main thread. Nobody waits for that, but it
 * keeps small what a power cut may take. And before SQLite copies the log into the state, it flushes what is not on the
 * disk yet, and no request is answered meanwhile: what was flushed earlier then costs no wait.
 */
import { close, fdatasync, open } from 'node:fs';
import { timers } from '../../clock.ts';

/** At most some megabytes of log. */
const commitsBetween = 64;
/** How long a commit waits for others to be flushed with, in milliseconds. */
const waitsMs = 100;

type Sync = (file: number, done: () => void) => void;

/** A process that has nothing else to do does not wait for it: closing the state flushes it. */
const soon = (work: () => void): void => {
  timers.setTimeout(work, waitsMs).unref();
};

/** Flushes the log at `path`. Call the result after each commit. `later` calls its argument a moment later. */
export function createWalFlusher(path: string, sync: Sync = fdatasync, later = soon): () => void {
  let unflushed = 0;
  let busy = false;
  let planned = false;

  const flush = () => {
    if (busy || unflushed === 0) return;
    unflushed = 0;
    busy = true;
    // What fails here fails for SQLite too, which reports it.
    // Opened each time, so that whoever closes the state need not know of it.
    open(path, 'r+', (error, file) => {
      if (error === null) sync(file, () => close(file, done));
      else done();
    });
  };
  const done = () => {
    busy = false;
    if (unflushed > 0) plan();
  };
  const plan = () => {
    if (planned) return;
    planned = true;
    later(() => {
      planned = false;
      flush();
    });
  };
  return () => {
    unflushed += 1;
    if (busy) return;
    if (unflushed >= commitsBetween) flush();
    else plan();
  };
}
