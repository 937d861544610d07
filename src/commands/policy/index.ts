/** `pixctl policy`: what this machine may pay out. Flags only. */
import { Command } from 'commander';
import { withHelp } from '../../flags/help.ts';
import type { Runtime } from '../../runtime.ts';
import type { PolicyFlags } from './set.ts';

export function policyCommand(runtime: Runtime): Command {
  const command = new Command('policy').description(
    'local limits on withdrawals, checked before anything is sent (exit 87)',
  );
  command.addCommand(show(runtime));
  command.addCommand(set(runtime));
  return withHelp(command, {
    examples: {
      'pixctl policy show': 'what is in force',
      'pixctl policy set --max-withdrawal 5000,00 --max-day 20000,00': 'caps',
    },
    exits: [],
  });
}

const show = (runtime: Runtime) =>
  withHelp(
    new Command('show')
      .description('show the policy in force')
      .action(async () => (await import('./show.ts')).show(runtime)),
    {
      view: async () => (await import('./view.ts')).policyView,
      examples: {
        'pixctl policy show': 'for people',
        'pixctl policy show -o json': 'for scripts; amounts are cents',
      },
      exits: ['config'],
    },
  );

const set = (runtime: Runtime) =>
  withHelp(
    new Command('set')
      .description('change the rules you name; the others stay')
      .option('--max-withdrawal <amount>', 'largest single withdrawal (10,50 or 1050 cents), or none')
      .option('--max-day <amount>', 'largest sum in one calendar day for each merchant, or none')
      .option('--saved-only <true|false>', 'pay saved destinations only')
      .option('--quiet-hours <HH:MM-HH:MM>', 'no withdrawals in these hours, or none')
      .option('--time-zone <zone>', 'zone of the day and of the quiet hours (default: America/Sao_Paulo)')
      .option(
        '--confirm-above <amount>',
        'above this amount, confirm by typing it, or none (default: 1.000,00)',
      )
      .action(async (flags: PolicyFlags) => (await import('./set.ts')).set(runtime, flags)),
    {
      view: async () => (await import('./view.ts')).policyView,
      examples: {
        'pixctl policy set --max-withdrawal 5000,00 --max-day 20000,00 --saved-only true':
          'limits, and saved destinations only',
        'pixctl policy set --quiet-hours 22:00-06:00': 'nothing leaves at night',
        'pixctl policy set --quiet-hours none': 'remove a rule',
      },
      exits: ['usage', 'config'],
      more: 'The policy protects against mistakes on this machine. It is part of the settings: whoever can change those can remove it. The daily limit counts what this ledger has sent, and what it may have sent.',
    },
  );
