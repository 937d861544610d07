/** The verbs of charges that exist: wait, refund, resolve, list, and of their keys: ledger. Flags only. */
import type { Command } from 'commander';
import { chargeStatuses } from '../../contract/statuses.ts';
import { qualifyNothingSent } from '../../errors.ts';
import { notReached, withHelp } from '../../flags/help.ts';
import { addFilterFlags, addLedgerFlags } from '../../flags/list-flags.ts';
import type { LedgerFlags } from '../../runtime/list-keys.ts';
import type { Runtime } from '../../runtime.ts';
import type { ListFlags } from './list.ts';
import type { ResolveFlags } from './resolve.ts';

export function addHistoryVerbs(charge: Command, runtime: Runtime): void {
  addWaitVerb(charge, runtime);
  addRefundVerb(charge, runtime);
  addResolveVerb(charge, runtime);
  addListVerb(charge, runtime);
  addLedgerVerb(charge, runtime);
}

function addWaitVerb(charge: Command, runtime: Runtime): void {
  withHelp(
    charge
      .command('wait')
      .description('wait until a charge is paid; --timeout bounds the whole wait (default 15m)')
      .argument('<id>', 'id of the charge, chg_...')
      .action(async (id: string) => (await import('./wait.ts')).wait(runtime, id)),
    {
      view: async () => (await import('../../views/charge.ts')).chargeView,
      prompts: { id: async () => (await import('./choose.ts')).chooseCharge(runtime, 'PENDING') },
      examples: {
        'pixctl charge wait chg_1': 'shows the charge once it is paid',
        'pixctl charge wait chg_1 --timeout 5m && ./ship-order': 'ship only when paid',
      },
      exits: ['later', 'auth', 'pending', 'endedBadly', 'notFound'],
      more: 'Only PAID ends with 0. EXPIRED, REFUNDED and DISPUTED end with 83. When the first read fails, the command ends with 75; when a later one fails, it is repeated until the time is up (82). A refusal (77, 88) ends the wait.',
    },
  );
}

function addRefundVerb(charge: Command, runtime: Runtime): void {
  withHelp(
    charge
      .command('refund')
      .description('refund a paid charge, always in full; asks for confirmation on a terminal')
      .argument('<id>', 'id of the charge, chg_...')
      .option('-w, --wait', 'then wait until it reads REFUNDED; --timeout bounds the wait (default 15m)')
      .action(async (id: string, flags: { wait?: boolean }) =>
        (await import('./refund.ts')).refund(runtime, id, flags),
      ),
    {
      view: async () => (await import('../../views/charge.ts')).chargeView,
      dryRun: 'reading',
      prompts: { id: async () => (await import('./choose.ts')).chooseCharge(runtime, 'PAID') },
      confirms: true,
      examples: {
        'pixctl charge refund chg_1': 'shows amount and state, then asks',
        'pixctl charge refund chg_1 --yes -o json': 'unattended',
      },
      exits: ['usage', 'later', 'auth', 'refused', 'unknown', 'pending', 'policy', 'notFound'],
      exitWords: { unknown: 'OUTCOME UNKNOWN: the refund may have been made' },
      more: 'The charge is read first: if it is REFUNDED already, the command ends with 0 and sends nothing. While it still reads PAID, a second run sends a second request, and the document does not say what the service does then: use --wait, or check with charge get first. If the service refuses, the charge is read again before that is reported. At a terminal it asks; with --no-input, or where a terminal cannot ask, it needs --yes. In cron or CI, without any terminal, it does not ask.',
    },
  );
}

