/**
 * A JSON object in a private file: read plainly, so that a run which only reads loads nothing; written by
 * conf (mode 0600) while the lock is held, beside the file whose place it takes once it is seen to be whole. Both the
 * bytes and the name are flushed.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { letServe } from '../clock.ts';
import { isObject } from '../contract/json-object.ts';
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
      hint: remedyOf(code, path),
      cause: error,
    });
  }
  const value = parse(text);
  if (!isObject(value)) {
    throw configError(
      'DAMAGED',
      `${path} does not hold a JSON object; it was not changed. Nothing was sent.`,
      `Repair it, or put back a copy. Only if neither is possible, move it away (${moveAway(path)}): ${lostWith(path)}`,
    );
  }
  return value;
}

/** Permissions are not what is wrong with a disk that fails. */
function remedyOf(code: string | undefined, path: string): string {
  if (code === 'EMFILE' || code === 'ENFILE') return 'Allow it to open more files (ulimit -n).';
  return /^(EACCES|EPERM|EBUSY)$/.test(code ?? '')
    ? makeReadable(path)
    : 'Check the disk: it may be failing.';
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
  const { takeName, unwritable, whileLocked } = await import('./lock.ts');
  privateDirectory(dirname(path), owner);
  return whileLocked(path, async () => {
    const after = change(readJsonFile(path, owner));
    const extension = `json.tmp-${Math.random().toString(36).slice(2)}`;
    const draft = join(dirname(path), `${basename(path, '.json')}.${extension}`);
    const text = JSON.stringify(after, undefined, '\t');
    try {
      forgetDrafts(path);
      whateverTheUmask(() => {
        const file = new Conf<JsonObject>({
          cwd: dirname(path),
          configName: basename(path, '.json'),
          fileExtension: extension,
          configFileMode: 0o600,
          accessPropertiesByDotNotation: false,
          clearInvalidConfig: false,
          serialize: () => text,
        });
        inOneStep(() => {
          file.store = after;
        });
      });
      // The writer of conf takes the bytes that a full disk still had room for as all of them.
      if (readFileSync(draft, 'utf8') !== text) throw new Error('not all of it could be written');
      await takeName(draft, path);
    } catch (cause) {
      try {
        rmSync(draft, { force: true });
      } catch {
        // The next write removes it, or tells of it.
      }
      throw unwritable(path, cause);
    }
    return after;
  });
}

/** Removes what a kill left of a write: secrets may be in it. Only under the lock, when nobody else writes one. */
function forgetDrafts(path: string): void {
  const drafts = readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.tmp-`));
  for (const name of drafts) rmSync(join(dirname(path), name), { force: true });
}
