/** Which command a word that names none meant: misspelled, a habit from other programs, a verb without its noun. */
import type { Command } from 'commander';
import { nearest } from './nearest.ts';

/** What follows `path`, or undefined. */
export function meantBy(typed: string, command: Command): string | undefined {
  const names = namesBelow(command);
  const isRoot = command.parent === null;
  if (isRoot && typed === 'version') return '--version';
  if (isRoot && Object.hasOwn(nounOf, typed)) return `${nounOf[typed]} ${typed}`;
  const same = habits.find((words) => words.includes(typed)) ?? [];
  return nearest(typed, names) ?? same.find((word) => names.includes(word));
}

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
