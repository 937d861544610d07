/** `pixctl api`: flags only. */
import { Command } from 'commander';
import { notReached, withHelp } from '../../flags/help.ts';
import { collect } from '../../flags/list-flags.ts';
import type { Runtime } from '../../runtime.ts';
import type { ApiFlags } from './call.ts';

export function apiCommand(runtime: Runtime): Command {
  const api = new Command('api')
    .description('call any path of the service, where there is no command for it')
    .argument('<method>', 'GET, POST, PUT, PATCH or DELETE')
    .argument(
      '<path>',
      "a path below the profile's address, like /customers/cust_1; the key is sent nowhere else",
    )
    .option(
      '-f, --raw-field <key=value>',
      'a field as text: in the query of a GET, else in the JSON body',
      collect,
      [],
    )
    .option(
      '-F, --field <key=value>',
      'a field as true, false, null, number, or @file (@- is stdin)',
      collect,
      [],
    )
    .option('--input <file>', 'the body, from a file or - for stdin; fields then go to the query')
    .option('--paginate', 'follow the cursors of a list, and print the items of all its pages')
    .option('-i, --include', 'print status and headers before the body; with --paginate, on stderr')
    .action(async (method: string, path: string, flags: ApiFlags) =>
      (await import('./call.ts')).call(runtime, method, path, flags),
    );
  return withHelp(api, {
    dryRun: true,
    examples: {
      'pixctl api GET /transparents/list -f limit=1': 'the answer as it came, with its envelope',
      'pixctl api GET /transparents/list --paginate -o ndjson --jq .id': 'every item, a line each',
      'pixctl api POST /transparents/create -f method=PIX -F amount=1050': 'a JSON body from fields',
      'pixctl api POST /webhooks --input endpoint.json': 'a JSON body from a file',
    },
    exits: ['usage', 'unexpected', 'later', 'auth', 'refused', 'unknown', 'policy', 'notFound'],
    exitWords: {
      later: notReached,
      unknown: 'OUTCOME UNKNOWN: the request may have had an effect',
      policy: 'not confirmed, or a withdrawal, which is refused here; nothing was sent',
    },
    more: `${documentedPaths}
a[b]=x makes an object and a[]=x an array. Every method but GET is sent once, and asks for confirmation on a terminal. Withdrawals are refused here: only pixctl withdraw makes sure that nothing is paid twice.`,
  });
}

/** Those of the contract, without the one that is refused here. Written out, because help loads no schemas. */
const documentedPaths = `Paths that the service documents:
  GET   /transparents/list         list charges
  GET   /transparents/check        one charge: -f id=chg_1
  POST  /transparents/create       create a charge
  POST  /transparents/refund       refund a charge: ?id=chg_1
  GET   /customers/{id}            one customer
  GET   /withdrawals               list withdrawals
  GET   /withdrawals/{id}          one withdrawal
  POST  /webhooks                  register an endpoint
  GET   /webhooks/{id}/deliveries  its deliveries
`;
