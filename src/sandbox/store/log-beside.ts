/**
 * The log of commits that lies beside a state while a sandbox runs on it, and after a kill. It belongs to the file that
 * it was written for. SQLite does not check that: it puts the log's pages into whatever file has taken the place, and
 * what comes of it is neither the one nor the other.
 */
import { openSync, readSync, realpathSync, statSync } from 'node:fs';

/** Its path, where there is one that holds anything. SQLite follows links before it looks for it. */
export function logBeside(file: string): string | null {
  try {
    const log = `${realpathSync(file)}-wal`;
    return statSync(log).size > 0 ? log : null;
  } catch {
    // There is none, or one that nobody could write either.
    return null;
  }
}

/** Where a database says how it is written (SQLite, "Database File Format", 1.3.3), and what it says of no log. */
const writeVersionAt = 18;
const withoutLog = 1;

/** Whether the file says that it has no log: a snapshot says so, a state that ever ran does not. */
export function hasNoLog(file: string): boolean {
  const version = Buffer.alloc(1);
  readSync(openFor(file), version, 0, 1, writeVersionAt);
  return version[0] === withoutLog;
}

/** By device and inode, which are not given to another file while this one is open. */
const opened = new Map<string, number>();

/**
 * Never closed: whoever closes a file gives up every lock that its process has on it (fcntl(2)), and it may be the state
 * of another sandbox in this process. There are few: those that a kill has left, or that are in use.
 */
function openFor(file: string): number {
  const { dev, ino } = statSync(file);
  const known = opened.get(`${dev}/${ino}`);
  if (known !== undefined) return known;
  const made = openSync(file, 'r');
  opened.set(`${dev}/${ino}`, made);
  return made;
}
