/**
 * Copies the log into the database in a thread of its own, so that who answers is not held for the milliseconds
 * that it takes. What it cannot copy, because writing never pauses, the writer copies itself when the log is large.
 */
import { platform } from 'node:os';
import { Worker } from 'node:worker_threads';

export interface Checkpointer {
  /** To be told of each commit. */
  committed(): void;
  close(): Promise<void>;
}

/** A commit of one delivery is five pages or so: 5 MiB of log. */
const commitsBetween = 250;

/** As text, because a file of its own would have to be found again in the bundle and in the executable. */
const code = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(workerData.path, { timeout: 100 });
database.exec(workerData.pragmas);
parentPort.on('message', (close) => {
  if (close) {
    database.close();
    parentPort.close();
    return;
  }
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {}
  parentPort.postMessage('done');
});
`;

const pragmas = `PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0${
  platform() === 'darwin' ? '; PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1' : ''
}`;

export function createCheckpointer(path: string): Checkpointer {
  let commits = 0;
  let busy = false;
  let failed = false;
  let worker: Worker | null = null;

  function start(): Worker {
    // Node 22 calls its SQLite experimental, once a thread.
    const execArgv = ['--disable-warning=ExperimentalWarning'];
    const started = new Worker(code, { eval: true, execArgv, workerData: { path, pragmas } });
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

  return {
    committed() {
      commits += 1;
      if (commits < commitsBetween || busy || failed) return;
      commits = 0;
      busy = true;
      worker ??= start();
      worker.postMessage(false);
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
