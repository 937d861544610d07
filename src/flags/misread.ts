/**
 * What commander reads as the value of a flag, and nobody has written as one: another flag (before it stood a variable
 * that was empty, of which a shell leaves nothing), the rest of a flag that has one dash too few, a `=`, and what is
 * left of a value in which the program has found a flag of every command.
 */
import type { Command, Option } from 'commander';
import { usageError } from '../errors.ts';

/** Throws a usage error (64) where `value`, as `option` of `command` gets it, is none or not the whole. */
export function refuseMisread(option: Option, value: string, command: Command): void {
  const { short, flags } = option;
  const long = option.long ?? flags;
  const kind = flags.replace(/^.*?(?=<)/, '');
  const words = lineOf(command);
  // `-d Coffee`, `-dCoffee` and `-wd Coffee` give a value; only the second of them with the letter before it.
  const isAttached = (word: string) =>
    isShort(word) && word.length > 2 && word.endsWith(`${short?.[1]}${value}`);
  const attached = short === undefined || value === '' ? undefined : words.find(isAttached);
  if (attached !== undefined && isKnown(attached, command)) throw usageError(oneDash(attached));
  if (attached !== undefined && value.startsWith('='))
    throw usageError(
      `${short} takes its value without a =, which would be part of it. Nothing was sent.`,
      `Write ${short} ${kind}, or ${long}=${kind}.`,
    );
  if (attached !== undefined || words.includes(`${long}=${value}`)) return;
  if (isKnown(value, command))
    throw usageError(
      `${long} needs a value before ${nameOf(value)}. Nothing was sent.`,
      `Give ${long} ${kind}, or leave it out. A shell drops an empty variable unless it is in quotes.`,
    );
  if (words.includes(value)) return;
  // The program looks for the flags of every command first, in the values of a command's own flags too.
  throw usageError(
    `The value of ${long} begins with a dash and a letter, which is read as a flag. Nothing was sent.`,
    `Join the two: ${long}=${kind}.`,
  );
}

/** The words of the line that is parsed, which commander keeps and does not declare. */
function lineOf(command: Command): readonly string[] {
  const { parent, rawArgs } = command as Command & { readonly rawArgs: readonly string[] };
  return parent === null ? rawArgs : lineOf(parent);
}

/** `-dry-run`, whatever its letters are taken for. */
const oneDash = (word: string): string =>
  `${nameOf(word)} begins with one dash, so each of its letters is read as a flag; did you mean -${nameOf(word)}? Nothing was sent.`;

/** The word of the line that is one dash short of a flag of the command, and ends with what commander calls `rest`. */
export const withOneDash = (rest: string, words: readonly string[], command: Command): string | undefined =>
  words.find((word) => isShort(word) && word.endsWith(rest.replace(/^-/, '')) && isKnown(word, command));

const isShort = (word: string): boolean => /^-[^-]/.test(word);
const nameOf = (word: string): string => word.replace(/=.*/s, '');

/** Whether a word is a flag of the command, or of every command; `-wait` is `--wait`, and no flag of one letter. */
export function isKnown(word: string, command: Command): boolean {
  const name = word.startsWith('--') ? nameOf(word) : word;
  if (['--help', '-h'].includes(name)) return true;
  if (isShort(name) && name.length > 2) return isKnown(`-${name}`, command);
  for (let at: Command | null = command; at !== null; at = at.parent)
    if (at.options.some(({ long, short }) => name === long || name === short)) return true;
  return false;
}
