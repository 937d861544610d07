/**
 * A JSON object in a private file. It is read directly, so that a run which only reads loads nothing; and written by
 * conf (mode 0600) while the lock is held, to a draft that replaces the file once it proves complete. Both the bytes
 * and the name are flushed.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { yieldToEventLoop } from '../clock.ts';
import { isObject } from '../contract/json-object.ts';
import { configError, PixctlError } from '../errors.ts';
import { makeReadableHint, moveAwayHint } from '../flags/file-remedies.ts';
import { openFilesRemedy } from '../flags/open-files.ts';
import { existsSafely, type FileOwner, makePrivateDirectory } from './file-safety.ts';
import { importConf, withAtomicWrite, withOwnUmask } from './import-conf.ts';

export type JsonObject = Record<string, unknown>;

/** The object in the file; `{}` if there is no file. Throws `config` (78) if it is unsafe, unreadable, or not JSON. */
export function readJsonFile(path: string, owner: FileOwner): JsonObject {
  if (!existsSafely(dirname(path), 'directory', owner) || !existsSafely(path, 'file', owner)) return {};
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
      `Repair it, or put back a copy. Only if neither is possible, move it away (${moveAwayHint(path)}): ${lostWith(path)}`,
    );
  }
  return value;
}

/** Permissions are not to blame for a failing disk. */
function remedyOf(code: string | undefined, path: string): string {
  if (/^(EACCES|EPERM|EBUSY)$/.test(code ?? '')) return makeReadableHint(path);
  return openFilesRemedy(code) ?? 'Check the disk: it may be failing.';
}

/**
 * What whoever moves the file away has to set up again. Nothing else would say so: without a policy, every withdrawal
 * complies with it, and under another label the ledger does not know what was paid.
 */
const lostWith = (path: string): string =>
  basename(path) === 'secrets.json'
    ? 'run pixctl login again; the signing secrets of webhook endpoints, which the service shows only once, are then lost.'
    : 'run pixctl login again, with the same --profile and --merchant, and pixctl policy set; the limits of withdrawals, the saved destinations and the id of the ledger are then lost.';

function parse(text: string): unknown {
  try {
    // Some editors of Windows begin a file with a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** Replaces the object with what `change` makes of the one that is there now; nobody else writes meanwhile. */
export async function changeJsonFile(
  path: string,
  owner: FileOwner,
  change: (before: JsonObject) => JsonObject,
): Promise<JsonObject> {
  const Conf = await importConf();
  await yieldToEventLoop();
  const { replaceFileDurably, unwritable, withFileLock } = await import('./lock.ts');
  makePrivateDirectory(dirname(path), owner);
  return withFileLock(path, async () => {
    const after = change(readJsonFile(path, owner));
    const extension = `json.tmp-${Math.random().toString(36).slice(2)}`;
    const draft = join(dirname(path), `${basename(path, '.json')}.${extension}`);
    const text = JSON.stringify(after, undefined, '\t');
    try {
      forgetDrafts(path);
      withOwnUmask(() => {
        const file = new Conf<JsonObject>({
          cwd: dirname(path),
          configName: basename(path, '.json'),
          fileExtension: extension,
          configFileMode: 0o600,
          accessPropertiesByDotNotation: false,
          clearInvalidConfig: false,
          serialize: () => text,
        });
        withAtomicWrite(() => {
          file.store = after;
        });
      });
      // On a full disk, conf's writer takes the bytes that still fitted for all of them.
      if (readFileSync(draft, 'utf8') !== text) throw new Error('not all of it could be written');
      await replaceFileDurably(draft, path);
    } catch (cause) {
      try {
        rmSync(draft, { force: true });
      } catch {
        // The next write will remove it, or report it.
      }
      throw unwritable(path, cause);
    }
    return after;
  });
}

/**
 * Removes what a killed write left behind, because it may hold secrets. Only under the lock, when nobody else is
 * writing.
 */
function forgetDrafts(path: string): void {
  const drafts = readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.tmp-`));
  for (const name of drafts) rmSync(join(dirname(path), name), { force: true });
}
