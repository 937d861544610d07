/** A file in the folder of another. */
import nodePath, { type PlatformPath } from 'node:path';

/**
 * The path of `name` in the folder of `path`. `join(dirname(path), name)` would lead to the root of a drive if `path`
 * begins in the working directory of that drive (`C:march.csv`).
 */
export function siblingPath(path: string, name: string, paths: PlatformPath = nodePath): string {
  const { root, dir } = paths.parse(path);
  return paths.normalize(paths.format({ root, dir, base: name }));
}
