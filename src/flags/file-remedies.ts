/** What to do about a file: a command that can be pasted, or on Windows, whose shells differ, words. */
import { platform } from 'node:os';

export const moveAway = (path: string, system: NodeJS.Platform = platform()): string =>
  system === 'win32' ? `rename it to ${path}.old` : `mv '${path}' '${path}.old'`;

export const remove = (path: string, system: NodeJS.Platform = platform()): string =>
  system === 'win32' ? `delete ${path}` : `rm '${path}'`;

/** So that its owner, and nobody else, can read it. */
export const makeReadable = (path: string, system: NodeJS.Platform = platform()): string =>
  system === 'win32' ? `Give yourself access to ${path}, or close what has it open.` : `chmod 600 '${path}'`;

export const makeWritable = (path: string, system: NodeJS.Platform = platform()): string =>
  system === 'win32' ? `attrib -R "${path}"` : `chmod u+w '${path}'`;

/** What a batch whose result cannot be written is run again with: a spreadsheet keeps every other program out there. */
export const writableResult = (system: NodeJS.Platform = platform()): string =>
  system === 'win32'
    ? 'once no other program has that file open, or with --result and another one'
    : 'with --result and a file that can be written';
