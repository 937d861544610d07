/** A command line as text that a shell reads back unchanged: what a run that has asked prints at its end. */
import { platform } from 'node:os';
import type { Globals } from './globals.ts';

/** Joins the words, quoting those that a POSIX shell, or PowerShell on Windows, would read differently. */
export function commandLine(words: readonly string[], system: NodeJS.Platform = platform()): string {
  const quote = system === 'win32' ? quoteForWindows : quoteWord;
  return words.map((word) => (placeholderPattern.test(word) ? word : quote(word))).join(' ');
}

/**
 * A flag and its value as words of a line. A value that begins with a dash is joined to its flag; alone, it would be
 * read as one.
 */
export const flagWords = (flag: string, value: string): readonly string[] =>
  value.startsWith('-') ? [`${flag}=${value}`] : [flag, value];

/** A placeholder like `<id>`, for the reader to replace. */
const placeholderPattern = /^<[a-z ]+>$/;

/**
 * The line for `verb` with an idempotency key and `flags`. A key that begins with a dash goes behind `--`, or it would
 * be a flag.
 */
export const commandLineWithKey = (
  verb: readonly string[],
  key: string,
  ...flags: readonly string[]
): string => commandLine(key.startsWith('-') ? [...verb, ...flags, '--', key] : [...verb, key, ...flags]);

/** The flags that decided how this run shows its data, for a command that resumes where this one stopped. */
export const outputWords = ({ json, output, fields, jq, csvLocale }: Globals): string[] => [
  ...(json === true ? ['--json'] : []),
  ...(output === undefined ? [] : ['-o', output]),
  ...(fields === undefined ? [] : ['--fields', fields]),
  ...(jq === undefined ? [] : flagWords('--jq', jq)),
  ...(csvLocale === undefined || csvLocale === 'machine' ? [] : ['--csv-locale', csvLocale]),
];

/**
 * The line that a run which has asked shows at its end: `words` with the global flags that were given, so that the line
 * waits as long and shows its data in the same way.
 */
export const nonInteractiveNote = (globals: Globals, words: readonly string[]): string => {
  const { timeout } = globals;
  const limit = timeout === undefined ? [] : ['--timeout', timeout];
  return nonInteractiveNoteFor([...words, ...outputWords(globals), ...limit]);
};

/** Like `nonInteractiveNote`, for a line that is complete. */
export const nonInteractiveNoteFor = (words: readonly string[]): string =>
  `The same without questions: ${commandLine(words)}`;

/**
 * Uses double quotes, which `cmd` knows too, unless PowerShell would insert a variable. In PowerShell, a comma makes a
 * list.
 */
function quoteForWindows(word: string): string {
  const [assigned, name, value = ''] = /^([A-Z_]+)=(.*)$/s.exec(word) ?? [];
  if (assigned !== undefined) return `$env:${name}='${value.replaceAll("'", "''")}';`;
  if (/^[\w+=:./\\-][\w@+=:./\\-]*$/.test(word)) return word;
  if (/["$`]/.test(word)) return `'${word.replaceAll("'", "''")}'`;
  // A backslash before the closing quote would make it part of the word.
  return `"${word.replace(/\\+$/, '$&$&')}"`;
}

/**
 * In an assignment (`NAME=value`) only the value is quoted: with quotes around the name, a shell sees no assignment.
 */
function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const [name = ''] = /^[A-Z_]+=/.exec(word) ?? [];
  return `${name}'${word.slice(name.length).replaceAll("'", "'\\''")}'`;
}
