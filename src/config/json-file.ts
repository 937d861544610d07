/**
 * A JSON object in a private file: read plainly, so that a run which only reads loads nothing; written by
 * conf (atomically, mode 0600, flushed with its name) while the lock is held.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { letServe } from '../clock.ts';
import { isObject } from '../contract/json-object.ts';
import { syncFolderOf } from '../database/sync-folder.ts';
import { configError, PixctlError } from '../errors.ts';
import { makeReadable, moveAway } from '../flags/file-remedies.ts';
import { type FileOwner, guard, privateDirectory } from './guard.ts';
import { importConf, inOneStep, whateverTheUmask } from './import-conf.ts';

export type JsonObject = Record<string, unknown>;

/** The object in the file, `{}` where there is none. Throws `config` (78): unsafe, unreadable, not JSON. */
export function readJsonFile(path: string, owner: FileOwner): JsonObject {
  if (!guard(dirname(path), 'directory', owner) || !guard(path, 'file', owner)) return {};
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new PixctlError('config', 'UNREADABLE', `${path} cannot be read (${code}). Nothing was sent.`, {
      hint:
        code === 'EMFILE' || code === 'ENFILE' ? 'Let it open more files (ulimit -n).' : makeReadable(path),
      cause: error,
    });
  }
  const value = parse(text);
  if (!isObject(value)) {
    throw configError(
      'DAMAGED',
      `${path} does not hold a JSON object; it was not changed. Nothing was sent.`,
      `Repair it, or put back a copy. Only if neither can be done, move it away (${moveAway(path)}): ${lostWith(path)}`,
    );
  }
  return value as JsonObject;
}

/**
 * What whoever moves the file away has to give again. Nothing else would say so: without a policy every withdrawal is
 * within it, and under another label the ledger does not know what was paid.
 */
const lostWith = (path: string): string =>
  basename(path) === 'secrets.json'
    ? 'run pixctl login again; the signing secrets of webhook endpoints, which the service shows only once, are then lost.'
    : 'run pixctl login again, with the same --profile and --merchant, and pixctl policy set; the limits of withdrawals, the saved destinations and the id of the ledger are then lost.';

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
  owner: FileOwner,
  change: (before: JsonObject) => JsonObject,
): Promise<JsonObject> {
  const Conf = await importConf();
  await letServe();
  const { unwritable, whileLocked } = await import('./lock.ts');
  privateDirectory(dirname(path), owner);
  return whileLocked(path, async () => {
    const after = change(readJsonFile(path, owner));
    forgetDrafts(path);
    try {
      whateverTheUmask(() => {
        const file = new Conf<JsonObject>({
          cwd: dirname(path),
          configName: basename(path, '.json'),
          configFileMode: 0o600,
          accessPropertiesByDotNotation: false,
          clearInvalidConfig: false,
        });
        inOneStep(() => {
          file.store = after;
        });
      });
    } catch (cause) {
      throw unwritable(path, cause);
    }
    await syncFolderOf(path);
    return after;
  });
}

/** Removes what a kill left of a write: secrets may be in it. Only under the lock, when nobody else writes one. */
function forgetDrafts(path: string): void {
  const drafts = readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.tmp-`));
  for (const name of drafts) rmSync(join(dirname(path), name), { force: true });
}
