/** What an unknown word probably meant: a misspelling, a habit from other programs, a verb without its noun. */
import type { Command } from 'commander';
import { commandLine } from './command-line.ts';
import { absentFlags, dayFlag, flagHabits, flagsElsewhere, statusFlag } from './flag-habits.ts';
import { absent, elsewhere, nounOf, nouns, synonyms } from './habits.ts';
import { helpTopics } from './help-topics.ts';
import { nearest } from './nearest.ts';

/**
 * The whole command that was probably meant by these words, of which the first is not known; `path` is the part that
 * was understood. Undefined if there is no guess.
 */
export function meantBy(
  [typed = '', next = '']: readonly string[],
  command: Command,
  path: string,
): string | undefined {
  const isRoot = command.parent === null;
  // `get chg_1`: the id says of what.
  const ofId = isRoot && shows.includes(typed) ? meantByOperands([next], path) : undefined;
  if (ofId !== undefined) return ofId;
  const phrase = phraseIn(elsewhere(), [path, typed, next]);
  if (phrase !== undefined) return `pixctl ${phrase}`;
  if (!isRoot && typed === 'help') return helpMeant(next, command, path);
  if (isRoot && Object.hasOwn(nounOf, typed)) return `${path} ${nounOf[typed]} ${typed}`;
  if (isRoot && helpTopics.some((topic) => topic === typed)) return `${path} help ${typed}`;
  const names = namesBelow(command);
  const same = synonyms.find((words) => words.includes(typed)) ?? [];
  const word = isRoot
    ? nounBy(typed, names)
    : (same.find((each) => names.includes(each)) ?? nearest(typed, names));
  if (word === undefined) return undefined;
  const below = command.commands.find((each) => each.name() === word);
  return (isRoot && below && verbOf(below, next, `${path} ${word}`)) || `${path} ${word}`;
}

/** Of `pixctl charge help list`, as other programs take it. */
function helpMeant(verb: string, noun: Command, path: string): string {
  const meant = verb === 'help' ? undefined : verbOf(noun, verb, path);
  return meant === undefined ? `${path} --help` : meant.replace(/^pixctl /, 'pixctl help ');
}

/** Of `pixctl charges list`, once the noun is known. */
function verbOf(noun: Command, verb: string, path: string): string | undefined {
  if (verb === '') return undefined;
  return namesBelow(noun).includes(verb) ? `${path} ${verb}` : meantBy([verb], noun, path);
}

/** The command that was probably meant by the first of these words; undefined where there is one of that name. */
export function misspelt(
  [first = '']: readonly string[],
  commands: readonly { readonly name: string }[],
): string | undefined {
  const names = commands.map(({ name }) => name);
  return first.startsWith('-') || names.includes(first) ? undefined : nounBy(first, names);
}

const nounBy = (typed: string, names: readonly string[]): string | undefined =>
  Object.hasOwn(nouns, typed) ? nouns[typed] : nearest(typed, names);

/** Why there is no such command, where what it would do cannot be done at all; else undefined. */
export const absentBy = ([typed = '', next = '']: readonly string[], path: string): string | undefined =>
  phraseIn(absent(), [path, typed, next]);

/** The entry of `path typed next`, else that of `path typed`. */
function phraseIn(
  table: Readonly<Record<string, string>>,
  [path, typed, next]: readonly [string, string, string],
): string | undefined {
  const known = [`${path} ${typed} ${next}`, `${path} ${typed}`].find((line) => Object.hasOwn(table, line));
  return known === undefined ? undefined : table[known];
}

/** What other programs' flag is called here, where the command has it; undefined where there is no such habit. */
export function meantByFlag(typed: string, command: Command, path: string): string | undefined {
  const line = `${path} ${typed}`;
  if (Object.hasOwn(flagsElsewhere, line)) return flagsElsewhere[line];
  const known = flagsOf(command);
  const [, status] = statusFlag.exec(typed) ?? [];
  if (status !== undefined && takesAnyStatus(command)) return `--status ${status.toUpperCase()}`;
  const [, day] = dayFlag.exec(typed) ?? [];
  if (day !== undefined && known.includes('--since')) return `--since ${day}`;
  return flagHabits().find(
    ([flag, meant]) => flag === typed && (!meant.startsWith('--') || known.includes(meant)),
  )?.[1];
}

