/** Verbs about merchants and their keys. */
import { type Command, Option } from 'commander';
import { withHelp } from '../../flags/help.ts';
import type { Runtime } from '../../runtime.ts';
import { recordExits as exits, readingExits } from './exits.ts';
import type { MerchantFlags } from './merchants/flags.ts';

export function addMerchantVerbs(sandbox: Command, runtime: Runtime): void {
  const merchant = sandbox
    .command('merchant')
    .description('show and change the settings of merchants, and add merchants');
  withHelp(
    merchant
      .command('get')
      .description("show a merchant's settings and balance")
      .argument('[id]', 'id of the merchant, merch_... (default: the first)')
      .action(async (id?: string) => (await import('./merchants/merchant.ts')).get(runtime, id)),
    {
      view: async () => (await import('./merchants/view.ts')).merchantView,
      examples: {
        'pixctl sandbox merchant get': 'settings, available and pending',
        'pixctl sandbox merchant get merch_1 -o json --jq .balance.available':
          'the available cents of this merchant',
      },
      exits: [...readingExits, 'notFound'],
    },
  );
  withHelp(
    withSettings(merchant.command('set').description('change settings or the available balance'))
      .option('--merchant <id>', 'of this merchant (default: the first)')
      .action(async (flags: MerchantFlags) => (await import('./merchants/merchant.ts')).set(runtime, flags)),
    {
      view: async () => (await import('./merchants/view.ts')).merchantView,
      examples: {
        'pixctl sandbox merchant set --available 1000,00': 'something to withdraw',
        'pixctl sandbox merchant set --charges-enabled false': 'charges are refused from now on',
      },
      exits: ['usage', ...exits],
    },
  );
  withHelp(
    withSettings(merchant.command('add').description('add a merchant, with its own API key')).action(
      async (flags: MerchantFlags) => (await import('./merchants/merchant.ts')).add(runtime, flags),
    ),
    {
      view: async () => (await import('./merchants/view.ts')).newMerchantView,
      examples: {
        'pixctl sandbox merchant add --name "Outra Loja"': 'its apiKey is shown',
        'pixctl sandbox merchant add --available 1000,00 -o json --jq .apiKey': 'only the key, for a script',
      },
      exits: ['usage', ...exits],
    },
  );
  withHelp(merchant, {
    examples: {
      'pixctl sandbox merchant get': 'settings and balance',
      'pixctl sandbox merchant set --available 1000,00': 'something to withdraw',
    },
    exits: [],
  });
  const key = sandbox.command('key').description('revoke API keys');
  withHelp(
    key
      .command('revoke')
      .description('revoke a key: requests with it are answered with 401')
      .argument('<key>', 'the API key to revoke')
      .action(async (key: string) => (await import('./merchants/merchant.ts')).revoke(runtime, key)),
    { view: async () => (await import('./merchants/view.ts')).keyView, examples: leak, exits },
  );
  withHelp(key, { examples: leak, exits: [] });
}

const leak = {
  'pixctl sandbox key revoke svc_sandbox_...': 'as after a leak',
  'pixctl sandbox key revoke svc_sandbox_... && pixctl charge list':
    'ends with 77, if it uses the revoked key',
};

function withSettings(command: Command): Command {
  const flag = (name: string, help: string) =>
    new Option(`${name} <true|false>`, help).choices(['true', 'false']);
  return command
    .option('--name <name>', "the merchant's name, as in the BR Code")
    .option('--city <city>', 'its city, as in the BR Code')
    .addOption(flag('--charges-enabled', 'whether charges may be created'))
    .option('--pix-key <key>', 'the active PIX key; "none" for none')
    .option('--min-ticket <amount>', 'smallest charge, cents or reais')
    .option('--max-ticket <amount>', 'largest charge, cents or reais')
    .addOption(flag('--withdrawals-enabled', 'whether money may be withdrawn'))
    .option('--limit <amount>', 'largest withdrawal, cents or reais')
    .option('--fee <amount>', 'fee of a withdrawal, cents or reais')
    .option('--available <amount>', 'the available balance, cents or reais');
}
