/** Flags of the verbs that concern endpoints at the service: `add`, `endpoints`, `deliveries`. */
import type { Command } from 'commander';
import { withHelp } from '../../flags/help.ts';
import type { Runtime } from '../../runtime.ts';
import type { AddFlags } from './endpoints/add.ts';
import type { DeliveriesFlags } from './endpoints/deliveries.ts';

export function addEndpointVerbs(webhook: Command, runtime: Runtime): void {
  const add = webhook
    .command('add')
    .description('register a webhook endpoint with the service, and store its signing secret')
    .option('--url <url>', 'HTTPS address that will receive the deliveries')
    .option('-e, --events <a,b>', '1 to 8 event names, or all (default: asks on a terminal)')
    .option('--secret-file <file>', 'write the secret to this new file (mode 0600) instead of showing it')
    .option(
      '--url-field <name>',
      'name of the URL field in the request; the document does not show it',
      'url',
    )
    .action(async (flags: AddFlags) => (await import('./endpoints/add.ts')).add(runtime, flags));
  withHelp(add, {
    dryRun: true,
    view: async () => (await import('./view.ts')).addedView,
    examples: {
      'pixctl webhook add --url https://shop.example.com/pix': 'asks which events',
      'pixctl webhook add --url https://shop.example.com/pix --events CHARGE_PAID,REFUND_COMPLETED --secret-file pix.secret':
        'from a script; the secret goes to a file',
    },
    exits: ['usage', 'unexpected', 'later', 'auth', 'config', 'refused', 'unknown'],
    more: 'The service shows the signing secret only once. It is stored (keychain, or a file that only you can read) before it is shown, so that `webhook listen --endpoint <id>` finds it. To change a secret, add the address again: that is another endpoint, with a secret of its own, and both deliver.',
  });

  const endpoints = webhook
    .command('endpoints')
    .description('list the endpoints registered from here, whose signing secrets are stored; newest first')
    .action(async () => (await import('./endpoints/list.ts')).listEndpoints(runtime));
  withHelp(endpoints, {
    view: async () => (await import('./endpoints/list.ts')).endpointView,
    examples: {
      'pixctl webhook endpoints': 'of every service, sandboxes included',
      'pixctl webhook endpoints -o csv --fields id,url': 'for a script',
    },
    exits: ['config'],
    more: 'Each can be given as --endpoint. The service is not asked: it documents no way to list endpoints.',
  });

  const deliveries = webhook
    .command('deliveries')
    .description("show the service's history of deliveries to an endpoint")
    .argument('<endpoint id>', 'id of the endpoint, wh_...')
    .option('--all', 'every page, not only the first')
    .option('-n, --limit <n>', 'how many on a page, 1 to 100', '20')
    .action(async (id: string, flags: DeliveriesFlags) =>
      (await import('./endpoints/deliveries.ts')).deliveries(runtime, id, flags),
    );
  withHelp(deliveries, {
    view: async () => (await import('./endpoints/delivery-view.ts')).deliveryView,
    prompts: { 'endpoint id': async () => (await import('./choose.ts')).chooseEndpoint(runtime) },
    examples: {
      'pixctl webhook deliveries wh_123': 'the newest attempts, each with its reason',
      'pixctl webhook deliveries wh_123 --all -o csv > deliveries.csv': 'the whole history',
    },
    exits: ['auth', 'later', 'notFound'],
  });
}
