/** `pixctl completion`, and the hidden `complete` that the shells call. Flags only. */
import { Argument, Command } from 'commander';
import { usageError } from '../../errors.ts';
import { withHelp } from '../../flags/help.ts';
import { allowEmpty } from '../../flags/mistakes/value-checks.ts';
import type { Runtime } from '../../runtime.ts';
import { type Shell, shells } from './shells.ts';

export function completionCommand(runtime: Runtime): Command {
  const command = new Command('completion')
    .description('print the completion script of a shell, or install it')
    .addArgument(
      new Argument('<shell>', 'the shell; or install, for the shell in use').choices([...shells, 'install']),
    )
    .addArgument(new Argument('[of]', 'with install: the shell').choices(shells))
    .action(async (shell: Shell | 'install', of: Shell | undefined) => {
      if (shell === 'install') return (await import('./install.ts')).install(runtime, of);
      if (of !== undefined)
        throw usageError(
          'A second word is allowed only after install.',
          `To install it: pixctl completion install ${of}`,
        );
      await (await import('./script.ts')).printScript(runtime, shell);
    });
  return withHelp(command, {
    dryRun: true,
    examples: {
      'pixctl completion install': 'once; adds a line to the start file of your shell',
      'source <(pixctl completion bash)': 'for this session only',
    },
    exits: ['usage', 'config'],
    more: 'Completes commands, flags and values: profiles, states, events, routes, tunnels, recent ids from the local ledger.',
  });
}

/** Makes the command that shells call as `pixctl complete -- <words so far>`. It prints candidates. */
export function completeCommand(runtime: Runtime): Command {
  return new Command('complete')
    .addArgument(allowEmpty(new Argument('[words...]')))
    .action(async (words: string[], _flags: unknown, self: Command) =>
      (await import('./complete.ts')).complete(runtime, words, self.parent ?? self),
    );
}
