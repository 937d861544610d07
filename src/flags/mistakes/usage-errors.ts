/**
 * commander's refusals of a command line, in this program's words: what is wrong, that nothing was sent, what may have
 * been meant, and where the help is.
 */
import type { Command, CommanderError } from 'commander';
import { asSentence, type PixctlError, usageError } from '../../errors.ts';
import { commandLine } from '../command-line.ts';
import { pathOf } from '../help.ts';
import { choicesText } from '../help-format.ts';
import { didYouMean, nearest } from '../nearest.ts';
import { shorten } from '../shorten.ts';
import { findExampleLine } from './example-line.ts';
import { findOneDashFlag, isKnownFlag } from './misparsed-value.ts';
import { MissingInputError } from './missing-input-error.ts';
import { explainPastedWord } from './pasted-text.ts';
import {
  explainSplitAtCommas,
  explainSplitAtThousands,
  explainUnquotedArgument,
  explainUnquotedFlag,
} from './split-values.ts';
import {
  explainMissingCommand,
  explainMissingFlag,
  nearestFlag,
  suggestCommand,
  suggestFlag,
  suggestFromOperands,
} from './suggestions.ts';

/** The usage error (64) for what commander refused at `command`. `typed`: the words of the command line. */
export function toUsageError(
  { code, message }: Pick<CommanderError, 'code' | 'message'>,
  command: Command,
  typed: readonly string[],
): PixctlError {
  const unknown = code === 'commander.missingMandatoryOptionValue' ? unknownFlag(command, typed) : undefined;
  if (unknown !== undefined)
    return toUsageError(
      { code: 'commander.unknownOption', message: `unknown option '${unknown}'` },
      command,
      typed,
    );
  const path = pathOf(command);
  const plain = message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  const words = messagesByCode[code]?.(plain, path, command, typed) ?? `${plain.replace(/\.$/, '')}.`;
  const hasCommands = command.commands.length > 0;
  const ofFlag = code === 'commander.invalidArgument' ? 'shows its flags' : 'shows its commands';
  const hint = hasCommands ? ofFlag : 'shows its flags and examples';
  const [said, help] = [`${words} Nothing was sent.`, `${path} --help ${hint}.`];
  const lacks = missingInputName(code, plain);
  if (lacks === undefined) return usageError(said, help);
  const example = words.includes('; did you mean ') ? undefined : findExampleLine(command, lacks);
  const taught = example === undefined ? help : `${help} For example: ${example}`;
  return new MissingInputError(lacks, said, { hint: taught, command });
}

/**
 * commander reports what is missing first: for `destination add rent --to maria` it complains that there is no --key.
 */
const unknownFlag = (command: Command, typed: readonly string[]): string | undefined =>
  typed.includes('--')
    ? undefined
    : command.args.find((word) => /^--?[a-z]/i.test(word) && !isKnownFlag(word, command));

/** The argument's name, or the option's flag. */
function missingInputName(code: string, plain: string): string | undefined {
  if (code === 'commander.missingArgument') return /argument '(.+)'/.exec(plain)?.[1];
  if (code !== 'commander.missingMandatoryOptionValue') return undefined;
  return /option '.*?(--[\w-]+)/.exec(plain)?.[1];
}

/**
 * Text before a help, always empty. Throws a usage error (64) for a word that is no verb of the command: commander
 * would show the help of `pixctl charge` even for `pixctl charge nope --help`, and a script would take nope for a verb.
 */
export function refuseUnknownVerb(command: Command): '' {
  const { args, commands } = command;
  const [typed = ''] = args;
  const isVerb = commands.some((each) => each.name() === typed);
  if (commands.length === 0 || isVerb || typed === '' || typed.startsWith('-')) return '';
  const path = pathOf(command);
  throw usageError(
    `${unknownCommandMessage(path, args, command)} Nothing was sent.`,
    `${path} --help shows its commands.`,
  );
}

