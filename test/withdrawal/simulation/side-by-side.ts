/** Stretches of runs on every processor: no run knows of another. */
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { runStretch, type Stretch, type StretchEnd, sum } from './stretch.ts';

/** Runs that a thread takes at a time: a tenth of a second or so. */
const most = 50;

/** In memory only. The violation is that of the lowest seed, whichever thread is the quickest. */
export async function runSideBySide({ from, runs, severalScopes = false }: Stretch): Promise<StretchEnd> {
  const ends: StretchEnd[] = [];
  let next = from;
  const begin = (): Stretch | null => {
    if (next >= from + runs || ends.some(({ violation }) => violation !== null)) return null;
    const stretch = { from: next, runs: Math.min(most, from + runs - next), severalScopes };
    next += stretch.runs;
    return stretch;
  };
  const threads = Math.min(availableParallelism(), Math.ceil(runs / most));
  await Promise.all(Array.from({ length: threads }, () => work(begin, ends)));
  const found = ends.flatMap(({ violation }) => violation ?? []).sort((one, other) => one.seed - other.seed);
  return { counts: sum(ends.map(({ counts }) => counts)), violation: found[0] ?? null };
}

/** A thread of its own until there is nothing left to begin. */
function work(begin: () => Stretch | null, ends: StretchEnd[]): Promise<void> {
  const worker = new Worker(new URL(import.meta.url));
  const goOn = () => {
    const stretch = begin();
    if (stretch === null) void worker.terminate();
    else worker.postMessage(stretch);
  };
  return new Promise((resolve, reject) => {
    worker.on('message', (end: StretchEnd) => {
      ends.push(end);
      goOn();
    });
    worker.once('error', reject).once('exit', () => resolve());
    goOn();
  });
}

if (!isMainThread) {
  // Refusals are made by the thousand, and nobody reads where: a run that goes wrong is run again, with --trace.
  Error.stackTraceLimit = 0;
  parentPort?.on('message', async (stretch: Stretch) => parentPort?.postMessage(await runStretch(stretch)));
}
