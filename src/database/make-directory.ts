/** Makes directories of this program's own. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory and those above it, with mode 0700. Not with Node's own `recursive`, which tries for ever where a
 * directory exists but nothing can be created in it (ENOENT): /proc, and the /home of an automounter that does not know
 * the user.
 */
export function makeDirectory(path: string): void {
  const above = dirname(path);
  // A missing drive has nothing above it: the attempt to make what was asked for will say so.
  if (existsSync(path) || above === path) return;
  makeDirectory(above);
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
