/** `pixctl charge`: flags only; each verb's body is loaded when it runs. */
import { Command, Option } from 'commander';
import { notReached, withHelp } from '../../flags/help.ts';
import { allowEmpty } from '../../flags/mistakes/value-checks.ts';
import type { Runtime } from '../../runtime.ts';
import { addHistoryVerbs } from './history-verbs.ts';
import type { CreateFlags } from './request.ts';

export function chargeCommand(runtime: Runtime): Command {
  const charge = new Command('charge').description('create, show, wait for and refund PIX charges');
  addCreateVerb(charge, runtime);
  addGetVerb(charge, runtime);
  addQrVerb(charge, runtime);
  addHistoryVerbs(charge, runtime);
  return withHelp(charge, {
    examples: {
      'pixctl charge create --amount 10,50 --wait': 'show a QR code, and exit once it is paid',
      'pixctl charge list --all --status PAID --since 24h': 'the charges of the last 24 hours that are paid',
    },
    exits: [],
    exitWords: {
      later: notReached,
      unknown: 'OUTCOME UNKNOWN: the charge may exist',
      endedBadly: 'ended badly: EXPIRED, REFUNDED or DISPUTED',
      duplicate: 'the service lists charges that may be this one; nothing was changed',
      policy: 'not confirmed; nothing was sent or changed',
    },
  });
}

function addCreateVerb(charge: Command, runtime: Runtime): void {
  withHelp(
    charge
      .command('create')
      .description('create a charge and show its QR code; asks for what is missing on a terminal')
      .option(
        '-a, --amount <amount>',
        'cents (1050) or reais with two decimals (10,50); 100 to 100000000 cents',
      )
      .addOption(
        allowEmpty(
          new Option(
            '-d, --description <text>',
            'shown to the payer; at most 140 characters, nothing sensitive',
          ),
        ),
      )
      .option('-c, --customer <id>', 'an existing customer of yours, cust_...')
      .option('-e, --expires-in <duration>', 'from 60s to 30d (default: 24h, by the service)')
      .option(
        '-k, --idempotency-key <key>',
        'your name for this one charge: the same key never creates a second one',
      )
      .option('--no-qr', 'do not draw the QR code')
      .option('--png <file>', 'write the QR code as a PNG file')
      .option('-w, --wait', 'then wait until it is paid; --timeout bounds the wait (default 15m)')
      .action(async (flags: CreateFlags) => (await import('./create.ts')).create(runtime, flags)),
    {
      view: async () => (await import('../../views/charge.ts')).chargeView,
      dryRun: true,
      examples: {
        'pixctl charge create': 'asks for the amount',
        'pixctl charge create --amount 10,50 --description "Order 42" --wait': 'until it is paid',
        'pixctl charge create --amount 1050 --jq .brCode': 'only the copy-and-paste code',
      },
      exitWords: {
        later: `${notReached}; with a key also: another run is creating it`,
      },
      exits: [
        'usage',
        'storage',
        'later',
        'auth',
        'config',
        'refused',
        'unknown',
        'pending',
        'endedBadly',
        'keyReused',
        'notFound',
      ],
      more:
        'An amount without decimals is in cents: 1050 is R$ 10,50.\n' +
        'With --wait, json, ndjson and csv show the charge once it has ended. The code to pay is on stderr ' +
        'before that (not with --quiet); a script that needs it creates the charge first, then runs pixctl charge wait <id>.',
    },
  );
}

function addGetVerb(charge: Command, runtime: Runtime): void {
  withHelp(
    charge
      .command('get')
      .description('show one charge')
      .argument('<id>', 'id of the charge, chg_...')
      .option('--qr', 'draw its QR code too')
      .action(async (id: string, flags: { qr?: boolean }) =>
        (await import('./get.ts')).get(runtime, id, flags),
      ),
    {
      view: async () => (await import('../../views/charge.ts')).chargeView,
      prompts: { id: async () => (await import('./choose.ts')).chooseCharge(runtime) },
      examples: {
        'pixctl charge get chg_1': 'as it is now',
        'pixctl charge get chg_1 --jq .status': 'one field for a script',
      },
      exits: ['later', 'auth', 'notFound'],
    },
  );
}

function addQrVerb(charge: Command, runtime: Runtime): void {
  withHelp(
    charge
      .command('qr')
      .description("draw a charge's QR code; piped, only the copy-and-paste code")
      .argument('<id>', 'id of the charge, chg_...')
      .option('--png <file>', 'write the QR code as a PNG file')
      .action(async (id: string, flags: { png?: string }) =>
        (await import('./qr.ts')).qr(runtime, id, flags),
      ),
    {
      prompts: { id: async () => (await import('./choose.ts')).chooseCharge(runtime, 'PENDING') },
      view: async () => (await import('../../views/charge.ts')).chargeView,
      examples: {
        'pixctl charge qr chg_1': 'to scan from the terminal',
        'pixctl charge qr chg_1 | xclip': 'the code into the clipboard',
        'pixctl charge qr chg_1 --png order-42.png': 'as a picture',
      },
      exits: ['unexpected', 'later', 'auth', 'notFound'],
    },
  );
}
