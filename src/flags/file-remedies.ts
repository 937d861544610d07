/** What to do about a file: a command that can be pasted, or on Windows, whose shells differ, words. */
import { platform } from 'node:os';
import { usageError } from '../errors.ts';

/** As a shell takes it for one word, whatever is in it. */
export const shellQuoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

export const moveAway = (path: string, system: NodeJS.Platform = platform()): string =>
  system === 'win32' ? `rename it to ${path}.old` : `mv ${shellQuoted(path)} ${shellQuoted(`${path}.old`)}`;

export const remove = (path: string, system: NodeJS.Platform = platform()): string =>
  system === 'win32' ? `delete ${path}` : `rm ${shellQuoted(path)}`;

/** So that its owner, and nobody else, can read it. */
export const makeReadable = (path: string, system: NodeJS.Platform = platform()): string =>
  system === 'win32'
    ? `Give yourself access to ${path}, or close the program that has it open.`
    : `chmod 600 ${shellQuoted(path)}`;

export const makeWritable = (path: string, system: NodeJS.Platform = platform()): string =>
  system === 'win32' ? `attrib -R "${path}"` : `chmod u+w ${shellQuoted(path)}`;

/** What a batch whose result cannot be written is run again with: a spreadsheet keeps every other program out there. */
export const writableResult = (system: NodeJS.Platform = platform()): string =>
  system === 'win32'
    ? 'once no other program has that file open, or with --result and another one'
    : 'with --result and a file that can be written';

const faults: Readonly<Record<string, string>> = {
  EACCES: 'its permissions do not allow it',
  // What Windows says of the same, and of a file that another program keeps to itself.
  EPERM: 'its permissions do not allow it',
  EBUSY: 'another program has it open',
  EISDIR: 'it is a directory',
  ENODEV: 'it is a device',
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

/** The usage error (64) of a file that the command line names, and that cannot be read or written. */
export const unreadable = (path: string, cause: unknown) => unusable(path, 'read', ofReading, cause);
export const unwritable = (path: string, cause: unknown) => unusable(path, 'written', ofWriting, cause);

function unusable(path: string, done: string, words: Readonly<Record<string, string>>, cause: unknown) {
  const code = String((cause as NodeJS.ErrnoException).code);
  return usageError(
    `The file ${path} cannot be ${done}: ${words[code] ?? code}. Nothing was sent.`,
    unexpandedHome(path),
  );
}

/** What to do about a `~` that no shell has read, as in `--png=~/qr.png`, or in a file of variables. */
export const unexpandedHome = (path: string): string | undefined =>
  /^~[/\\]/.test(path)
    ? 'A shell expands ~ only at the start of a word: put a space in place of the = before it, or write the path in full.'
    : undefined;