type Words = (plain: string, path: string, command: Command, typed: readonly string[]) => string | undefined;

/** By commander's error code. If a later commander's message does not fit, it is left as it is. */
const messagesByCode: Readonly<Record<string, Words>> = {
  'commander.unknownOption': (plain, path, command, words) => {
    // commander's own guess is not repeated: for --reason it suggests --json and --version.
    const [, flag] = /^unknown option '(.+?)'(?: \(Did you mean .+\?\))?$/.exec(plain) ?? [];
    const [, fields] = /^--json=(.+)$/.exec(flag ?? '') ?? [];
    if (fields !== undefined) return chosenByFields('--json', fields);
    if (flag === undefined) return undefined;
    const pasted = explainPastedWord([flag], command);
    if (pasted !== undefined) return pasted;
    const short = findOneDashFlag(flag, words, command);
    // For `-q=1`, commander names only what comes after the letter.
    const whole = flag.startsWith('-=') ? words.find((word) => word.endsWith(flag.slice(1))) : flag;
    // What follows the = may be a secret.
    const [name = ''] = (short ?? whole ?? flag).split('=');
    if (short === undefined && isKnownFlag(name, command))
      return `${name} takes no value: write ${name} alone, or leave it out.`;
    const why = explainMissingFlag(name, path);
    if (why !== undefined) return `${path} has no flag ${name}: ${why}.`;
    const meant = suggestFlag(name, command, path) ?? nearestFlag(name, command);
    return `${path} has no flag ${shorten(name)}${didYouMean(meant)}`;
  },
  'commander.unknownCommand': (plain, path, command) => {
    const [, typed] = /^unknown command '(.*?)'/.exec(plain) ?? [];
    if (typed === undefined) return undefined;
    return explainPastedWord([typed], command) ?? unknownCommandMessage(path, command.args, command);
  },
  'commander.excessArguments': (plain, path, command, words) => {
    const rest = command.args.slice(command.registeredArguments.length);
    const known =
      fieldsAfterFormat(words, command.args) ??
      explainSplitAtCommas(words, command.args) ??
      explainSplitAtThousands(words, command.args) ??
      explainPastedWord(rest, command) ??
      explainKeyAsArgument(path, rest) ??
      explainUnquotedFlag(words, command) ??
      explainUnquotedArgument(path, command);
    if (known !== null) return known;
    const [, taken] = /Expected (\d+) arguments? but got /.exec(plain) ?? [];
    if (taken === undefined) return undefined;
    // The default verb of a noun is handed a misspelt verb as its argument. A verb that was typed correctly is not one
    // of those.
    const [typed = ''] = rest;
    const isVerb =
      words.includes(command.name()) ||
      (command.parent?.commands.some((sibling) => sibling.name() === typed) ?? false);
    const above = command.parent;
    if (taken === '0' && above?.parent && !isVerb && suggestCommand(rest, above, pathOf(above)) !== undefined)
      return unknownCommandMessage(pathOf(above), rest, above);
    const query = jqAfterQuiet(words, rest);
    if (query !== undefined) return query;
    const meant = taken === '0' ? suggestReplacement(rest, command, path) : undefined;
    const given = listWords(command.args);
    return `${path} takes ${taken === '0' ? 'no arguments' : taken === '1' ? '1 argument' : `${taken} arguments`}, but got ${command.args.length}: ${given}${didYouMean(meant)}`;
  },
  'commander.missingArgument': (plain, path, command) => {
    const [, name] = /argument '(.+)'/.exec(plain) ?? [];
    if (name === undefined) return undefined;
    const meant = suggestFromOperands(command.args.slice(0, 1), path);
    if (meant !== undefined) return `<${name}> is missing${didYouMean(meant)}`;
    const { argChoices, description = '' } =
      command.registeredArguments.find((argument) => argument.name() === name) ?? {};
    const what = `${description}${choicesText(argChoices)}`;
    return asSentence(`<${name}> is missing${what === '' ? '' : `: ${what}`}`);
  },
  'commander.missingMandatoryOptionValue': (plain, path, command) => {
    const [, flag] = /option '(.+)' not specified/.exec(plain) ?? [];
    return flag && `${flag} is missing${didYouMean(suggestFromOperands(command.args.slice(0, 1), path))}`;
  },
  'commander.optionMissingArgument': (plain) => {
    const [, flag, value] = /option '(?:-\w, )?(\S+) (.+)' argument/.exec(plain) ?? [];
    return flag && `${flag} needs a value: ${value}.`;
  },
  'commander.invalidArgument': (plain) => {
    const [, flag, value, allowed] =
      /^option '(.+)' argument '(.*)' is invalid\. Allowed choices are (.+)\.$/.exec(plain) ?? [];
    if (flag !== undefined && value !== undefined && allowed !== undefined)
      return notOneOf(flagOf(flag), value, allowed);
    const [, given, name, choices] =
      /^command-argument value '(.*)' is invalid for argument '(.+)'\. Allowed choices are (.+)\.$/.exec(
        plain,
      ) ?? [];
    return name === undefined || given === undefined || choices === undefined
      ? undefined
      : notOneOf(`<${name}>`, given, choices);
  },
};

