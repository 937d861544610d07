/**
 * A JSON object in a private file: read plainly, so that a run which only reads loads nothing; written
 * atomically, mode 0600, while the lock is held.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { configError, PixctlError } from '../errors.ts';
import { guard, type Owner, privateDirectory } from './guard.ts';

export type JsonObject = Record<string, unknown>;

/** The object in the file, `{}` where there is none. Throws `config` (78): unsafe, unreadable, not JSON. */
export function readJsonFile(path: string, owner: Owner): JsonObject {
  if (!guard(dirname(path), 'directory', owner) || !guard(path, 'file', owner)) return {};
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new PixctlError('config', 'UNREADABLE', `${path} cannot be read (${code}). Nothing was sent.`, {
      hint: `chmod 600 '${path}'`,
      cause: error,
    });
  }
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw configError(
      'DAMAGED',
      `${path} does not hold a JSON object; it is left as it is. Nothing was sent.`,
      `Mend it, or move it away (mv '${path}' '${path}.old') and run pixctl login again.`,
    );
  }
  return value as JsonObject;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Replaces the object by what `change` makes of the one that is there now; nobody else writes meanwhile. */
export async function changeJsonFile(
  path: string,
  owner: Owner,
  change: (before: JsonObject) => JsonObject,
): Promise<JsonObject> {
  const { whileLocked } = await import('./lock.ts');
  privateDirectory(dirname(path), owner);
  return whileLocked(path, () => {
    const after = change(readJsonFile(path, owner));
    replaceFile(path, JSON.stringify(after, undefined, '\t'));
    return after;
  });
}

/** Written beside it, flushed, and renamed over it: at any moment there is the old file or the new one, whole. */
function replaceFile(path: string, text: string): void {
  const beside = `${path}.new`;
  try {
    // Left by a crash: whoever writes holds the lock.
    rmSync(beside, { force: true });
    const file = openSync(beside, 'wx', 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw unwritable(path, error);
  }
}

const unwritable = (path: string, cause: unknown) =>
  new PixctlError('config', 'UNWRITABLE', `${path} cannot be written: ${(cause as Error).message}.`, {
    hint: 'Check that the directory is yours and has space; PIXCTL_CONFIG_DIR names another.',
    cause,
  });
