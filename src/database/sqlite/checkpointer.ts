/**
 * Copies the log into the database in a thread of its own, so that who answers is not held for the milliseconds
 * that it takes; then what was written meanwhile, which is less and takes less time, and so on. Once little is left
 * it holds the writers off for it, so that the log begins again at its start: it stays short though writing never
 * pauses, and writing over a file is flushed sooner than making it longer. What it cannot copy even so, the writer
 * copies itself when the log is large.
 */
import { platform } from 'node:os';
import { Worker } from 'node:worker_threads';

export interface Checkpointer {
  /** To be told of each commit. */
  committed(): void;
  /** The disk had no room for one: the log itself may be what fills it, and is copied as soon as there is any. */
  full(): void;
  close(): Promise<void>;
}

/** A commit of one delivery is four pages or so: 8 MiB of log. Each copy slows the flushes beside it, so not often. */
const commitsBetween = 500;
/** Once the disk was full: a log that grows to its usual length might fill it again. */
const commitsBetweenWhenShort = 50;
/** Pages that writers may be held off for. Each time, what is copied is flushed too. */
const fewPages = 24;
/** How often it copies while writers go on; after that they wait for what is left, if there is no reader of it. */
const mostRounds = 8;
/** Pages that are too many to wait for: somebody reads them. */
const manyPages = 512;
/** How long it waits for a writer or a reader to end, and writers may have to wait with it. Milliseconds. */
const patience = 5;

/** As text, because a file of its own would have to be found again in the bundle and in the executable. */
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

export function createCheckpointer(path: string): Checkpointer {
  let commits = 0;
  let busy = false;
  let failed = false;
  let between = commitsBetween;
  let worker: Worker | null = null;

  function start(): Worker {
    // Node 22 calls its SQLite experimental, once a thread.
    const execArgv = ['--disable-warning=ExperimentalWarning'];
    const workerData = { path, pragmas, fewPages, mostRounds, manyPages };
    const started = new Worker(code, { eval: true, execArgv, workerData });
    started.unref();
    started.on('message', () => {
      busy = false;
    });
    // Without it the writer copies: slower, and nothing else.
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