/** Recognises gh's `--json id,status`. `operands` are the command's: its own name may follow --json too. */
function fieldsAfterFormat(words: readonly string[], operands: readonly string[]): string | null {
  const [, format, fields] =
    / (--json|(?:-o|--output) ?=?(?:nd)?json) ([A-Za-z]+(?:,[A-Za-z]+)*) /.exec(` ${words.join(' ')} `) ?? [];
  if (format === undefined || fields === undefined || !operands.includes(fields)) return null;
  return chosenByFields(format, fields);
}

/** Recognises `login svc_...`. */
const explainKeyAsArgument = (path: string, [key = '']: readonly string[]): string | null =>
  path === 'pixctl login' && key.startsWith('svc_')
    ? `${path} takes no argument: a key would stay in the history of the shell. ${path} alone asks for it; without a terminal give --key-stdin or --key-file <file>.`
    : null;

/** Recognises gh's `-q .data`. */
function jqAfterQuiet(words: readonly string[], [query = '']: readonly string[]): string | undefined {
  if (!query.startsWith('.') || words[words.indexOf('-q') + 1] !== query) return undefined;
  return `-q is --quiet here, and takes no query; did you mean --jq ${commandLine([query])}?`;
}

const chosenByFields = (format: string, fields: string): string =>
  `${format} takes no fields; they are chosen with --fields ${fields}.`;

function unknownCommandMessage(path: string, words: readonly string[], command: Command): string {
  const why = explainMissingCommand(words, path);
  const meant = suggestCommand(words, command, path) ?? suggestFromOperands(words, path);
  return `${path} has no command "${shorten(words[0] ?? '')}"${why === undefined ? didYouMean(meant) : `: ${why}.`}`;
}

/** The first of the words: a shell puts all the names of a folder in place of a `*`. */
function listWords(words: readonly string[]): string {
  // An empty word comes from an empty variable in quotes.
  const shown = words.slice(0, mostWords).map((word) => (word.trim() === '' ? '""' : shorten(word)));
  const more = words.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}
const mostWords = 10;

/** The same line with its words where they belong. */
const suggestReplacement = (words: readonly string[], command: Command, path: string): string | undefined =>
  suggestFromOperands(words, path) ??
  (command.parent?.parent ? undefined : suggestCommand(words, command, path));

function notOneOf(what: string, typed: string, allowed: string): string {
  return `${what} takes one of ${allowed}, not "${shorten(typed)}"${didYouMean(nearest(typed, allowed.split(', ')))}`;
}

/** Returns `--limit` for `-n, --limit <n>`. */
const flagOf = (flags: string): string => flags.replace(/^-\w, /, '').replace(/ .*$/, '');
