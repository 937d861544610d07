/** Directories of this program's own. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Mode 0700, with those above it. Not by Node's own `recursive`, which tries for ever where a directory is there and
 * yet none can be made in it (ENOENT): /proc, and the /home of an automounter that does not know the user.
 */
export function makeDirectory(path: string): void {
  const above = dirname(path);
  // A drive that is not there has nothing above it: making what was asked for says so.
  if (existsSync(path) || above === path) return;
  makeDirectory(above);
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
