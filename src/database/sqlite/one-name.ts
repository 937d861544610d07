/**
 * Makes sure that a database is reached by one name only. SQLite keeps its log under the name by which it opened the
 * file: under another name, it sees neither the last commits nor the locks, and its own log overwrites the other.
 */
import { readFileSync, type Stats } from 'node:fs';
import { configError } from '../../errors.ts';

/** `real`: the path with symbolic links resolved, which SQLite follows by itself. Throws `configError` (78). */
export function assertSingleName(real: string, { nlink }: Pick<Stats, 'nlink'>, mounts = mountTable): void {
  if (nlink > 1)
    throw configError(
      'DATABASE_LINKED',
      `the database ${real} has ${nlink} names (hard links); under another one, the latest commits would not be seen`,
      'Keep the name that has a -wal beside it, if one has, and remove the others (find -samefile shows them) while no pixctl runs. A backup must be a copy, not a link.',
    );
  if (isMounted(real, mounts()))
    throw configError(
      'DATABASE_MOUNTED',
      `the database ${real} is mounted as a single file; its log beside it would be lost with the container, and be unseen by others`,
      'Mount the directory that it is in instead, with its -wal if there is one.',
    );
}

const isMounted = (path: string, mounts: string): boolean =>
  mounts.split('\n').some((line) => line.split(' ')[1] === escaped(path));

/** Escapes what would end a field or a line, as the table does. */
const escaped = (path: string): string =>
  path.replace(/[ \t\n\\]/g, (found) => `\\${found.charCodeAt(0).toString(8).padStart(3, '0')}`);

/** The table of mounts; empty where the system has none. */
export function mountTable(): string {
  try {
    return readFileSync('/proc/self/mounts', 'utf8');
  } catch {
    return '';
  }
}
