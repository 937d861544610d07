/** `pixctl withdrawal list | get | wait`: what the service says. Flags only. */
import type { Command } from 'commander';
import { withdrawalStatuses } from '../../contract/statuses.ts';
import { notReached, withHelp } from '../../flags/help.ts';
import { addFilterFlags } from '../../flags/list-flags.ts';
import type { Runtime } from '../../runtime.ts';
import type { ListFlags } from './service/list.ts';

export function addServiceVerbs(withdrawal: Command, runtime: Runtime): void {
  withHelp(
    addFilterFlags(
      withdrawal
        .command('list')
        .description('list withdrawals, as the service has them')
        .option('-n, --limit <n>', 'at most this many, 1 to 10000 (default: 20)')
        .option('--all', 'every page, written as it arrives'),
      withdrawalStatuses,
    ).action(async (flags: ListFlags) => (await import('./service/list.ts')).list(runtime, flags)),
    {
      view: async () => (await import('./service/listed-key.ts')).listedView,
      examples: {
        'pixctl withdrawal list': 'the first 20',
        'pixctl withdrawal list --all --since 2026-03 --until 2026-03 -o csv --fields createdAt,idempotencyKey,amount,fee,pixKey,status,id':
          'a month for the auditor: which of your keys paid what, to whom',
        'pixctl withdrawal list --status FAILED --since 7d -o json': 'what failed this week',
      },
      exits: ['usage', 'storage', 'later', 'auth', 'config'],
      exitWords: { later: notReached },
      more: 'The filters are applied here, page by page. A withdrawal without a creation time is left out of --since and --until. idempotencyKey comes from the ledger, and is read only where --fields names it; it is empty for what no key of this label and address has.',
    },
  );
  withHelp(
    withdrawal
      .command('get')
      .description('show one withdrawal')
      .argument('<id>', 'id of the withdrawal, as the service lists it')
      .action(async (id: string) => (await import('./service/get.ts')).get(runtime, id)),
    {
      view: async () => (await import('../../views/withdrawal.ts')).withdrawalView,
      prompts: { id: async () => (await import('./choose.ts')).chooseWithdrawal(runtime) },
      examples: {
        'pixctl withdrawal get wd_0001': 'for people',
        'pixctl withdrawal get wd_0001 -o json': 'for scripts',
      },
      exits: ['later', 'auth', 'notFound'],
      exitWords: { later: notReached },
    },
  );
  withHelp(
    withdrawal
      .command('wait')
      .description('follow one withdrawal to its end; --timeout bounds the wait (default 10m)')
      .argument('<id>', 'id of the withdrawal, as the service lists it')
      .action(async (id: string) => (await import('./service/wait.ts')).wait(runtime, id)),
    {
      view: async () => (await import('../../views/withdrawal.ts')).withdrawalView,
      prompts: {
        id: async () => (await import('./choose.ts')).chooseWithdrawal(runtime, { inFlight: true }),
      },
      examples: {
        'pixctl withdrawal wait wd_0001': 'exit 0 means COMPLETED',
        'pixctl withdrawal wait wd_0001 --timeout 1h': 'waits longer',
      },
      exits: ['later', 'auth', 'pending', 'endedBadly', 'notFound'],
      exitWords: { later: notReached },
    },
  );
}
