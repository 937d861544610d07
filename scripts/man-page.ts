/** Writes the man page, in the man macros of roff. */
import type { Command } from 'commander';
import { environmentVariables } from '../src/commands/help/environment.ts';
import { exitCodes } from '../src/errors.ts';
import { fieldsOf, helpNotes, questionsOf, rehearsalOf } from '../src/flags/help.ts';
import { optionText } from '../src/flags/help-look.ts';
import { type Documented, documented, flagsOf, usage } from './command-text.ts';

export function manPage(program: Command): string {
  return `${[
    `.\\" Made by "npm run docs" from the command definitions; do not edit.`,
    '.TH PIXCTL 1 "" pixctl "User Commands"',
    '.SH NAME',
    `pixctl \\- ${plain('the command line for a PIX Payment Service')}`,
    '.SH SYNOPSIS',
    '.B pixctl',
    '.I command',
    '[flags]',
    '.SH DESCRIPTION',
    plain(program.description()),
    'stdout is data; prompts, progress, hints and errors go to stderr. Nothing asks when there is nobody to answer.',
    '.SH FLAGS OF EVERY COMMAND',
    ...options(program),
    '.SH COMMANDS',
    ...documented(program).flatMap(section),
    '.SH EXIT STATUS',
    ...Object.values(exitCodes).flatMap(({ exit, meaning }) => tagged(String(exit), meaning)),
    '.SH ENVIRONMENT',
    ...environmentVariables.flatMap(({ name, does }) => tagged(name, does)),
    '.SH FILES',
    'pixctl config path prints where settings, secrets and state are stored.',
  ].join('\n')}\n`;
}

function section({ path, command, sameAs }: Documented): string[] {
  if (sameAs !== null) return [`.SS ${quoted(path)}`, plain(`The same as ${sameAs}.`)];
  const notes = helpNotes(command);
  const questions = questionsOf(notes ?? {});
  const rehearsal = rehearsalOf(notes ?? {});
  return [
    `.SS ${quoted(path)}`,
    plain(command.description()),
    '.PP',
    `.B ${quoted(usage(path, command))}`,
    ...command.registeredArguments.flatMap((argument) => tagged(argument.name(), argument.description)),
    ...options(command),
    ...(fieldsOf(command).length === 0
      ? []
      : ['.PP', plain(`Fields for --fields: ${fieldsOf(command).join(', ')}`)]),
    ...(notes?.more === undefined ? [] : ['.PP', ...notes.more.split('\n').map(plain)]),
    ...(questions === null ? [] : ['.PP', plain(questions)]),
    ...(rehearsal === null ? [] : ['.PP', plain(rehearsal)]),
    ...(notes?.examples ?? []).flatMap(({ run, does }) => [
      '.PP',
      `${plain(does)}:`,
      '.PP',
      '.nf',
      ...run.split('\n').map((line) => `    ${plain(line)}`),
      '.fi',
    ]),
  ];
}

const options = (command: Command): string[] =>
  flagsOf(command).flatMap((option) => tagged(option.flags, optionText(option)));

const tagged = (tag: string, text: string): string[] => ['.TP', `.B ${quoted(tag)}`, plain(text)];
const quoted = (text: string): string => `"${plain(text).replaceAll('"', '\\(dq')}"`;

/** Escapes text so that roff reads it as text: no escapes, no requests, hyphens that can be copied. */
const plain = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
    .replaceAll('…', '...');
