/**
 * One writer at a time: settings are read, changed and written as a whole, so two `login`s at once would lose one. The
 * lock is a file created exclusively beside what it guards, and names the process that holds it: if that process is
 * gone, the lock is taken over at once. What it guards takes milliseconds, or as long as the keychain may take, so a
 * lock older than ten seconds was left by a crash, or by a process that is suspended.
 */
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { platform } from 'node:os';
import { type Clock, systemClock } from '../clock.ts';
import { retryWhileInUse } from '../database/retry-while-in-use.ts';
import { syncFolderOf } from '../database/sync-folder.ts';
import { PixctlError } from '../errors.ts';
import { removeHint } from '../flags/file-remedies.ts';
import { createLightSystem, createOwners } from '../owner/create-owners.ts';
import type { Owner, Owners } from '../owner/owner.ts';
import { withOwnUmask } from './import-conf.ts';

const staleMs = 10_000;
const patienceMs = 15_000;

/** What the system does; a test passes its own. */
export interface Files {
  readonly system: NodeJS.Platform;
  readonly open: (path: string, flags: 'wx', mode: number) => number;
  readonly remove: (path: string, options: { force: true }) => void;
}

const systemFiles: Files = { system: platform(), open: openSync, remove: rmSync };

/**
 * Runs `change` while holding `<path>.lock`. Throws `config` (78): `LOCKED` if it cannot be had within 15 s,
 * `UNWRITABLE` if it cannot be created.
 */
export async function withFileLock<T>(
  path: string,
  change: () => T | Promise<T>,
  clock: Clock = systemClock,
  files: Files = systemFiles,
): Promise<T> {
  const lock = `${path}.lock`;
  const owners = await createOwners(createLightSystem());
  const mine = JSON.stringify(owners.self);
  const deadline = clock.monotonic() + patienceMs;
  const tryAcquire = (path: string) => acquire(path, mine, clock, files);
  while (!(await tryAcquire(lock))) {
    if (clock.monotonic() > deadline) throw taken(lock);
    const held = holderOf(lock);
    if (held !== null && (await isLeft(held, owners, clock)))
      await takeAway(lock, held, clock, tryAcquire, files.remove);
    await clock.sleep(5 + Math.random() * 20);
  }
  try {
    return await change();
  } finally {
    await giveBack(lock, mine, clock, files);
  }
}

/** Creates a lock; false if there is one already. Throws `UNWRITABLE` if there can be none. */
async function acquire(
  lock: string,
  mine: string,
  clock: Clock,
  { system, open, remove }: Files,
): Promise<boolean> {
  let file: number;
  try {
    // Whatever the umask, so that others of this user can read whose lock it is.
    file = await retryWhileInUse(() => withOwnUmask(() => open(lock, 'wx', 0o600)), clock, system);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw unwritable(lock, error);
  }
  try {
    writeSync(file, mine);
    return true;
  } catch (error) {
    try {
      remove(lock, { force: true });
    } catch {
      // A failing disk is often read-only from then on. Report what kept the lock from being written.
    }
    throw unwritable(lock, error);
  } finally {
    closeSync(file);
  }
}

/**
 * Removes our lock. The change itself is done, so a lock that cannot be removed (on Windows, while a virus scanner
 * reads it) is no failure: it is taken over once this process is gone.
 */
async function giveBack(lock: string, mine: string, clock: Clock, { system, remove }: Files): Promise<void> {
  const give = () => {
    // If we were held up for too long, it may be another's by now.
    if (holderOf(lock)?.text === mine) remove(lock, { force: true });
  };
  await retryWhileInUse(give, clock, system).catch(() => {});
}

/**
 * Like the database's `replaceFile`, which would be one more file to load whenever a sandbox starts; and the new name
 * is on the disk when this resolves.
 */
export async function replaceFileDurably(draft: string, path: string): Promise<void> {
  await retryWhileInUse(() => renameSync(draft, path), systemClock, platform());
  await syncFolderOf(path);
}

interface Held {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Null if it has just been given back. */
function holderOf(lock: string): Held | null {
  try {
    return { text: readFileSync(lock, 'utf8'), since: statSync(lock).mtimeMs };
  } catch {
    return null;
  }
}

async function isLeft({ text, since }: Held, owners: Owners, clock: Clock): Promise<boolean> {
  const holder = ownerIn(text);
  if (holder !== null && (await owners.liveness(holder)) === 'gone') return true;
  return isOld(since, clock);
}

/** A lock from the future was made before the machine's clock was set back. */
const isOld = (since: number, clock: Clock): boolean => Math.abs(clock.now() - since) > staleMs;

/** Null for a file made by an older pixctl, or left empty by a kill. */
function ownerIn(text: string): Owner | null {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return null;
  }
}

/**
 * Removes a lock that was left behind: under another lock, and only if it is still the same one, so that of two
 * processes that found it, the slower does not remove what the faster has made meanwhile.
 */
async function takeAway(
  lock: string,
  left: Held,
  clock: Clock,
  tryAcquire: (lock: string) => Promise<boolean>,
  remove: Files['remove'],
): Promise<void> {
  const aside = `${lock}.stale`;
  const goes = (path: string) => {
    try {
      remove(path, { force: true });
    } catch {
      // Still there at the next look, which will remove it or report it.
    }
  };
  if (!(await tryAcquire(aside))) {
    const other = holderOf(aside);
    if (other !== null && isOld(other.since, clock)) goes(aside);
    return;
  }
  const now = holderOf(lock);
  if (now?.text === left.text && now.since === left.since) goes(lock);
  goes(aside);
}

const taken = (lock: string) =>
  new PixctlError(
    'config',
    'LOCKED',
    `The settings cannot be written: another process has held ${lock} for ${patienceMs / 1_000} seconds.`,
    { hint: `Run again. If no other pixctl is running: ${removeHint(lock)}` },
  );

/** The error (78) for settings that cannot be written. `path`: the file that failed. */
export const unwritable = (path: string, cause: unknown) =>
  new PixctlError(
    'config',
    'UNWRITABLE',
    `The settings cannot be written: ${path}: ${(cause as Error).message}.`,
    {
      hint: 'Check that the directory is yours and has space; PIXCTL_CONFIG_DIR names another.',
      cause,
    },
  );
