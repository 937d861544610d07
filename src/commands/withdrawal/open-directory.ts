/** A directory that is open to all: whoever may write to it may take the ledger, or its log, out of it. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../config/profile.ts';
import { shellQuoted } from '../../flags/file-remedies.ts';

/**
 * What to say of the directory of a ledger that is ours, and that every user of this machine may write to; null of any
 * other. It is no reason to refuse: volumes of containers are like that, and have one user. Of those that are not ours
 * nothing is said, because whoever runs this could do nothing about it; `doctor` tells.
 */
export function wordsOfOpenDirectory(config: Pick<Config, 'judge'>, file: string): string | null {
  const directory = dirname(file);
  const problem = config.judge(directory, 'directory');
  if (problem === undefined || problem === 'absent' || problem.isMode !== true) return null;
  const { mode } = statSync(directory);
  if ((mode & everybodyWrites) === 0 || (mode & sticky) !== 0) return null;
  return `Every user of this machine may write to ${directory}, and take away the ledger, which knows what was paid: chmod o-w ${shellQuoted(directory)}`;
}

const everybodyWrites = 0o002;
/** Nobody takes away what belongs to somebody else. */
const sticky = 0o1000;
