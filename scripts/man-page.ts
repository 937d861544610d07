/** Writes the man page, in the man macros of roff. */
import type { Command } from 'commander';
import { environmentVariables } from '../src/commands/help/environment.ts';
import { exitCodes } from '../src/errors.ts';
import { describeDryRun, describePrompts, fieldsOf, helpNotes } from '../src/flags/help.ts';
import { optionText } from '../src/flags/help-format.ts';
import {
  argumentsOf,
  type DocumentedCommand,
  flagsOf,
  listDocumentedCommands,
  paragraphsOf,
  usage,
} from './command-text.ts';

export function formatManPage(program: Command): string {
  return `${[
    `.\\" Made by "npm run docs" from the command definitions; do not edit.`,
    '.TH PIXCTL 1 "" pixctl "User Commands"',
    '.SH NAME',
    `pixctl \\- ${escapeRoff('the command line for a PIX Payment Service')}`,
    '.SH SYNOPSIS',
    '.B pixctl',
    '.I command',
    '[flags]',
    '.SH DESCRIPTION',
    escapeRoff(program.description()),
    'stdout is data; prompts, progress, hints and errors go to stderr. Nothing asks when there is nobody to answer.',
    '.SH FLAGS OF EVERY COMMAND',
    ...options(program),
    '.SH COMMANDS',
    ...listDocumentedCommands(program).flatMap(section),
    '.SH EXIT STATUS',
    ...Object.values(exitCodes).flatMap(({ exit, meaning }) => tagged(String(exit), meaning)),
    '.SH ENVIRONMENT',
    ...environmentVariables.flatMap(({ name, does }) => tagged(name, does)),
    '.SH FILES',
    'pixctl config path prints where settings, secrets and state are stored.',
  ].join('\n')}\n`;
}

function section({ path, command, sameAs }: DocumentedCommand): string[] {
  if (sameAs !== null) return [`.SS ${quoted(path)}`, escapeRoff(`The same as ${sameAs}.`)];
  const notes = helpNotes(command);
  const questions = describePrompts(notes ?? {});
  const rehearsal = describeDryRun(notes ?? {});
  return [
    `.SS ${quoted(path)}`,
    escapeRoff(command.description()),
    '.PP',
    `.B ${quoted(usage(path, command))}`,
    ...argumentsOf(command).flatMap(([name, text]) => tagged(name, text)),
    ...options(command),
    ...(fieldsOf(command).length === 0
      ? []
      : ['.PP', escapeRoff(`Fields for --fields: ${fieldsOf(command).join(', ')}`)]),
    ...paragraphsOf(notes?.more ?? '').flatMap(({ kind, text }) => [
      '.PP',
      ...(kind === 'lines' ? unfilled(text.split('\n')) : [escapeRoff(text)]),
    ]),
    ...(questions === null ? [] : ['.PP', escapeRoff(questions)]),
    ...(rehearsal === null ? [] : ['.PP', escapeRoff(rehearsal)]),
    ...Object.entries(notes?.examples ?? {}).flatMap(([run, does]) => [
      '.PP',
      `${escapeRoff(does)}:`,
      '.PP',
      ...unfilled(run.split('\n').map((line) => `    ${line}`)),
    ]),
  ];
}

const unfilled = (lines: readonly string[]): string[] => ['.nf', ...lines.map(escapeRoff), '.fi'];

const options = (command: Command): string[] =>
  flagsOf(command).flatMap((option) => tagged(option.flags, optionText(option)));

const tagged = (tag: string, text: string): string[] => ['.TP', `.B ${quoted(tag)}`, escapeRoff(text)];
const quoted = (text: string): string => `"${escapeRoff(text).replaceAll('"', '\\(dq')}"`;

/** Escapes text so that roff reads it as text: no escapes, no requests, hyphens that can be copied. */
const escapeRoff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
    .replaceAll('…', '...');
