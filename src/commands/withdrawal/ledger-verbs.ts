/** `pixctl withdrawal status | ledger | reconcile | resolve | audit | batch`: what the ledger knows. Flags only. */
import type { Command } from 'commander';
import { qualifyNothingSent } from '../../errors.ts';
import { notReached, withHelp } from '../../flags/help.ts';
import { addLedgerFlags, sinceForms, zoneOfDays } from '../../flags/list-flags.ts';
import type { LedgerFlags } from '../../runtime/list-keys.ts';
import type { Runtime } from '../../runtime.ts';
import type { BatchFlags } from './batch/batch.ts';
import { lookingExits, sendingExits } from './exits.ts';
import type { AuditFlags } from './ledger/audit.ts';
import type { ResolveFlags } from './ledger/resolve.ts';

export function addLedgerVerbs(withdrawal: Command, runtime: Runtime): void {
  addStatus(withdrawal, runtime);
  addLedger(withdrawal, runtime);
  addReconcile(withdrawal, runtime);
  addResolve(withdrawal, runtime);
  addAudit(withdrawal, runtime);
  addBatch(withdrawal, runtime);
}

function addStatus(withdrawal: Command, runtime: Runtime): void {
  withHelp(
    withdrawal
      .command('status')
      .description('show what the ledger knows about an idempotency key, with its history; sends nothing')
      .argument('<idempotency key>', 'the key that the withdrawal was sent with')
      .action((key: string) =>
        qualifyNothingSent(async () => (await import('./ledger/status.ts')).status(runtime, key)),
      ),
    {
      prompts: { 'idempotency key': async () => (await import('./choose.ts')).chooseRecordedKey(runtime) },
      view: async () => (await import('./receipt.ts')).receiptView,
      examples: {
        'pixctl withdrawal status rent-2026-03': 'for people',
        'pixctl withdrawal status rent-2026-03 -o json': 'as withdraw -o json, plus events',
      },
      exits: lookingExits,
      more: 'The exit code reflects the state of the withdrawal: 0 only when the money moved or is on its way, 75 when it was not sent or another process is sending it, 80 when the service refused it (77 for the API key, 75 for the rate). A withdrawal that was accepted and has not ended is read once from the service. One that is SENDING and whose process has died is shown as NOT_SENT (75) if it provably never left, otherwise as UNKNOWN (81).',
    },
  );
}

function addLedger(withdrawal: Command, runtime: Runtime): void {
  withHelp(
    addLedgerFlags(
      withdrawal
        .command('ledger')
        .description(
          'list the idempotency keys of withdrawals, with what became of each; asks the service nothing',
        ),
      'PLANNED, SENDING, ACCEPTED, REFUSED, NOT_SENT, UNKNOWN, COMPLETED, FAILED',
    ).action(async (flags: LedgerFlags) => (await import('./ledger/ledger.ts')).ledger(runtime, flags)),
    {
      view: async () => (await import('./ledger/ledger-view.ts')).entryView,
      examples: {
        'pixctl withdrawal ledger': 'after a crash: what became of each key',
        'pixctl withdrawal ledger --state REFUSED,NOT_SENT': 'what moved no money',
        'pixctl withdrawal ledger --since 2026-03 --until 2026-03 -o csv':
          'for the auditor: what was ordered in a month, paid or not',
      },
      exits: ['usage', 'storage', 'config'],
      more: 'In the order of the keys. The exit code does not reflect their states. No API key is needed: what is ACCEPTED may have ended since, and the run that is SENDING may have died. pixctl withdrawal status <key> shows the history of one, pixctl withdrawal reconcile settles that and what is UNKNOWN, and pixctl withdrawal audit compares all with the list of the service.',
    },
  );
}

function addReconcile(withdrawal: Command, runtime: Runtime): void {
  withHelp(
    withdrawal
      .command('reconcile')
      .description("settle an unknown outcome from the service's list; sends nothing")
      .argument(
        '[idempotency key]',
        'default: the one whose outcome is unknown; a merchant label has at most one at an address',
      )
      .action((key: string | undefined) =>
        qualifyNothingSent(async () => (await import('./ledger/reconcile.ts')).reconcile(runtime, key)),
      ),
    {
      view: async () => (await import('./receipt.ts')).receiptView,
      examples: {
        'pixctl withdrawal reconcile': 'the one whose outcome is unknown',
        'pixctl withdrawal reconcile rent-2026-03': 'the withdrawal of this key',
      },
      exits: lookingExits,
      more: 'With a key, the exit code reflects the state of that withdrawal, as in withdrawal status, and an accepted one is read from the service once. Without a key, it reflects the state of what was settled; if nothing is unknown, it is 0 and stdout is empty.',
    },
  );
}

