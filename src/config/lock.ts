/**
 * One writer at a time: settings are read, changed and written as a whole, so two `login`s at once would
 * lose one. The lock is a file made exclusively beside what it guards; what it guards takes milliseconds,
 * so one older than ten seconds was left by a crash.
 */
import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { type Clock, systemClock } from '../clock.ts';
import { PixctlError } from '../errors.ts';

const staleMs = 10_000;
const patienceMs = 15_000;

/** Runs `change` while holding `<path>.lock`. Throws `config` (78) when it cannot be had within 15 s. */
export async function whileLocked<T>(path: string, change: () => T, clock: Clock = systemClock): Promise<T> {
  const lock = `${path}.lock`;
  const deadline = clock.monotonic() + patienceMs;
  while (!tryAcquire(lock)) {
    if (clock.monotonic() > deadline) throw unwritable(lock, new Error('another process holds it'));
    if (clock.now() - madeAt(lock, clock) > staleMs) breakLock(lock);
    await clock.sleep(5 + Math.random() * 20);
  }
  try {
    return change();
  } finally {
    rmSync(lock, { force: true });
  }
}

function tryAcquire(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // Windows answers EPERM while the file is being removed.
    if (code === 'EEXIST' || code === 'EPERM') return false;
    throw unwritable(lock, error);
  }
}

function madeAt(lock: string, clock: Clock): number {
  try {
    return statSync(lock).mtimeMs;
  } catch {
    return clock.now();
  }
}

/** Renamed before it is removed: of two that break the same lock, one finds nothing to rename. */
function breakLock(lock: string): void {
  const aside = `${lock}.stale`;
  try {
    renameSync(lock, aside);
    rmSync(aside, { force: true });
  } catch {
    // The other one broke it.
  }
}

const unwritable = (lock: string, cause: unknown) =>
  new PixctlError(
    'config',
    'UNWRITABLE',
    `The settings cannot be written: ${lock}: ${(cause as Error).message}.`,
    {
      hint: 'Check that the directory is yours and has space; PIXCTL_CONFIG_DIR names another.',
      cause,
    },
  );
