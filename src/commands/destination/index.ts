/** `pixctl destination`: PIX keys saved under a name. Flags only. */
import { Command } from 'commander';
import { withHelp } from '../../flags/help.ts';
import { keyTypeFlag } from '../../flags/list-flags.ts';
import type { Runtime } from '../../runtime.ts';

export function destinationCommand(runtime: Runtime): Command {
  const command = new Command('destination').description(
    'save PIX keys under a name, for `withdraw --to` and for the policy',
  );
  command.addCommand(add(runtime));
  command.addCommand(list(runtime));
  command.addCommand(remove(runtime));
  return withHelp(command, {
    examples: {
      'pixctl destination add rent --key owner@example.com': 'save a key',
      'pixctl withdraw --amount 1050,00 --to rent': 'pay it by its name',
    },
    exits: [],
  });
}

const add = (runtime: Runtime) =>
  withHelp(
    new Command('add')
      .description('save a PIX key under a name')
      .argument('<name>', 'its name: lower-case letters, digits, dashes and underscores, a letter first')
      .requiredOption('--key <pix key>', 'CPF, CNPJ, e-mail, phone or random key')
      .option(...keyTypeFlag)
      .action(async (name: string, flags: { key: string; type?: string }) =>
        (await import('./add.ts')).add(runtime, name, flags),
      ),
    {
      prompts: {
        '--key': async (command) => (await import('./ask.ts')).askKey(runtime, command),
        name: async () => (await import('./ask.ts')).askName(runtime),
      },
      view: async () => (await import('./view.ts')).destinationView,
      examples: {
        'pixctl destination add rent --key owner@example.com': 'an e-mail key',
        'pixctl destination add maria --key 52998224725 --type CPF': 'a CPF',
      },
      exits: ['usage', 'config', 'policy'],
      more: 'A name that exists is replaced only after confirmation (--yes when nobody can be asked).',
    },
  );

const list = (runtime: Runtime) =>
  withHelp(
    new Command('list')
      .description(
        'list the saved destinations; keys are masked on a terminal, and complete in a pipe, json and csv',
      )
      .action(async () => (await import('./list.ts')).list(runtime)),
    {
      view: async () => (await import('./view.ts')).destinationView,
      examples: {
        'pixctl destination list': 'for people',
        'pixctl destination list -o json': 'for scripts',
      },
      exits: ['config'],
    },
  );

const remove = (runtime: Runtime) =>
  withHelp(
    new Command('remove')
      .description('remove a saved destination')
      .argument('<name>', 'name of the destination')
      .action(async (name: string) => (await import('./remove.ts')).remove(runtime, name)),
    {
      prompts: { name: async () => (await import('./ask.ts')).chooseDestination(runtime) },
      confirms: true,
      view: async () => (await import('./view.ts')).destinationView,
      examples: {
        'pixctl destination remove rent': 'asks first',
        'pixctl destination remove rent --yes': 'does not ask',
      },
      exits: ['usage', 'config', 'policy'],
    },
  );
