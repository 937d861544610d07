/** `pixctl help`: a command's help, or one of the topics. */
import { Command } from 'commander';
import { withHelp } from '../../flags/help.ts';
import { helpTopics } from '../../flags/help-topics.ts';
import type { Runtime } from '../../runtime.ts';

export function helpCommand(runtime: Runtime): Command {
  const command = new Command('help')
    .description('explain a command, list all of them, or explain exit codes, environment, amounts, output')
    .argument('[words...]', `a command, or ${helpTopics.join(', ')}`)
    .action(async (words: string[], _flags: unknown, self: Command) =>
      (await import('./help.ts')).help(runtime, words, self.parent ?? self),
    );
  return withHelp(command, {
    examples: {
      'pixctl help commands': 'all of them at a glance; -o json for a program, with their flags',
      'pixctl help exit-codes': 'what each code allows a script to do',
      'pixctl help environment': 'the variables that are read; -o json for a program',
      'pixctl help output': 'formats, fields, and filters with --jq',
      'pixctl help charge create': 'the same as pixctl charge create --help; -o json for a program',
    },
    exits: ['usage'],
  });
}
