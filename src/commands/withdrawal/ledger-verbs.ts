/** `pixctl withdrawal status | reconcile | resolve | audit | batch`: what the ledger knows. Flags only. */
import type { Command } from 'commander';
import { withHelp } from '../../flags/help.ts';
import type { Runtime } from '../../runtime.ts';
import type { BatchFlags } from './batch.ts';
import { lookingExits, sendingExits } from './exits.ts';
import type { ResolveFlags } from './resolve.ts';

export function addLedgerVerbs(withdrawal: Command, runtime: Runtime): void {
  addStatus(withdrawal, runtime);
  addReconcile(withdrawal, runtime);
  addResolve(withdrawal, runtime);
  addAudit(withdrawal, runtime);
  addBatch(withdrawal, runtime);
}

function addStatus(withdrawal: Command, runtime: Runtime): void {
  withHelp(
    withdrawal
      .command('status')
      .description('what the ledger knows of an idempotency key, with its history; sends nothing')
      .argument('<idempotency key>')
      .action(async (key: string) => (await import('./status.ts')).status(runtime, key)),
    {
      examples: [
        { run: 'pixctl withdrawal status rent-2026-03', does: 'for people' },
        { run: 'pixctl withdrawal status rent-2026-03 -o json', does: 'as withdraw -o json, plus events' },
      ],
      exits: lookingExits,
      more: 'Ends with the code that the state of the withdrawal means, like a rerun of withdraw that sends nothing: 0 only\nwhere the money moved or is on its way, 75 where it was not sent or another process is sending it, 80 (77, 75)\nwhere the service refused it. What is SENDING and has lost its process is told as UNKNOWN (81).',
    },
  );
}

function addReconcile(withdrawal: Command, runtime: Runtime): void {
  withHelp(
    withdrawal
      .command('reconcile')
      .description('settle an unknown outcome by what the service lists; sends nothing')
      .argument('[idempotency key]', 'default: whichever is unknown')
      .action(async (key: string | undefined) => (await import('./reconcile.ts')).reconcile(runtime, key)),
    {
      examples: [
        { run: 'pixctl withdrawal reconcile', does: 'whichever is unknown' },
        { run: 'pixctl withdrawal reconcile rent-2026-03', does: 'this one' },
      ],
      exits: lookingExits,
      more: 'With a key it ends with the code that its state means, like withdrawal status, and asks the service once for\nwhat was accepted. Without one: with that of what it settled, and with 0 when nothing is unknown.',
    },
  );
}

function addResolve(withdrawal: Command, runtime: Runtime): void {
  withHelp(
    withdrawal
      .command('resolve')
      .description("a person's word about an outcome that the service's list does not settle")
      .argument('<idempotency key>')
      .option('--withdrawal <id>', 'it is this withdrawal')
      .option(
        '--not-sent',
        'it never reached the service; refused until a minute after the request must have ended',
      )
      .option(
        '--short-list',
        'with --not-sent: the service has dropped its older withdrawals from the list for good',
      )
      .action(async (key: string, flags: ResolveFlags) =>
        (await import('./resolve.ts')).resolve(runtime, key, flags),
      ),
    {
      examples: [
        { run: 'pixctl withdrawal resolve rent-2026-03 --withdrawal wd_0001', does: 'choose among several' },
        { run: 'pixctl withdrawal resolve rent-2026-03 --not-sent', does: 'then a rerun sends it' },
      ],
      exits: ['usage', 'storage', 'later', 'auth', 'config', 'endedBadly', 'duplicate', 'policy', 'notFound'],
      more: 'A wrong --not-sent pays twice. Look at the dashboard and the bank statement first.',
    },
  );
}

function addAudit(withdrawal: Command, runtime: Runtime): void {
  withHelp(
    withdrawal
      .command('audit')
      .description("compare the ledger with the service's whole list; changes nothing")
      .action(async () => (await import('./audit.ts')).audit(runtime)),
    {
      examples: [
        { run: 'pixctl withdrawal audit', does: 'unclaimed, claimed wrongly, amounts that differ' },
        { run: 'pixctl withdrawal audit -o json', does: 'for a nightly check' },
      ],
      exits: ['unexpected', 'storage', 'later', 'auth', 'config', 'unknown', 'duplicate'],
      more: 'Ends with 81 when an outcome is unknown, 1 when the service does not list what it accepted or lists it otherwise,\n86 when it lists what no key of this ledger claims, 0 otherwise.',
    },
  );
}

function addBatch(withdrawal: Command, runtime: Runtime): void {
  withHelp(
    withdrawal
      .command('batch')
      .description('pay the lines of a CSV one after another, each at most once')
      .argument('<file.csv>', 'header: idempotency_key,amount,pix_key,pix_key_type')
      .option('--result <file>', 'where the result is kept (default: <name>.result.csv beside it)')
      .option('--continue-on-failed', 'continue after a line that failed, was refused or was edited')
      .action(async (path: string, flags: BatchFlags) =>
        (await import('./batch.ts')).batch(runtime, path, flags),
      ),
    {
      rehearses: true,
      examples: [
        { run: 'pixctl withdrawal batch march.csv', does: 'shows count and sum, asks, pays' },
        {
          run: 'pixctl withdrawal batch march.csv --yes',
          does: 'again after a crash: only what is not done',
        },
        { run: 'pixctl withdrawal batch march.csv --dry-run', does: 'judge the file only' },
      ],
      exits: ['usage', 'data', ...sendingExits],
      more: 'The whole file is judged before anything is sent. The first unknown outcome stops the run; the same file\nresumes it. The exit code is the worst that any line came to. --timeout bounds the wait for each line.',
    },
  );
}
