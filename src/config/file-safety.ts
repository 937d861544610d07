/**
 * A file that holds secrets, or decides where they go, is used only if nobody else can have written or read it: it is
 * not a symbolic link, it is our own, and it is closed to group and others. Windows has its own permissions.
 */
import { chmodSync, lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectory } from '../database/make-directory.ts';
import { configError, PixctlError } from '../errors.ts';
import { moveAwayHint, shellQuoted } from '../flags/file-remedies.ts';

export interface FileOwner {
  readonly platform: NodeJS.Platform;
  /** The effective user id; undefined if there is none. */
  readonly uid: number | undefined;
}

/** What to do about something else that lies where a file should be. */
export interface Instead {
  /** For a link, besides putting the file itself there. */
  readonly ofLink: string;
  /** For anything that is not a file. */
  readonly ofOther: (path: string) => string;
}

/** A file where our directory should be was most likely named by a variable, and may be anything: leave it alone. */
const nameADirectory = 'Set PIXCTL_CONFIG_DIR and PIXCTL_STATE_DIR to directories of your own.';

/** For places where only this program's own files should be. */
const ours: Instead = {
  ofLink: 'point PIXCTL_CONFIG_DIR at its directory',
  ofOther: (path) => `Move it away: ${moveAwayHint(path)}`,
};

/**
 * Returns whether the path exists; one that does not is fine. Throws `configError` (78) with a remedy if it is not
 * safe.
 */
export function existsSafely(
  path: string,
  what: 'file' | 'directory',
  owner: FileOwner,
  instead = ours,
): boolean {
  const problem = problemOf(path, what, owner, instead);
  if (problem === 'absent') return false;
  if (problem !== undefined) {
    throw configError(
      'UNSAFE_FILE',
      `The ${what} ${path} is not used: ${problem.fault}. Nothing was sent.`,
      problem.remedy,
    );
  }
  return true;
}

export interface Problem {
  readonly fault: string;
  readonly remedy: string;
  /** Set if it is our own, and only its mode is wrong. */
  readonly isMode?: true;
}

const kinds = {
  file: { isIt: (stats: Stats) => stats.isFile(), closedTo: 0o077, mode: '600', access: 'read or write' },
  directory: { isIt: (stats: Stats) => stats.isDirectory(), closedTo: 0o022, mode: '700', access: 'write' },
} as const;

/** What is wrong with the path, for `existsSafely` and for `doctor`. */
export function problemOf(
  path: string,
  what: 'file' | 'directory',
  { platform, uid }: FileOwner,
  instead = ours,
): Problem | 'absent' | undefined {
  const { isIt, closedTo, mode, access } = kinds[what];
  const stats = statOf(path, uid);
  if (stats === undefined) return 'absent';
  if (stats.isSymbolicLink()) {
    return {
      fault: 'it is a symbolic link',
      remedy: `Put the ${what} itself there, or ${instead.ofLink}.`,
    };
  }
  if (!isIt(stats)) {
    const fault = stats.isDirectory() ? 'it is a directory' : `it is not a ${what}`;
    return { fault, remedy: what === 'file' ? instead.ofOther(path) : nameADirectory };
  }
  if (platform === 'win32') return undefined;
  if (uid !== undefined && stats.uid !== uid) {
    return {
      fault: `it belongs to another user (uid ${stats.uid})`,
      remedy: `If it is yours: sudo chown ${uid} ${shellQuoted(path)}`,
    };
  }
  if ((stats.mode & closedTo) === 0) return undefined;
  return {
    fault: `group or others may ${access} it (mode ${(stats.mode & 0o777).toString(8)})`,
    remedy: `chmod ${mode} ${shellQuoted(path)}, and rotate the key if others use this machine.`,
    isMode: true,
  };
}

function statOf(path: string, uid: number | undefined): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new PixctlError('config', 'UNREADABLE', `${path} cannot be read (${code}). Nothing was sent.`, {
      hint: code === 'EACCES' ? entranceTo(path, uid) : undefined,
      cause: error,
    });
  }
}

/** The remedy for a directory that hides the path: the nearest one above it that can itself be seen. */
function entranceTo(path: string, uid: number | undefined): string {
  const above = dirname(path);
  try {
    const { uid: its } = lstatSync(above);
    return its === uid || uid === undefined
      ? `Give yourself access: chmod 700 ${shellQuoted(above)}`
      : `'${above}' belongs to another user (uid ${its}, and this is uid ${uid}), as in a container or under sudo where HOME is still that of root. Set HOME, or PIXCTL_CONFIG_DIR and PIXCTL_STATE_DIR, to directories of your own.`;
  } catch {
    return entranceTo(above, uid);
  }
}

/** Makes the directory with mode 0700, whatever the umask; an existing one must pass the guard. */
export function makePrivateDirectory(path: string, owner: FileOwner): void {
  if (existsSafely(path, 'directory', owner)) return;
  try {
    makeDirectory(path);
    chmodSync(path, 0o700);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new PixctlError('config', 'UNWRITABLE', `${path} cannot be created (${code}). Nothing was sent.`, {
      hint: 'Set PIXCTL_CONFIG_DIR and PIXCTL_STATE_DIR to directories that you can write to.',
      cause: error,
    });
  }
}
