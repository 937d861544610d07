/** Guesses what an unknown word meant: a misspelling, a habit from other programs, a verb without its noun. */
import type { Command } from 'commander';
import { commandLine } from '../command-line.ts';
import { helpTopics, topicOf } from '../help-topics.ts';
import { nearest } from '../nearest.ts';
import {
  commandEquivalents,
  nounOfVerb,
  nouns,
  unsupportedCommands,
  verbSynonyms,
} from './foreign-commands.ts';
import { dayFlag, flagEquivalents, foreignFlags, statusFlag, unsupportedFlags } from './foreign-flags.ts';

/**
 * The whole command that these words probably meant, the first of which is unknown; `path` is the part that was
 * understood. Undefined if there is no guess.
 */
export function suggestCommand(
  [typed = '', next = '']: readonly string[],
  command: Command,
  path: string,
): string | undefined {
  return command.parent === null
    ? suggestFromRoot(typed, next, command, path)
    : suggestBelow(typed, next, command, path);
}

function suggestFromRoot(typed: string, next: string, root: Command, path: string): string | undefined {
  const ofForm = suggestFromForm(typed, next, path) ?? suggestFromPhrase(typed, next, path);
  if (ofForm !== undefined) return ofForm;
  if (listVerbs.includes(typed)) return suggestList(next, root, path);
  if (Object.hasOwn(nounOfVerb, typed)) return `${path} ${nounOfVerb[typed]} ${typed}`;
  if (helpTopics.some((topic) => topic === typed)) return `${path} help ${typed}`;
  const noun = suggestNoun(typed, subcommandNames(root));
  if (noun === undefined) return suggestTopic(typed, path);
  const below = root.commands.find((each) => each.name() === noun);
  return (below && suggestVerb(below, next, `${path} ${noun}`)) ?? `${path} ${noun}`;
}

/** `get chg_1`, `wait wd_1`, `post /webhooks`: the form of the second word says what is meant. */
function suggestFromForm(verb: string, word: string, path: string): string | undefined {
  if (verb === 'wait' && /^wd_\w+$/.test(word)) return `${path} withdrawal wait ${word}`;
  if (httpMethod.test(verb) && word.startsWith('/'))
    return `${path} api ${verb.toUpperCase()} ${commandLine([word])}`;
  return showVerbs.includes(verb) ? suggestFromOperands([word], path) : undefined;
}

function suggestFromPhrase(typed: string, next: string, path: string): string | undefined {
  const phrase = phraseIn(commandEquivalents(), [path, typed, next]);
  return phrase && `pixctl ${phrase}`;
}

function suggestBelow(typed: string, next: string, noun: Command, path: string): string | undefined {
  const ofPhrase = suggestFromPhrase(typed, next, path);
  if (ofPhrase !== undefined) return ofPhrase;
  if (typed === 'help') return suggestHelp(next, noun, path);
  const names = subcommandNames(noun);
  const same = verbSynonyms.find((words) => words.includes(typed)) ?? [];
  const verb = same.find((each) => names.includes(each)) ?? nearest(typed, names);
  return verb && `${path} ${verb}`;
}

/** The topic that people look for under this word; an amount is no exit code here. */
function suggestTopic(typed: string, path: string): string | undefined {
  const topic = /^\d/.test(typed) ? undefined : topicOf(typed);
  return topic && `${path} help ${topic}`;
}

/** The command that `pixctl charge help list` means in the style of other programs. */
function suggestHelp(verb: string, noun: Command, path: string): string {
  const meant = verb === 'help' ? undefined : suggestVerb(noun, verb, path);
  return meant === undefined ? `${path} --help` : meant.replace(/^pixctl /, 'pixctl help ');
}

/** The list that `pixctl list profiles` means; `pixctl list` alone means that of the charges. */
function suggestList(what: string, root: Command, path: string): string | undefined {
  if (what === '' || what.startsWith('-')) return `${path} charge list`;
  const noun = suggestNoun(what, subcommandNames(root));
  const below = root.commands.find((each) => each.name() === noun);
  return below && subcommandNames(below).includes('list') ? `${path} ${noun} list` : undefined;
}

/** The verb in `pixctl charges list`, once the noun is known. */
function suggestVerb(noun: Command, verb: string, path: string): string | undefined {
  if (verb === '') return undefined;
  return subcommandNames(noun).includes(verb) ? `${path} ${verb}` : suggestCommand([verb], noun, path);
}

/**
 * The command that the first of these words probably meant, or the second in `list profiles`; undefined if a command
 * has that name.
 */
export function suggestCommandName(
  [first = '', next = '']: readonly string[],
  commands: readonly { readonly name: string }[],
): string | undefined {
  const names = commands.map(({ name }) => name);
  const word = listVerbs.includes(first) ? next : first;
  return word.startsWith('-') || names.includes(word) ? undefined : suggestNoun(word, names);
}

