/**
 * Finds what commander reads as the value of a flag although nobody wrote it as one: another flag (after an empty
 * variable, of which a shell leaves nothing), the rest of a flag with one dash too few, a `=`, and what is left of a
 * value in which the program has found a flag of every command.
 */
import type { Command, Option } from 'commander';
import { usageError } from '../../errors.ts';

/** Throws a usage error (64) if `value`, as `option` of `command` gets it, is no value or not the whole of it. */
export function refuseMisparsedValue(option: Option, value: string, command: Command): void {
  const { short, flags } = option;
  const long = option.long ?? flags;
  const kind = flags.replace(/^.*?(?=<)/, '');
  const words = lineOf(command);
  // `-d Coffee`, `-dCoffee` and `-wd Coffee` give a value; only in the second is it attached to the letter.
  const isAttached = (word: string) =>
    isShort(word) && word.length > 2 && word.endsWith(`${short?.[1]}${value}`);
  const attached = short === undefined || value === '' ? undefined : words.find(isAttached);
  if (attached !== undefined && isKnownFlag(attached, command)) throw usageError(oneDashMessage(attached));
  if (attached !== undefined && value.startsWith('='))
    throw usageError(
      `${short} takes its value without a =, which would be part of it. Nothing was sent.`,
      `Write ${short} ${kind}, or ${long}=${kind}.`,
    );
  if (attached !== undefined || words.includes(`${long}=${value}`)) return;
  if (isKnownFlag(value, command))
    throw usageError(
      `${long} needs a value before ${nameOf(value)}. Nothing was sent.`,
      `Give ${long} ${kind}, or leave it out. A shell drops an empty variable unless it is in quotes.`,
    );
  if (words.includes(value)) return;
  // The program looks for the flags of every command first, even in the values of a command's own flags.
  throw usageError(
    `The value of ${long} begins with a dash and a letter, which is read as a flag. Nothing was sent.`,
    `Join the two: ${long}=${kind}.`,
  );
}

/** The words of the line that is being parsed, which commander keeps but does not declare. */
function lineOf(command: Command): readonly string[] {
  const { parent, rawArgs } = command as Command & { readonly rawArgs: readonly string[] };
  return parent === null ? rawArgs : lineOf(parent);
}

/** The message for `-dry-run`, whatever its letters are taken for. */
const oneDashMessage = (word: string): string =>
  `${nameOf(word)} begins with one dash, so each of its letters is read as a flag; did you mean -${nameOf(word)}? Nothing was sent.`;

/** The word of the line that is a flag of the command but for one dash, and ends with what commander calls `rest`. */
export const findOneDashFlag = (
  rest: string,
  words: readonly string[],
  command: Command,
): string | undefined =>
  words.find((word) => isShort(word) && word.endsWith(rest.replace(/^-/, '')) && isKnownFlag(word, command));

const isShort = (word: string): boolean => /^-[^-]/.test(word);
const nameOf = (word: string): string => word.replace(/=.*/s, '');

/**
 * Whether a word is a flag of the command, or of every command; `-wait` counts as `--wait`, not as a flag of one
 * letter.
 */
export function isKnownFlag(word: string, command: Command): boolean {
  const name = word.startsWith('--') ? nameOf(word) : word;
  if (['--help', '-h'].includes(name)) return true;
  if (isShort(name) && name.length > 2) return isKnownFlag(`-${name}`, command);
  for (let at: Command | null = command; at !== null; at = at.parent)
    if (at.options.some(({ long, short }) => name === long || name === short)) return true;
  return false;
}
