/** A file of the state directory that may not be there yet: whether the command that makes it could. */
import { accessSync, constants, existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/profile.ts';
import { type Finding, ok, warning } from './finding.ts';

export const stateRemedy =
  'Withdrawals and the inbox need a directory that persists: set PIXCTL_STATE_DIR, or PIXCTL_LEDGER_URL for a ledger elsewhere.';

/**
 * What there is to say of a file `name` that is not in the state directory; null where it is there, and can be opened
 * to look at. `maker`: the command that makes it. Never ok where the directory is refused, or nothing can be made.
 * Throws `configError` (78) where a directory above hides it.
 */
export function notMadeYet(
  config: Pick<Config, 'directories' | 'judge'>,
  name: string,
  { check, maker }: { readonly check: string; readonly maker: string },
): Finding | null {
  const { state } = config.directories;
  const problem = config.judge(state, 'directory');
  const path = join(state, name);
  if (isSeen(path)) return null;
  if (problem !== undefined && problem !== 'absent')
    return warning(
      check,
      `none was found, and ${state}, where the first ${maker} would create it, is not as it should be: ${problem.fault}`,
      problem.remedy,
    );
  const fault = whyNotMade(path);
  return fault === null
    ? ok(check, `none yet: the first ${maker} creates it`)
    : warning(check, `none was found, and the first ${maker} cannot create it (${fault})`, stateRemedy);
}

/** Why nothing can be made at `path`, with the nearest place above it that is there; null where it can be. */
export function whyNotMade(path: string): string | null {
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

/** False too where the directory is none, or may not be entered: then nobody has seen it. */
function isSeen(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
