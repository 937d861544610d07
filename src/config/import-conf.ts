/**
 * Loads conf without its side effects: a library of its writer hooks every signal and, on the first one, ends the
 * process, even while somebody is still stopping cleanly or waiting for the answer to a withdrawal.
 */
import nodeProcess from 'node:process';

/** Loads the class, and takes away the signal listeners that came with it. */
export async function importConf(): Promise<typeof import('conf').default> {
  const before = new Set(endingSignals().flatMap((name) => nodeProcess.listeners(name)));
  const { default: Conf } = await import('conf');
  for (const name of endingSignals()) {
    for (const listener of nodeProcess.listeners(name)) {
      if (!before.has(listener)) nodeProcess.removeListener(name, listener);
    }
  }
  return Conf;
}

/**
 * Runs `make` under our own umask: one that denies reading even to its user would leave a file that not even conf can
 * use.
 */
export function withOwnUmask<T>(make: () => T): T {
  const umask = nodeProcess.umask(0o077);
  try {
    return make();
  } finally {
    nodeProcess.umask(umask);
  }
}

/**
 * Runs `write` so that conf replaces the file in one step, flushed. If `SNAP` is set (a Node installed as a snap, or
 * the terminal of an editor that is one), conf would write in place: a reader would find half a file, and a power cut
 * would leave none.
 */
export function withAtomicWrite<T>(write: () => T): T {
  const { env } = nodeProcess;
  const { SNAP } = env;
  delete env.SNAP;
  try {
    return write();
  } finally {
    if (SNAP !== undefined) env.SNAP = SNAP;
  }
}

/** Signals that have a listener and would otherwise end the process. */
const endingSignals = (): NodeJS.Signals[] => nodeProcess.eventNames().filter(isEnding);

const isEnding = (name: string | symbol): name is NodeJS.Signals =>
  typeof name === 'string' && /^SIG(?!WINCH|CHLD|CONT)/.test(name);
