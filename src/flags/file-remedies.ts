/** What to do about a file: a command that can be pasted, or words on Windows, whose shells differ. */
import { platform } from 'node:os';
import { usageError } from '../errors.ts';

/** Quotes a path so that a shell reads it as one word, whatever it contains. */
export const shellQuoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/** Gets a file out of the way and keeps it. */
export const moveAwayHint = (path: string, system: NodeJS.Platform = platform()): string =>
  system === 'win32' ? `rename it to ${path}.old` : `mv ${shellQuoted(path)} ${shellQuoted(`${path}.old`)}`;

/** Removes a file for good. */
export const removeHint = (path: string, system: NodeJS.Platform = platform()): string =>
  system === 'win32' ? `delete ${path}` : `rm ${shellQuoted(path)}`;

/** Lets the owner read the file, and nobody else. */
export const makeReadableHint = (path: string, system: NodeJS.Platform = platform()): string =>
  system === 'win32'
    ? `Give yourself access to ${path}, or close the program that has it open.`
    : `chmod 600 ${shellQuoted(path)}`;

/** Lets the owner write to the file. */
export const makeWritableHint = (path: string, system: NodeJS.Platform = platform()): string =>
  system === 'win32' ? `attrib -R "${path}"` : `chmod u+w ${shellQuoted(path)}`;

/** How to run a batch again whose result cannot be written: a spreadsheet keeps every other program out of its file. */
export const writableResult = (system: NodeJS.Platform = platform()): string =>
  system === 'win32'
    ? 'once no other program has that file open, or with --result and another one'
    : 'with --result and a file that can be written';

const faults: Readonly<Record<string, string>> = {
  EACCES: 'its permissions do not allow it',
  // Windows reports this for the same, and for a file that another program keeps to itself.
  EPERM: 'its permissions do not allow it',
  EBUSY: 'another program has it open',
  EISDIR: 'it is a directory',
  ENODEV: 'it is a device',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'it is a link that leads to itself',
};
const ofReading = {
  ...faults,
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  ENXIO: 'it is a socket, or a device that is not there',
};
const ofWriting = {
  ...faults,
  ENOENT: 'there is no such directory',
  ENOTDIR: 'there is no such directory',
  EROFS: 'nothing can be written there',
};

/** The usage error (64) for a file on the command line that cannot be read or written. */
export const unreadableFileError = (path: string, cause: unknown) => unusable(path, 'read', ofReading, cause);
export const unwritableFileError = (path: string, cause: unknown) =>
  unusable(path, 'written', ofWriting, cause);

function unusable(path: string, done: string, words: Readonly<Record<string, string>>, cause: unknown) {
  const code = String((cause as NodeJS.ErrnoException).code);
  return usageError(
    `The file ${path} cannot be ${done}: ${words[code] ?? code}. Nothing was sent.`,
    unexpandedHome(path),
  );
}

/** What to do about a `~` that no shell has expanded, as in `--png=~/qr.png`, or in a file of variables. */
export const unexpandedHome = (path: string): string | undefined =>
  /^~[/\\]/.test(path)
    ? 'A shell expands ~ only at the start of a word: put a space in place of the = before it, or write the path in full.'
    : undefined;

/**
 * What to do about `text` if it can be a path that Git Bash on Windows has made of a word that begins with a slash;
 * otherwise undefined.
 */
export const rewrittenPath = (text: string): string | undefined =>
  /^[a-z]:[\\/]/i.test(text)
    ? 'Git Bash turns a word that begins with a slash into the path of a file, unless MSYS_NO_PATHCONV=1 is set.'
    : undefined;
