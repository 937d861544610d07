/** Flags of the verbs that need no service: `sign`, `verify`, `trigger`, `test`. */
import { type Command, Option } from 'commander';
import { eventNames } from '../../contract/event-names.ts';
import { withHelp } from '../../flags/help.ts';
import { collect } from '../../flags/list-flags.ts';
import { allowEmpty } from '../../flags/mistakes/value-checks.ts';
import { defaultPort } from '../../flags/whole-number.ts';
import type { Runtime } from '../../runtime.ts';
import type { TestFlags } from './receiver/test.ts';
import type { SignFlags } from './signature/sign.ts';
import type { VerifyFlags } from './signature/verify.ts';
import { headerFlag, secretFlags, toleranceFlag } from './signature-flags.ts';
import type { TriggerFlags } from './trigger/trigger.ts';

export function addOfflineVerbs(webhook: Command, runtime: Runtime): void {
  addTriggerVerb(webhook, runtime);
  addTestVerb(webhook, runtime);
  addSignVerb(webhook, runtime);
  addVerifyVerb(webhook, runtime);
}

const secrets =
  'The secret comes from a flag, from PIXCTL_WEBHOOK_SECRET, or from an endpoint registered on this machine; of several, the one that fits the service and the target. The command says which stored one it uses.';

function addTriggerVerb(webhook: Command, runtime: Runtime): void {
  const trigger = webhook
    .command('trigger')
    .description('make an event and send it, signed, to your application')
    .argument('<EVENT>', `${eventNames.join(', ')}; another name takes --data`)
    .option(
      '-f, --forward-to <target>',
      `port, host:port/path or URL; may be repeated: each event goes to every one of them (default: ${defaultPort})`,
      collect,
    )
    .option('--set <path=value>', 'change a field: data.amount=5000 (may be repeated)', collect)
    .option('--add <path=value>', 'add a field: data.note=hello (may be repeated)', collect)
    .option('--remove <path>', 'leave out a field of data: data.customer (may be repeated)', collect)
    .option('--data <json>', 'all of data: JSON, @file, or @- for stdin')
    .option('--header <name: value>', 'also send this header (may be repeated)', collect)
    .option(
      '--times <n>',
      'how many events, each with its own id (unless --set id=... names one for all, to try duplicates)',
      '1',
    )
    .option('--allow-remote', 'also send to machines other than this one')
    .action(async (event: string, flags: TriggerFlags) =>
      (await import('./trigger/trigger.ts')).trigger(runtime, event, flags),
    );
  withHelp(headerFlag(secretFlags(trigger)), {
    dryRun: true,
    prompts: { EVENT: async () => (await import('./choose.ts')).chooseEventName(runtime) },
    view: async () => (await import('./trigger/triggered-view.ts')).triggeredView,
    examples: {
      'pixctl webhook trigger CHARGE_PAID -f 3000/webhooks --secret-file secret.txt':
        'straight to an application',
      'pixctl webhook trigger CHARGE_PAID -f 3000 -f 4000': 'the same event to two, as webhook listen does',
      'pixctl webhook trigger CHARGE_PAID --set data.amount=5000': 'to the `webhook listen` on this machine',
      'pixctl webhook trigger CHARGE_PAID --remove data.customer -f 3000': 'an event that lacks a field',
      'pixctl webhook trigger CHARGE_PAID --add \'data.metadata={"order":7}\' -f 3000':
        'an event with a field that is new to your application',
      'pixctl webhook trigger NEW_EVENT --data @data.json -f 3000': 'an event of your own',
    },
    exits: ['usage', 'later', 'config', 'endedBadly'],
    exitWords: {
      later: 'no application could be reached',
      endedBadly: 'an application did not answer every event with 2xx',
    },
    more: secrets,
  });
}

function addTestVerb(webhook: Command, runtime: Runtime): void {
  const test = webhook
    .command('test')
    .description('test a receiver with good, bad and odd deliveries, and show a score')
    .argument('<url>', 'port, host:port/path or URL of the receiver')
    .option(
      '--max-answer <duration>',
      'a case fails when the answer takes longer; the service gives up after 10s',
      '2s',
    )
    .option('--tolerance <duration>', 'how old a delivery your receiver accepts', '5m')
    .option(
      '--junit <file>',
      'also write the score as JUnit XML; a case that was not tried is an error there',
    )
    .option('--allow-remote', 'also try receivers on machines other than this one')
    .action(async (url: string, flags: TestFlags) =>
      (await import('./receiver/test.ts')).test(runtime, url, flags),
    );
  withHelp(headerFlag(secretFlags(test)), {
    dryRun: true,
    view: async () => (await import('./receiver/test.ts')).scoreView,
    examples: {
      'pixctl webhook test 3000/webhooks --secret-file secret.txt': 'each case with its reason',
      'pixctl webhook test 3000 --secret-file secret.txt --junit receiver.xml': 'in a pipeline',
    },
    exits: ['usage', 'unexpected', 'storage', 'later', 'config', 'endedBadly'],
    exitWords: { later: 'the receiver could not be reached', endedBadly: 'the receiver failed a case' },
    more: `Each answer may take 10s, as with the service, or as long as --timeout: with --timeout 3s a receiver that hangs is found sooner.\n\nThe receiver gets events that look real: point it at a test database. ${secrets}`,
  });
}

function addSignVerb(webhook: Command, runtime: Runtime): void {
  const sign = webhook
    .command('sign')
    .description('print the signature header for a payload')
    .requiredOption('--payload-file <file>', 'the body, byte for byte; - for stdin')
    .option('--timestamp <seconds>', 'Unix time in seconds (default: now)')
    .action(async (flags: SignFlags) => (await import('./signature/sign.ts')).sign(runtime, flags));
  withHelp(secretFlags(sign), {
    view: async () => (await import('./signature/sign.ts')).signedView,
    examples: {
      'pixctl webhook sign --secret-file secret.txt --payload-file body.json': 'signed now',
      'pixctl webhook sign --secret-file secret.txt --payload-file - --timestamp 1767323045 < body.json':
        'signed at another time',
    },
    exits: ['usage', 'config'],
    more: secrets,
  });
}

function addVerifyVerb(webhook: Command, runtime: Runtime): void {
  const verify = webhook
    .command('verify')
    .description('check a signature, and say what is wrong when it does not verify')
    .requiredOption('--payload-file <file>', 'the body as received, byte for byte; - for stdin')
    .addOption(
      allowEmpty(
        new Option(
          '--signature <header>',
          "the signature header's value: t=...,v1=...",
        ).makeOptionMandatory(),
      ),
    )
    .option(...toleranceFlag)
    .action(async (flags: VerifyFlags) => (await import('./signature/verify.ts')).verify(runtime, flags));
  withHelp(secretFlags(verify), {
    view: async () => (await import('./signature/verify.ts')).stepView,
    examples: {
      "pixctl webhook verify --secret-file secret.txt --payload-file body.json --signature 't=...,v1=...'":
        'a recent delivery',
      "pixctl webhook verify --secret-file secret.txt --payload-file - --signature 't=...,v1=...' --tolerance none < body.json":
        'an old delivery',
    },
    exits: ['usage', 'data', 'config'],
    exitWords: { data: 'the signature does not verify, or the payload is too large' },
    more: `${secrets} Table and csv have a line for each step; json and ndjson are one verdict, whose --fields are ok, timestamp, reason, cause and steps.`,
  });
}
