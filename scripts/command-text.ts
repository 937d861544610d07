/** What both documents say about a command, in the words of its definition. */
import type { Command, Option } from 'commander';
import { helpNotes } from '../src/flags/help.ts';
import { choicesText } from '../src/flags/help-format.ts';

export interface DocumentedCommand {
  /** Like `pixctl charge get`. */
  readonly path: string;
  readonly command: Command;
  /** The path of the command that this is another name for; null for a command in its own right. */
  readonly sameAs: string | null;
}

/**
 * Returns the commands that do something, in the order of the tree. Of several names for one command, the shortest is
 * the main one.
 */
export function listDocumentedCommands(program: Command): DocumentedCommand[] {
  const paths = new Map<string, string>();
  const all = [...walk(program)].map(([path, command]) => ({ path, command, says: definitionText(command) }));
  for (const { path, says } of all) {
    const known = paths.get(says);
    if (known === undefined || path.length < known.length) paths.set(says, path);
  }
  return all.map(({ path, command, says }) => {
    const own = paths.get(says);
    return { path, command, sameAs: own === undefined || own === path ? null : own };
  });
}

function* walk(command: Command, path = command.name()): Generator<[string, Command]> {
  if (command.parent !== null) yield [path, command];
  for (const child of command.createHelp().visibleCommands(command))
    yield* walk(child, `${path} ${child.name()}`);
}

const definitionText = (command: Command): string =>
  JSON.stringify([
    command.description(),
    command.usage(),
    flagsOf(command).map(({ flags, description }) => [flags, description]),
    helpNotes(command)?.examples,
  ]);

export const usage = (path: string, command: Command): string => `${path} ${command.usage()}`;

/** Returns the arguments that need words, and those words. */
export const argumentsOf = (command: Command): [name: string, text: string][] =>
  command.registeredArguments
    .filter(({ description }) => description !== '')
    .map((it) => [it.name(), `${it.description}${choicesText(it.argChoices)}`]);

/** What else help says (`more`), in paragraphs. `lines`: those that begin with a space stay as help shows them. */
export function paragraphsOf(more: string): { readonly kind: 'prose' | 'lines'; readonly text: string }[] {
  const runs = more.match(/(?:^ .*\n?)+|^\S.*/gm) ?? [];
  return runs.map((text) => ({ kind: text.startsWith(' ') ? 'lines' : 'prose', text: text.trimEnd() }));
}

/** Returns all flags but --help, which every command has. */
export const flagsOf = (command: Command): Option[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help');