const suggestNoun = (typed: string, names: readonly string[]): string | undefined =>
  Object.hasOwn(nouns, typed) ? nouns[typed] : nearest(typed, names);

/** Why there is no such command, if what it would do cannot be done at all; otherwise undefined. */
export const explainMissingCommand = (
  [typed = '', next = '']: readonly string[],
  path: string,
): string | undefined =>
  phraseIn(unsupportedCommands(), [path, typed, next]) ??
  (listVerbs.includes(typed) ? phraseIn(unsupportedCommands(), [path, next, 'list']) : undefined);

/** The entry for `path typed next`, or else for `path typed`. */
function phraseIn(
  table: Readonly<Record<string, string>>,
  [path, typed, next]: readonly [string, string, string],
): string | undefined {
  const known = [`${path} ${typed} ${next}`, `${path} ${typed}`].find((line) => Object.hasOwn(table, line));
  return known === undefined ? undefined : table[known];
}

/** What the command calls a flag of other programs, if it has it; undefined if there is no such habit. */
export function suggestFlag(typed: string, command: Command, path: string): string | undefined {
  const line = `${path} ${typed}`;
  if (Object.hasOwn(flagEquivalents, line)) return flagEquivalents[line];
  const known = flagsOf(command);
  const [, status] = statusFlag.exec(typed) ?? [];
  if (status !== undefined && takesAnyStatus(command)) return `--status ${status.toUpperCase()}`;
  const [, day] = dayFlag.exec(typed) ?? [];
  if (day !== undefined && known.includes('--since')) return `--since ${day}`;
  return foreignFlags().find(
    ([flag, meant]) => flag === typed && (!meant.startsWith('--') || known.includes(meant)),
  )?.[1];
}

/**
 * Whether the status is that of a record of the service; an event of the inbox has states of its own, named in its
 * choices.
 */
const takesAnyStatus = ({ options }: Command): boolean =>
  options.some(({ long, argChoices }) => long === '--status' && argChoices === undefined);

/** Why the command has no such flag, if nothing can do what it asks for; otherwise undefined. */
export const explainMissingFlag = (typed: string, path: string): string | undefined =>
  Object.hasOwn(unsupportedFlags, `${path} ${typed}`) ? unsupportedFlags[`${path} ${typed}`] : undefined;

/**
 * The command's flag with almost this spelling, or this beginning. A flag that lifts a guard (`--allow-duplicate`) is
 * suggested only to those who ask for one: nobody should try it because `--all` was refused.
 */
export function nearestFlag(typed: string, command: Command): string | undefined {
  const bare = (flag: string) => flag.replace(/^--/, '');
  const offered = flagsOf(command).filter(
    (flag) => !flag.startsWith('--allow-') || typed.startsWith('--allow'),
  );
  const name = nearest(bare(typed), offered.map(bare));
  return name && `--${name}`;
}

/** Includes the flags of every command. */
const flagsOf = (command: Command): string[] =>
  [...command.options, ...rootOf(command).options].flatMap(({ long, hidden }) =>
    long === undefined || hidden ? [] : [long],
  );

/**
 * For words of a known form (an amount, an address, an id), the command with the verb or flag that belongs before each;
 * undefined if one of them has no such form, or two have the same.
 */
export function suggestFromOperands(typed: readonly string[], path: string): string | undefined {
  const flags = typed.map((word) => operands.find(([of, , form]) => of === path && form.test(word))?.[1]);
  if (typed.length === 0 || flags.includes(undefined) || new Set(flags).size < flags.length) return undefined;
  return [path, ...typed.map((word, at) => withFlag(flags[at] ?? '', word))].join(' ');
}

/** Gives both readings of an amount without decimals: whoever omits the flag has not read that it means cents. */
const withFlag = (flag: string, word: string): string =>
  flag === '--amount' && /^\d+$/.test(word)
    ? `${flag} ${word},00 for reais, or ${flag} ${word} for cents`
    : `${flag} ${commandLine([word])}`;

const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

/** What may follow a command's own name: those of its commands that help shows. */
export const subcommandNames = (command: Command): string[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name());

const showVerbs = verbSynonyms.find((words) => words.includes('get')) ?? [];
const listVerbs = verbSynonyms.find((words) => words.includes('list')) ?? [];
const httpMethod = /^(?:get|post|delete)$/i;
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
  // Digits alone may be an amount or a CPF, a word may be a saved destination: whoever pays must say which.
  ['pixctl withdraw', '--to', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['pixctl webhook add', '--url', /^https?:\/\//],
  ['pixctl login', '--base-url', /^https?:\/\//],
  ['pixctl sandbox fault add', '--preset', /^[a-z][a-z\d-]+$/],
  ['pixctl reconcile', '--orders', /\.csv$/i],
  // As in other programs, no method means GET.
  ['pixctl api', 'GET', /\//],
];
