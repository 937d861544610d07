/**
 * Copies the log into the database in a thread of its own, so that whoever answers is not held up for the milliseconds
 * that it takes; then copies what was written meanwhile, which is less and takes less time, and so on. Once little is
 * left, it holds the writers off to copy it, so that the log restarts from its beginning: the log stays short even if
 * writing never pauses, and overwriting a file is flushed sooner than extending it. What it still cannot copy, the
 * writer copies itself once the log is large.
 */
import { platform } from 'node:os';
import { Worker } from 'node:worker_threads';

interface Checkpointer {
  /** Call it after each commit. */
  committed(): void;
  /**
   * Call it when the disk had no room for a commit. The log itself may be what fills the disk, so it is copied as soon
   * as there is room.
   */
  full(): void;
  close(): Promise<void>;
}

/**
 * The commit of one delivery is about four pages, so this is 8 MiB of log. Each copy slows the flushes beside it: not
 * too often.
 */
const commitsBetween = 500;
/** Used once the disk has been full: a log that grew to its usual length might fill it again. */
const commitsBetweenWhenShort = 50;
/** The most pages for which writers may be held off. What is copied is flushed too, each time. */
const fewPages = 24;
/** How often it copies while writers go on; after that, they wait for what is left, unless somebody is reading it. */
const mostRounds = 8;
/** So many pages left that somebody must be reading them: too many to wait for. */
const manyPages = 512;
/** How long it waits for a writer or a reader to end, during which writers may have to wait too. Milliseconds. */
const patience = 5;

/** Text, because a separate file would have to be found again in the bundle and in the executable. */
const code = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(workerData.path, { timeout: 100 });
database.exec(workerData.pragmas);
const passive = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
parentPort.on('message', (close) => {
  if (close) {
    database.close();
    parentPort.close();
    return;
  }
  try {
    const { fewPages, mostRounds, manyPages } = workerData;
    let { log, checkpointed } = passive.get();
    for (let round = 1, came = Infinity; round < mostRounds && came > fewPages; round++) {
      const before = log;
      ({ log, checkpointed } = passive.get());
      came = log - before;
    }
    if (log - checkpointed <= manyPages) database.exec('PRAGMA wal_checkpoint(RESTART)');
  } catch {}
  parentPort.postMessage('done');
});
`;

const pragmas = `PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = ${patience}${
  platform() === 'darwin' ? '; PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1' : ''
}`;

/** Copies for the database at `path`. Starts its thread at the first copy. */
export function createCheckpointer(path: string): Checkpointer {
  let commits = 0;
  let busy = false;
  let failed = false;
  let between = commitsBetween;
  let worker: Worker | null = null;

  function start(): Worker {
    // Node 22 warns once per thread that its SQLite is experimental.
    const execArgv = ['--disable-warning=ExperimentalWarning'];
    const workerData = { path, pragmas, fewPages, mostRounds, manyPages };
    const started = new Worker(code, { eval: true, execArgv, workerData });
    started.unref();
    started.on('message', () => {
      busy = false;
    });
    // Without the thread, the writer copies: slower, but with no other effect.
    started.on('error', () => {
      failed = true;
    });
    return started;
  }

  function copy(): boolean {
    if (busy || failed) return false;
    busy = true;
    worker ??= start();
    worker.postMessage(false);
    return true;
  }

  return {
    committed() {
      commits += 1;
      if (commits >= between && copy()) commits = 0;
    },
    full() {
      between = commitsBetweenWhenShort;
      commits = between;
      copy();
    },
    async close() {
      if (worker === null || failed) return;
      const ended = new Promise((resolve) => worker?.once('exit', resolve));
      worker.ref();
      worker.postMessage(true);
      await ended;
      failed = true;
    },
  };
}
