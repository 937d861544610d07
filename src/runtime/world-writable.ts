/** Warns of a directory that is open to all: whoever may write to it may take the ledger, or its log, out of it. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../config/profile.ts';
import { isPostgres } from '../database/address.ts';
import { shellQuoted } from '../flags/file-remedies.ts';
import type { Runtime } from '../runtime.ts';

/**
 * Warns if every user of this machine may write to the directory of a ledger that is ours. That is no reason to refuse:
 * container volumes are like that, and have one user. Says nothing of a directory that is not ours, because whoever
 * runs this could do nothing about it; `doctor` reports it. `location`: of the ledger that was opened.
 */
export async function warnIfWorldWritable(runtime: Runtime, location: string): Promise<void> {
  if (isPostgres(runtime.environment.PIXCTL_LEDGER_URL ?? '')) return;
  const words = wordsOf(await runtime.config(), dirname(location));
  if (words !== null) (await runtime.output()).warn(words);
}

function wordsOf(config: Config, directory: string): string | null {
  const problem = config.findFileProblem(directory, 'directory');
  if (problem === undefined || problem === 'absent' || problem.isMode !== true) return null;
  const { mode } = statSync(directory);
  if ((mode & everybodyWrites) === 0 || (mode & sticky) !== 0) return null;
  return `Any user of this machine can write to ${directory}, and remove the ledger, which knows what was sent: chmod o-w ${shellQuoted(directory)}`;
}

const everybodyWrites = 0o002;
/** Nobody can remove what belongs to somebody else. */
const sticky = 0o1000;
