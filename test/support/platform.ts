import { statSync } from 'node:fs';
import { networkInterfaces } from 'node:os';

/**
 * What a test needs of the system that Windows does not have: null where it is there, else the words for the
 * skip. `describe.skipIf(noShell !== null)(skipped('a pipe', noShell), ...)` shows them in the report.
 */
export const onWindows = process.platform === 'win32';

export const noShell = onWindows ? 'there is no /bin/sh' : null;
/** `kill` ends a process there, whatever the signal: it hears nothing of it. */
export const noSignals = onWindows ? 'no signals between processes' : null;
/** Its pseudo-terminal redraws the screen in a way of its own, so that what was written cannot be compared. */
export const noPty = onWindows ? 'no pseudo-terminal that passes on what is written' : null;

/** What a program that a signal has ended ends with: a code of its own, where it hears the signal. */
export const endedBy = (code: 130 | 143): number | null => (noSignals === null ? code : null);

/** A file there is as open to others as its folder, and `stat` tells 0666 of every one. */
export const noModes = onWindows ? 'files tell no modes' : null;
/** What somebody has open there cannot be moved, removed or replaced. */
export const noTakingOpen = onWindows ? 'an open file keeps its name' : null;
/**
 * Without one, a send that was killed before its first byte may have been lost to a power cut: its outcome is not
 * known.
 */
export const noBootId = onWindows ? 'the start of the machine has no id' : null;

/** A word that a shell reads otherwise, as a command to be pasted has it: cmd and PowerShell share no other quotes. */
export const inQuotes = (word: string): string => (onWindows ? `"${word}"` : `'${word}'`);

/** Nobody but an administrator makes one there. */
export const noLinks = onWindows ? 'a symbolic link needs an administrator' : null;
/** What npm installs there are scripts of `cmd`, in other folders. */
export const noNpm = onWindows ? 'npm is no program, but a script of cmd' : null;

export const noIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((it) => it?.address === '::1')
  ? null
  : 'this machine has no IPv6';
/** 127.0.0.2, for one: there, each further address of 127.0.0.0/8 has to be set up. */
export const noSecondLoopback = process.platform === 'darwin' ? '127.0.0.1 is the only one' : null;

/** The modes of a file, as in `chmod`; what was expected where files have none. */
export const modeOf = (path: string, expected: string): string =>
  noModes === null ? (statSync(path).mode & 0o777).toString(8) : expected;

export const skipped = (title: string, why: string | null): string =>
  why === null ? title : `${title} (skipped: ${why})`;