function addResolveVerb(charge: Command, runtime: Runtime): void {
  withHelp(
    charge
      .command('resolve')
      .description(
        'settle a charge whose answer was lost: list the candidates, then say which one it is, or none; sends nothing',
      )
      .argument('<idempotency key>', 'the key that the charge was created with')
      .option('--charge <id>', 'it is this charge')
      .option(
        '--not-created',
        'it does not exist; refused until one minute after the request must have ended',
      )
      .option('--allow-duplicate', 'with --not-created: even though the service lists candidates')
      .action((key: string, flags: ResolveFlags) =>
        qualifyNothingSent(async () => (await import('./resolve.ts')).resolve(runtime, key, flags)),
      ),
    {
      view: async () => (await import('../../views/charge.ts')).chargeView,
      prompts: { 'idempotency key': async () => (await import('./choose.ts')).chooseUnresolvedKey(runtime) },
      examples: {
        'pixctl charge resolve order-42': 'lists the candidates',
        'pixctl charge resolve order-42 --charge chg_1': 'the key stands for this charge from now on',
        'pixctl charge resolve order-42 --not-created': 'then run charge create again to send it',
      },
      exits: ['usage', 'storage', 'later', 'auth', 'config', 'unknown', 'duplicate', 'policy', 'notFound'],
      exitWords: {
        later: `${notReached}; too early for --not-created; another run is creating it`,
        unknown: 'it is still not known whether the charge exists',
      },
      more: 'pixctl charge ledger --state SENDING,UNKNOWN lists the keys to settle; of one that is SENDING, the run may still be at it. A wrong --not-created creates a second charge, which somebody may pay as well; a wrong --charge gives the charge of one order to another order.',
    },
  );
}

function addListVerb(charge: Command, runtime: Runtime): void {
  withHelp(
    addFilterFlags(
      charge
        .command('list')
        .description('list charges, a page or all of them')
        .option(
          '-n, --limit <n>',
          'at most this many, 1 to 10000 (default: 20); with --all: per request, at most 100',
        )
        .option('--after <cursor>', 'the page after this cursor')
        .option('--before <cursor>', 'the page before this cursor')
        .option('--all', 'every page, written as it arrives'),
      chargeStatuses,
    )
      .option('--customer <id>', 'only with this customer')
      .action(async (flags: ListFlags) => (await import('./list.ts')).list(runtime, flags)),
    {
      view: async () => (await import('../../views/charge.ts')).chargeView,
      examples: {
        'pixctl charge list': 'the first 20',
        'pixctl charge list --all --status PAID --since 2026-01 --until 2026-01 -o csv --csv-locale pt-BR > january.csv':
          'a month for the accountant, as a Brazilian spreadsheet reads it',
        'pixctl charge list --all -o ndjson --jq .id': 'streamed, one charge per line',
      },
      exits: ['usage', 'unexpected', 'later', 'auth'],
      more: "The service has no filters: --status, --since, --until, --customer and the amounts are applied here, to every page that is read. --since and --until look at when a charge was created: the service shows no time of payment. The order is the service's; --jq 'sort_by(.amount)' makes another. When a long list fails in the middle, the error names the cursor to resume from.",
    },
  );
}

function addLedgerVerb(charge: Command, runtime: Runtime): void {
  withHelp(
    addLedgerFlags(
      charge
        .command('ledger')
        .description(
          'list the idempotency keys of charges, with what became of each; asks the service nothing',
        ),
      'PLANNED, SENDING, ACCEPTED, REFUSED, NOT_SENT, UNKNOWN',
    ).action(async (flags: LedgerFlags) => (await import('./ledger.ts')).ledger(runtime, flags)),
    {
      view: async () => (await import('./ledger-view.ts')).entryView,
      examples: {
        'pixctl charge ledger': 'after a crash: what became of each key',
        'pixctl charge ledger --state SENDING,UNKNOWN': 'whose outcome is not known',
        'pixctl charge ledger -o csv --fields idempotencyKey,chargeId': 'which order has which charge',
      },
      exits: ['usage', 'storage', 'config'],
      more: 'In the order of the keys. The exit code does not reflect their states. No API key is needed. ACCEPTED means that the charge was created; pixctl charge get <id> shows whether it is paid. The run that is SENDING may have died. pixctl charge resolve <key> settles that, and what is UNKNOWN.',
    },
  );
}
