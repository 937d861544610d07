/** `pixctl withdraw` and `pixctl withdrawal`: flags only; each verb's body is loaded when it runs. */
import { Command, Option } from 'commander';
import { qualifyNothingSent } from '../../errors.ts';
import { withHelp } from '../../flags/help.ts';
import { keyTypeFlag } from '../../flags/list-flags.ts';
import type { Runtime } from '../../runtime.ts';
import { exitWords, sendingExits } from './exits.ts';
import { addLedgerVerbs } from './ledger-verbs.ts';
import { addServiceVerbs } from './service-verbs.ts';
import type { WithdrawFlags } from './withdraw/order.ts';

export function withdrawCommand(runtime: Runtime): Command {
  const command = new Command('withdraw')
    .description('pay out to a PIX key, at most once for each idempotency key')
    .option('-a, --amount <amount>', 'cents (1050) or reais with two decimals (10,50); 50 to 100000000 cents')
    .option('-t, --to <key or destination>', 'a PIX key, or the name of a saved destination')
    .option(...keyTypeFlag)
    .option(
      '-k, --idempotency-key <key>',
      'your name for this one withdrawal; running it again never pays twice',
    )
    .option('-w, --wait', 'then follow it to COMPLETED; --timeout bounds the wait (default 10m)')
    .addOption(
      new Option(
        '--if-busy <what>',
        'when another withdrawal is in flight: fail and skip end with 75, skip without an error message; --timeout bounds wait (default 10m)',
      )
        .choices(['fail', 'wait', 'skip'])
        .default('fail'),
    )
    .option(
      '--max-amount <amount>',
      'refuse a larger amount than this (exit 87); for scripts that compute the amount',
    )
    .option(
      '--allow-duplicate',
      'send even though the service lists a recent equal payment that no key of this label and address has, or another address has paid it',
    )
    .action((flags: WithdrawFlags) =>
      qualifyNothingSent(async () => (await import('./withdraw/withdraw.ts')).withdraw(runtime, flags)),
    );
  return withHelp(command, {
    dryRun: 'reading',
    view: async () => (await import('./receipt.ts')).receiptView,
    examples: {
      'pixctl withdraw': 'asks for what is missing, shows a summary, asks for confirmation',
      'pixctl withdraw --amount 1050,00 --to rent --idempotency-key rent-2026-03 --yes --wait':
        'from cron: safe to run again, whatever the exit code',
      'pixctl withdraw --amount 1050 --to maria@example.com --dry-run': 'what would happen',
    },
    exits: ['usage', ...sendingExits],
    exitWords,
    more: "The service debits its fee on top of the amount. Running the same withdrawal again with the same idempotency key is always safe, whatever the exit code. Without a terminal, --amount, --to, --idempotency-key and --yes are needed. Afterwards pixctl withdrawal status <key> shows what became of it, and pixctl withdrawal audit compares the whole ledger with the service's list.",
  });
}

export function withdrawalCommand(runtime: Runtime): Command {
  const command = new Command('withdrawal').description(
    'list and follow withdrawals, settle unknown ones, pay a file of them',
  );
  addServiceVerbs(command, runtime);
  addLedgerVerbs(command, runtime);
  return withHelp(command, {
    examples: {
      'pixctl withdrawal batch march.csv --yes': 'pay a file, each line at most once',
      'pixctl withdrawal reconcile': 'after exit 81 or 84: settle what is unknown',
      'pixctl withdrawal audit': 'every night: does the service list what this ledger paid, and no more',
    },
    exits: [],
    exitWords,
    more: 'A single withdrawal is sent by pixctl withdraw.',
  });
}
