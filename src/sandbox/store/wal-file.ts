/**
 * The log of commits that lies beside a state while a sandbox runs on it, and after a kill. It belongs to the file that
 * it was written for, but SQLite does not check that: it puts the log's pages into whatever file has taken that one's
 * place, and the result is neither the one nor the other.
 */
import { openSync, readSync, realpathSync, rmSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { loadSqlite } from '../../database/sqlite/module.ts';
import { sqliteCode } from './store-failures.ts';

/** Returns where the log of an existing state lies. SQLite follows links before it looks for it. */
export const walOf = (file: string): string => `${realpathSync(file)}-wal`;

/** Returns its path if there is one that holds anything. */
export function findWal(file: string): string | null {
  try {
    const log = walOf(file);
    return statSync(log).size > 0 ? log : null;
  } catch {
    // There is none, or one that nobody could write either.
    return null;
  }
}

/** Where a database says how it is written (SQLite, "Database File Format", 1.3.3), and the value that means no log. */
const writeVersionAt = 18;
const withoutLog = 1;

/** Whether the file says that it has no log. A snapshot says so; a state that ever ran does not. */
export function usesNoWal(file: string): boolean {
  const version = Buffer.alloc(1);
  readSync(openFor(file), version, 0, 1, writeVersionAt);
  return version[0] === withoutLog;
}

/** By device and inode, which no other file gets while this one is open. */
const opened = new Map<string, number>();

/**
 * Opens the file and never closes it: closing a file gives up every lock that the process has on it (fcntl(2)), and it
 * may be the state of another sandbox in this process. There are few: those left by a kill, or in use.
 */
function openFor(file: string): number {
  const { dev, ino } = statSync(file);
  const known = opened.get(`${dev}/${ino}`);
  if (known !== undefined) return known;
  const made = openSync(file, 'r');
  opened.set(`${dev}/${ino}`, made);
  return made;
}

/**
 * Whether the file and the log beside it fit together, which another state in the place of the killed one seldom does.
 * Reads all of it, as fast as the disk allows. Writes nothing, whereas a connection that may write would do so on
 * closing, whatever it found. False for damage alone: opening the state reports anything else.
 */
export function matchesItsWal(file: string): boolean {
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    return database.prepare('PRAGMA quick_check(1)').get()?.quick_check === 'ok';
  } catch (error) {
    return !corruptionCodes.includes(sqliteCode(error) ?? 0);
  } finally {
    database?.close();
  }
}

/** SQLite's codes for a malformed database, and for a file that is not one. */
const corruptionCodes = [11, 26];

/** Removes what reading a log has left beside it. Only for the state's holder: it is nobody else's then. */
export const removeWalIndex = (log: string): void => rmSync(log.replace(/wal$/, 'shm'), { force: true });
