/** `pixctl customer`: flags only. */
import { Command } from 'commander';
import { notReached, withHelp } from '../../flags/help.ts';
import type { Runtime } from '../../runtime.ts';

export function customerCommand(runtime: Runtime): Command {
  const customer = new Command('customer').description(
    'show customers; the document does not show how they are created',
  );
  withHelp(
    customer
      .command('get')
      .description('show one customer')
      .argument('<id>', 'id of the customer, cust_...')
      .action(async (id: string) => (await import('./get.ts')).get(runtime, id)),
    {
      view: async () => (await import('../../views/customer.ts')).customerView,
      prompts: {
        id: async () =>
          (await import('../../runtime/choose.ts')).askText(runtime, 'Id of the customer (cust_...):'),
      },
      examples,
      exits: ['later', 'auth', 'notFound'],
    },
  );
  return withHelp(customer, {
    examples,
    exits: [],
    exitWords: { later: notReached },
  });
}

const examples = {
  'pixctl customer get cust_1': 'name, tax id, contact',
  'pixctl customer get cust_1 -o json': 'as the service sends it',
};
