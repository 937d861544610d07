/**
 * Writes docs/commands.md and man/pixctl.1 from the same command definitions that --help prints.
 *
 *   node scripts/docs.ts
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { exitCodes } from '../src/errors.ts';
import { describeDryRun, describePrompts, exitMeaning, fieldsOf, helpNotes } from '../src/flags/help.ts';
import { optionText } from '../src/flags/help-format.ts';
import { createProgram } from '../src/program.ts';
import type { Runtime } from '../src/runtime.ts';
import {
  argumentsOf,
  type DocumentedCommand,
  flagsOf,
  listDocumentedCommands,
  paragraphsOf,
  usage,
} from './command-text.ts';
import { formatManPage } from './man-page.ts';

/** Returns every generated file, by its path from the root. */
export async function generateDocuments(): Promise<Record<string, string>> {
  // Commands use their runtime only when they run, and none does here.
  const program = await createProgram({} as Runtime, 'all');
  return { 'docs/commands.md': commandsPage(program), 'man/pixctl.1': formatManPage(program) };
}

function commandsPage(program: Command): string {
  const sections = listDocumentedCommands(program).map(section);
  return [
    '# Commands',
    '',
    '<!-- Made by `npm run docs` from the command definitions; do not edit. -->',
    '',
    program.description(),
    '',
    '## Flags of every command',
    '',
    optionList(program),
    '',
    ...sections,
  ].join('\n');
}

function section({ path, command, sameAs }: DocumentedCommand): string {
  if (sameAs !== null) return `## ${path}\n\nThe same as [\`${sameAs}\`](#${sameAs.replaceAll(' ', '-')}).\n`;
  const notes = helpNotes(command);
  const blocks = [`## ${path}`, command.description(), `    ${usage(path, command)}`];
  const args = argumentsOf(command).map(([name, text]) => `- \`${name}\`: ${text}`);
  if (args.length > 0) blocks.push(args.join('\n'));
  if (optionList(command) !== '') blocks.push(optionList(command));
  for (const { kind, text } of paragraphsOf(notes?.more ?? ''))
    blocks.push(kind === 'lines' ? fenced(text, 'text') : text);
  const questions = describePrompts(notes ?? {});
  if (questions !== null) blocks.push(questions);
  const rehearsal = describeDryRun(notes ?? {});
  if (rehearsal !== null) blocks.push(rehearsal);
  for (const [run, does] of Object.entries(notes?.examples ?? {}))
    blocks.push(`${sentence(does)}:`, fenced(run));
  const fields = fieldsOf(command);
  if (fields.length > 0)
    blocks.push(`Fields for \`--fields\`: ${fields.map((name) => `\`${name}\``).join(', ')}.`);
  if (notes !== undefined && notes.exits.length > 0) {
    const codes = notes.exits.map((name) => `- \`${exitCodes[name].exit}\` ${exitMeaning(command, name)}`);
    blocks.push('Exit codes to handle (all: `pixctl help exit-codes`):', codes.join('\n'));
  }
  return `${blocks.join('\n\n')}\n`;
}

const optionList = (command: Command): string =>
  flagsOf(command)
    .map((option) => `- \`${option.flags}\`: ${optionText(option)}`)
    .join('\n');

const fenced = (text: string, language = 'sh'): string => `\`\`\`${language}\n${text}\n\`\`\``;
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = new URL('../', import.meta.url);
  await mkdir(new URL('man/', root), { recursive: true });
  for (const [path, text] of Object.entries(await generateDocuments()))
    await writeFile(new URL(path, root), text);
}
