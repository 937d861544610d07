/** Checks a file of the state directory that may not exist yet: could the command that creates it do so? */
import { accessSync, constants, existsSync, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../config/profile.ts';
import { type Finding, ok, warning } from './finding.ts';

/** What to do if the state directory cannot be written. */
export const stateRemedy =
  'Withdrawals and the inbox need a directory that persists: set PIXCTL_STATE_DIR, or PIXCTL_LEDGER_URL for a ledger elsewhere.';

/**
 * Returns what to say about a file `path` of the state directory that is not there; null if it is and can be opened for
 * a look. `maker`: the command that creates it. Never ok if the directory is refused, or nothing can be created. Throws
 * `configError` (78) if a directory above hides it.
 */
export function notCreatedFinding(
  config: Pick<Config, 'directories' | 'findFileProblem'>,
  path: string,
  { check, maker }: { readonly check: string; readonly maker: string },
): Finding | null {
  const { state } = config.directories;
  const problem = config.findFileProblem(state, 'directory');
  if (isSeen(path)) return null;
  if (problem !== undefined && problem !== 'absent')
    return warning(
      check,
      `none was found, and ${state}, where the first ${maker} would create it, is not as it should be: ${problem.fault}`,
      problem.remedy,
    );
  const fault = explainNotCreatable(path);
  return fault === null
    ? ok(check, `none yet: the first ${maker} creates it`)
    : warning(check, `none was found, and the first ${maker} cannot create it (${fault})`, stateRemedy);
}

/** Says why nothing can be created at `path`, naming the nearest existing place above it; null if it can. */
export function explainNotCreatable(path: string): string | null {
  let place = dirname(path);
  while (!existsSync(place) && place !== dirname(place)) place = dirname(place);
  const fault = whyNotWritable(place);
  return fault === null ? null : `${place}: ${fault}`;
}

function whyNotWritable(place: string): string | null {
  if (!statSync(place).isDirectory()) return 'not a directory';
  try {
    accessSync(place, constants.W_OK);
    return null;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EROFS' ? 'read-only' : 'not writable';
  }
}

/**
 * Whether the file exists. Also false if the directory is not one or may not be entered, because then nobody has seen
 * it.
 */
function isSeen(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Whether `location` is a file that this user may not write to. A server reports that only on the first write. */
export function isUnwritable(location: string): boolean {
  try {
    accessSync(location, constants.W_OK);
    return false;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EROFS' || code === 'EPERM';
  }
}
