/** `pixctl reconcile`: flags only. */
import { Command } from 'commander';
import { notReached, withHelp } from '../../flags/help.ts';
import { addPeriodFlags } from '../../flags/list-flags.ts';
import type { Runtime } from '../../runtime.ts';
import type { ReconcileFlags } from './reconcile.ts';

export function reconcileCommand(runtime: Runtime): Command {
  const reconcile = new Command('reconcile')
    .description('compare your own list of orders with the charges of the service')
    .requiredOption('--orders <file.csv>', 'your orders; - is stdin')
    .option('--all', 'show the orders that agree, too')
    .option('--unclaimed', 'also show paid charges that no order names');
  addPeriodFlags(reconcile, 'with --unclaimed: only charges created').action(async (flags: ReconcileFlags) =>
    (await import('./reconcile.ts')).reconcile(runtime, flags),
  );
  return withHelp(reconcile, {
    view: async () => (await import('./view.ts')).resultView,
    examples: {
      'pixctl reconcile --orders orders.csv': 'what does not agree',
      'pixctl reconcile --orders orders.csv --all -o csv > result.csv': 'every order, for a spreadsheet',
      'pixctl reconcile --orders january.csv --unclaimed --since 2026-01 --until 2026-01': 'a month',
    },
    exits: ['usage', 'data', 'later', 'auth', 'endedBadly'],
    exitWords: {
      data: 'the file of orders is bad',
      later: notReached,
      endedBadly: 'some orders do not agree, or a paid charge has no order (--unclaimed)',
    },
    more: [
      'The file is CSV in UTF-8, with , or ; and a header. Columns, in any order; others are ignored:',
      '  order_id     your own name for the order',
      '  amount       what was to be paid: cents (1050) or reais ("10,50")',
      '  charge_id    the charge, chg_...; or',
      '  txid         its transaction identifier; one of the two is enough',
      'An order charged more than once has a line for each charge.',
      '',
      'Findings: OK, MISSING (the service has no such charge), UNPAID, PAID_TWICE, WRONG_AMOUNT, REFUNDED, DISPUTED, SHARED (two orders name one charge), UNKNOWN_STATUS, and UNCLAIMED. Any but OK ends with 83.',
    ].join('\n'),
  });
}
