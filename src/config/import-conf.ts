/**
 * Loads conf without what comes with it: a library of its writer hooks every signal and, on the first one,
 * ends the process under whoever is still stopping cleanly or waiting for the answer to a withdrawal.
 */
import nodeProcess from 'node:process';

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
 * Runs `make` under a umask of its own: one that takes reading from oneself would leave a file that not even conf can
 * use.
 */
export function whateverTheUmask<T>(make: () => T): T {
  const umask = nodeProcess.umask(0o077);
  try {
    return make();
  } finally {
    nodeProcess.umask(umask);
  }
}

/**
 * Runs `write` so that conf replaces the file in one step, flushed. Where `SNAP` is set (a Node that was installed as a
 * snap, the terminal of an editor that is one) it would write in place: a reader finds half of it, a power cut leaves
 * nothing of it.
 */
export function inOneStep<T>(write: () => T): T {
  const { env } = nodeProcess;
  const { SNAP } = env;
  delete env.SNAP;
  try {
    return write();
  } finally {
    if (SNAP !== undefined) env.SNAP = SNAP;
  }
}

/** Signals that somebody listens to and that would end the process otherwise. */
const endingSignals = (): NodeJS.Signals[] => nodeProcess.eventNames().filter(isEnding);

const isEnding = (name: string | symbol): name is NodeJS.Signals =>
  typeof name === 'string' && /^SIG(?!WINCH|CHLD|CONT)/.test(name);