/** Of a record of the service; an event of the inbox has states of its own, which are named in its choices. */
const takesAnyStatus = ({ options }: Command): boolean =>
  options.some(({ long, argChoices }) => long === '--status' && argChoices === undefined);

/** Why the command has no such flag, where what it asks for cannot be had; else undefined. */
export const absentByFlag = (typed: string, path: string): string | undefined =>
  Object.hasOwn(absentFlags, `${path} ${typed}`) ? absentFlags[`${path} ${typed}`] : undefined;

/**
 * The flag of the command that is spelt almost so, or begins so. One that lifts a guard (`--allow-duplicate`) is named
 * only to who asks for it: it must not be tried because a `--all` was refused.
 */
export function nearestFlag(typed: string, command: Command): string | undefined {
  const bare = (flag: string) => flag.replace(/^--/, '');
  const offered = flagsOf(command).filter(
    (flag) => !flag.startsWith('--allow-') || typed.startsWith('--allow'),
  );
  const name = nearest(bare(typed), offered.map(bare));
  return name && `--${name}`;
}

/** Those of every command too. */
const flagsOf = (command: Command): string[] =>
  [...command.options, ...rootOf(command).options].flatMap(({ long, hidden }) =>
    long === undefined || hidden ? [] : [long],
  );

/**
 * For words of a known form (an amount, an address, an id), the command with the verb or flag that belongs before each;
 * undefined where one of them has no such form, or two have the same.
 */
export function meantByOperands(typed: readonly string[], path: string): string | undefined {
  const flags = typed.map((word) => operands.find(([of, , form]) => of === path && form.test(word))?.[1]);
  if (typed.length === 0 || flags.includes(undefined) || new Set(flags).size < flags.length) return undefined;
  return [path, ...typed.map((word, at) => withFlag(flags[at] ?? '', word))].join(' ');
}

/** Of an amount without decimals both readings: whoever leaves out the flag has not read that it is cents. */
const withFlag = (flag: string, word: string): string =>
  flag === '--amount' && /^\d+$/.test(word)
    ? `${flag} ${word},00 for reais, or ${flag} ${word} for cents`
    : `${flag} ${commandLine([word])}`;

const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

/** What may follow a command's own name: those of its commands that help shows. */
export const namesBelow = (command: Command): string[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name());

const shows = synonyms.find((words) => words.includes('get')) ?? [];
const amount = /^\d{1,9}([.,]\d\d)?$/;
const operands: readonly (readonly [path: string, before: string, form: RegExp])[] = [
  ['pixctl webhook listen', '--forward-to', /^(https?:\/\/.+|[\w.-]+:\d{1,5}(\/.*)?|\d{1,5}(\/.*)?)$/],
  ['pixctl charge', 'create --amount', /^\d{1,9}[.,]\d\d$/],
  ['pixctl', 'charge get', /^chg_\w+$/],
  ['pixctl', 'withdrawal get', /^wd_\w+$/],
  ['pixctl', 'customer get', /^cust_\w+$/],
  ['pixctl', 'webhook show', /^evt_\w+$/],
  ['pixctl', 'webhook deliveries', /^wh_\w+$/],
  ['pixctl webhook', 'show', /^evt_\w+$/],
  ['pixctl webhook', 'deliveries', /^wh_\w+$/],
  ['pixctl webhook inbox list', '--id', /^evt_\w+$/],
  ['pixctl charge', 'get', /^chg_\w+$/],
  ['pixctl withdrawal', 'get', /^wd_\w+$/],
  ['pixctl customer', 'get', /^cust_\w+$/],
  ['pixctl charge create', '--amount', amount],
  ['pixctl withdraw', '--amount', amount],
  // Digits alone may be an amount or a CPF, a word a saved destination: whoever pays says which.
  ['pixctl withdraw', '--to', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['pixctl webhook add', '--url', /^https?:\/\//],
  ['pixctl login', '--base-url', /^https?:\/\//],
  ['pixctl sandbox fault add', '--preset', /^[a-z][a-z\d-]+$/],
  ['pixctl reconcile', '--orders', /\.csv$/i],
  // As of other programs: without a method it is GET.
  ['pixctl api', 'GET', /\//],
];
