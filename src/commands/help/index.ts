/** `pixctl help`: a command's help, or one of three topics. */
import { Command } from 'commander';
import { withHelp } from '../../flags/help.ts';
import type { Runtime } from '../../runtime.ts';
import { helpTopics } from './topics.ts';

export function helpCommand(runtime: Runtime): Command {
  const command = new Command('help')
    .description('explain a command, the exit codes, the environment or amounts')
    .argument('[words...]', `a command, or ${helpTopics.join(', ')}`)
    .action(async (words: string[], _flags: unknown, self: Command) =>
      (await import('./help.ts')).help(runtime, words, self.parent ?? self),
    );
  return withHelp(command, {
    examples: [
      { run: 'pixctl help exit-codes', does: 'what a script may conclude from each' },
      { run: 'pixctl help environment', does: 'the variables that are read' },
      { run: 'pixctl help charge create', does: 'the same as pixctl charge create --help' },
    ],
    exits: ['usage'],
  });
}
