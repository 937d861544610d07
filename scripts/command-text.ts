/** What both documents say of a command, in the words of its definition. */
import type { Command, Option } from 'commander';

/** Commands that do something, in the order of the tree, with their paths. */
export function* documented(command: Command, path = command.name()): Generator<[string, Command]> {
  const children = command.createHelp().visibleCommands(command);
  if (command.parent !== null) yield [path, command];
  for (const child of children) yield* documented(child, `${path} ${child.name()}`);
}

export const usage = (path: string, command: Command): string => `${path} ${command.usage()}`;

/** All but --help, which every command has. */
export const flagsOf = (command: Command): Option[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help');