function addResolve(withdrawal: Command, runtime: Runtime): void {
  withHelp(
    withdrawal
      .command('resolve')
      .description("record a person's decision about an outcome that the service's list does not settle")
      .argument('<idempotency key>', 'the key that the withdrawal was sent with')
      .option('--withdrawal <id>', 'it is this withdrawal')
      .option(
        '--not-sent',
        'it never reached the service; refused until a minute after that request must have ended',
      )
      .option(
        '--short-list',
        'with --not-sent: the service has dropped older withdrawals from its list for good',
      )
      .action((key: string, flags: ResolveFlags) =>
        qualifyNothingSent(async () => (await import('./ledger/resolve.ts')).resolve(runtime, key, flags)),
      ),
    {
      prompts: {
        'idempotency key': async () => (await import('./choose.ts')).chooseUnresolvedKey(runtime),
        '--withdrawal': async () => (await import('./choose.ts')).chooseServiceWithdrawal(runtime),
      },
      view: async () => (await import('./receipt.ts')).receiptView,
      examples: {
        'pixctl withdrawal resolve rent-2026-03 --withdrawal wd_0001': 'choose among several',
        'pixctl withdrawal resolve rent-2026-03 --not-sent': 'then run withdraw again to send it',
      },
      exits: [
        'unexpected',
        'usage',
        'storage',
        'later',
        'auth',
        'config',
        'pending',
        'endedBadly',
        'blocked',
        'duplicate',
        'policy',
        'notFound',
      ],
      more: 'A wrong --not-sent pays twice. Check the dashboard and the bank statement first. --withdrawal also works for a key that was refused, not sent or held up (86), if the service lists its withdrawal after all.',
    },
  );
}

function addAudit(withdrawal: Command, runtime: Runtime): void {
  withHelp(
    withdrawal
      .command('audit')
      .description("compare the ledger with the service's whole list; changes nothing")
      .option(
        '--since <moment>',
        `show, and let the exit code reflect, only what was created or changed since: ${sinceForms}; days are ${zoneOfDays}`,
      )
      .action(async (flags: AuditFlags) => (await import('./ledger/audit.ts')).audit(runtime, flags)),
    {
      view: async () => (await import('./ledger/audit.ts')).findingView,
      examples: {
        'pixctl withdrawal audit': 'unknown to the ledger, matched wrongly, other amounts',
        'pixctl withdrawal audit --since 30d -o json': 'for a nightly check',
      },
      exits: ['unexpected', 'usage', 'storage', 'later', 'auth', 'config', 'unknown', 'duplicate'],
      exitWords: {
        unexpected:
          'the service does not list what it accepted, or lists it with other values; or its list cannot be used',
        later: notReached,
        unknown: 'an outcome is unknown',
        duplicate: 'the service lists a withdrawal that belongs to no key of this label and address',
      },
      more: 'With --since, everything is still read and compared. What is unknown, or has no time, is shown however old it is; the number of findings left out is shown too.',
    },
  );
}

function addBatch(withdrawal: Command, runtime: Runtime): void {
  withHelp(
    withdrawal
      .command('batch')
      .description('pay the lines of a CSV file one after another, each at most once')
      .argument('<file.csv>', 'CSV with the header idempotency_key,amount,pix_key,pix_key_type')
      .option(
        '--result <file>',
        'where the result is stored (default: <name>.result.csv beside it; required for a pipe)',
      )
      .option(
        '--continue-on-failed',
        'continue after a line that failed, was refused, was changed since the last run, may be a duplicate (86), or is against the policy (87)',
      )
      .action(async (path: string, flags: BatchFlags) =>
        (await import('./batch/batch.ts')).batch(runtime, path, flags),
      ),
    {
      dryRun: true,
      view: async () => (await import('./batch/view.ts')).batchSummaryView,
      examples: {
        'pixctl withdrawal batch march.csv': 'shows count and sum, asks, pays',
        'pixctl withdrawal batch march.csv --yes': 'again after a crash: pays only what is left',
        'pixctl withdrawal batch march.csv --dry-run': 'only check the file, and show how each line is read',
      },
      exits: ['usage', 'data', ...sendingExits],
      more: 'A file:\n  idempotency_key,amount,pix_key,pix_key_type\n  invoice-17,"250,00",supplier@example.com,EMAIL\n  invoice-18,"99,90",+5511987654321,TELEFONE\nColumns are separated by , or ; and may be in any order; unless pix_key_type comes last, the last line needs its line break. An amount is cents (1050) or reais with two decimals (10,50; in quotes where , separates). pix_key_type is CPF, CNPJ, EMAIL, TELEFONE or CHAVE_ALEATORIA, or empty if the key alone is enough.\nThe whole file is checked before anything is sent. The first unknown outcome stops the run; running the same file again resumes it. The exit code is that of the worst line reached; the first sentence of the message and the result file say what was paid. --timeout limits the wait for each line.',
    },
  );
}
