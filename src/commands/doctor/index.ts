/** `pixctl doctor`. Flags only. */
import { Command } from 'commander';
import { withHelp } from '../../flags/help.ts';
import { defaultPort } from '../../flags/whole-number.ts';
import type { Runtime } from '../../runtime.ts';

export function doctorCommand(runtime: Runtime): Command {
  const command = new Command('doctor')
    .description(
      'check this machine, the settings, the service, the ledger and the inbox; say how to fix what is wrong',
    )
    .option('--offline', 'do not ask the service')
    .option('--port <n>', 'the port that webhook listen will use', String(defaultPort))
    .action(async (flags: { offline?: boolean; port: string }) =>
      (await import('./doctor.ts')).doctor(runtime, flags),
    );
  return withHelp(command, {
    view: async () => (await import('./finding.ts')).findingView,
    examples: {
      'pixctl doctor': 'every check, each with its remedy',
      'pixctl doctor -o json --offline': 'for a health check, without a request',
    },
    exits: ['usage', 'config'],
    more: 'A warning does not change the exit code; anything wrong ends with 78. A ledger is opened as a withdrawal opens it: its tables are brought up to date, and its id is stored in the settings (ledger.id) if none is.',
  });
}
