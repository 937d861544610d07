/** What an unknown word probably meant: a misspelling, a habit from other programs, a verb without its noun. */
import type { Command } from 'commander';
import { commandLine } from './command-line.ts';
import { helpTopics } from './help-topics.ts';
import { nearest } from './nearest.ts';

/**
 * The whole command that was probably meant; `path` is the part that was understood. Undefined if there is no guess.
 */
export function meantBy(typed: string, command: Command, path: string): string | undefined {
  const line = `${path} ${typed}`;
  if (Object.hasOwn(elsewhere, line)) return `pixctl ${elsewhere[line]}`;
  const isRoot = command.parent === null;
  if (isRoot && Object.hasOwn(nounOf, typed)) return `${path} ${nounOf[typed]} ${typed}`;
  if (isRoot && helpTopics.some((topic) => topic === typed)) return `${path} help ${typed}`;
  const names = namesBelow(command);
  const same = habits.find((words) => words.includes(typed)) ?? [];
  const word = nearest(typed, names) ?? same.find((each) => names.includes(each));
  return word && `${path} ${word}`;
}

/** What other programs' flag is called here, where the command has it; undefined where there is no such habit. */
export function meantByFlag(typed: string, command: Command): string | undefined {
  const known = flagsOf(command);
  return flagHabits.find(
    ([flag, meant]) => flag === typed && (!meant.startsWith('--') || known.includes(meant)),
  )?.[1];
}

/** The flag of the command that is spelt almost so, or begins so. commander finds none where `=` and a value follow. */
export function nearestFlag(typed: string, command: Command): string | undefined {
  const bare = (flag: string) => flag.replace(/^--/, '');
  const name = nearest(bare(typed), flagsOf(command).map(bare));
  return name && `--${name}`;
}

/** Those of every command too. */
const flagsOf = (command: Command): string[] =>
  [...command.options, ...rootOf(command).options].flatMap(({ long, hidden }) =>
    long === null || long === undefined || hidden ? [] : [long],
  );

/**
 * For a word of a known form (an amount, an address), the command with the flag that belongs before it; else undefined.
 */
export function meantByOperand(typed: string, path: string): string | undefined {
  const [, before] = operands.find(([of, , form]) => of === path && form.test(typed)) ?? [];
  return before && `${path} ${before} ${commandLine([typed])}`;
}

const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

/** What may follow a command's own name: those of its commands that help shows. */
export const namesBelow = (command: Command): string[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name());

/** Verbs of one noun, by which people know it. */
const nounOf: Readonly<Record<string, string>> = {
  refund: 'charge',
  create: 'charge',
  qr: 'charge',
  batch: 'withdrawal',
  resolve: 'withdrawal',
  listen: 'webhook',
  trigger: 'webhook',
  replay: 'webhook',
  inbox: 'webhook',
  sign: 'webhook',
  pay: 'sandbox',
  start: 'sandbox',
  fault: 'sandbox',
  decode: 'brcode',
};

/** Each a set of names that programs have for one thing. */
const habits: readonly (readonly string[])[] = [
  ['list', 'ls'],
  ['remove', 'rm', 'delete', 'del'],
  ['get', 'show', 'view', 'describe'],
  ['create', 'add', 'new', 'register'],
  ['use', 'switch', 'select'],
];

/** Commands that people look for under another noun, or that have another name here. */
export const elsewhere: Readonly<Record<string, string>> = {
  'pixctl version': '--version',
  'pixctl auth': 'login',
  'pixctl switch': 'profile use',
  'pixctl events': 'webhook inbox',
  'pixctl forward': 'webhook listen',
  'pixctl resend': 'webhook replay',
  'pixctl payout': 'withdraw',
  'pixctl charge pay': 'sandbox pay',
  'pixctl charge expire': 'sandbox expire',
  'pixctl charge dispute': 'sandbox dispute',
  'pixctl webhook list': 'webhook inbox',
  'pixctl webhook events': 'webhook inbox',
  'pixctl webhook forward': 'webhook listen',
  'pixctl webhook logs': 'webhook inbox',
  'pixctl webhook resend': 'webhook replay',
  'pixctl webhook retry': 'webhook replay',
  'pixctl webhook send': 'webhook trigger',
  'pixctl webhook start': 'webhook listen',
  'pixctl webhook tail': 'webhook listen',
  'pixctl sandbox trigger': 'sandbox emit',
  'pixctl sandbox resend': 'sandbox replay',
  'pixctl sandbox advance': 'sandbox clock advance',
  'pixctl sandbox freeze': 'sandbox clock freeze',
  'pixctl sandbox complete': 'sandbox withdrawal complete',
  'pixctl sandbox fail': 'sandbox withdrawal fail',
  'pixctl sandbox balance': 'sandbox merchant get',
  'pixctl withdraw list': 'withdrawal list',
  'pixctl withdraw batch': 'withdrawal batch',
  'pixctl withdraw status': 'withdrawal status',
  'pixctl withdrawal create': 'withdraw',
  'pixctl withdrawal add': 'withdraw',
  'pixctl withdrawal new': 'withdraw',
};

/** The first that the command has. */
const flagHabits: readonly (readonly [typed: string, meant: string])[] = [
  ['--format', '--output'],
  ['--csv', '-o csv'],
  ['--ndjson', '-o ndjson'],
  ['--jq', '-o json | jq'],
  ['--force', '--yes'],
  ['--verbose', '--debug'],
  ['--log-level', '--debug'],
  ['-v', '--version'],
  ['-L', '--limit'],
  ['--per-page', '--limit'],
  ['--cursor', '--after'],
  ['--starting-after', '--after'],
  ['--ending-before', '--before'],
  ['--api-key', '--key-stdin'],
  ['--api-key', 'the variable PIXCTL_API_KEY'],
  ['--key', '--key-stdin'],
  ['--token', '--key-stdin'],
  ['--with-token', '--key-stdin'],
  ['--secret', '--secret-stdin'],
];

const amount = /^\d{1,9}([.,]\d\d)?$/;
const operands: readonly (readonly [path: string, before: string, form: RegExp])[] = [
  ['pixctl webhook listen', '--forward-to', /^(https?:\/\/.+|[\w.-]+:\d{1,5}(\/.*)?|\d{1,5}(\/.*)?)$/],
  ['pixctl charge create', '--amount', amount],
  ['pixctl withdraw', '--amount', amount],
  ['pixctl webhook add', '--url', /^https?:\/\//],
  ['pixctl login', '--base-url', /^https?:\/\//],
  ['pixctl reconcile', '--orders', /\.csv$/i],
  // As of other programs: without a method it is GET.
  ['pixctl api', 'GET', /\//],
];
