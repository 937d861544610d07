/**
 * What other programs call things, and what people look for that the service does not have. The long tables are built
 * on demand, so that a line without a slip does not wait for them.
 */

/** Other names of a noun, and its name here. The rest of the line is then looked up under that noun. */
export const nouns: Readonly<Record<string, string>> = {
  payment: 'charge',
  payments: 'charge',
  transactions: 'charge',
  payouts: 'withdrawal',
  transfers: 'withdrawal',
  beneficiary: 'destination',
  recipient: 'destination',
  limits: 'policy',
  project: 'profile',
  account: 'profile',
};

/** Verbs that people know without their noun. */
export const nounOfVerb: Readonly<Record<string, string>> = {
  refund: 'charge',
  wait: 'charge',
  create: 'charge',
  qr: 'charge',
  batch: 'withdrawal',
  resolve: 'withdrawal',
  audit: 'withdrawal',
  listen: 'webhook',
  trigger: 'webhook',
  replay: 'webhook',
  inbox: 'webhook',
  sign: 'webhook',
  start: 'sandbox',
  fault: 'sandbox',
  decode: 'brcode',
};

/** Each is a set of names that programs have for one thing. */
export const verbSynonyms: readonly (readonly string[])[] = [
  ['list', 'ls'],
  ['remove', 'rm', 'delete', 'del'],
  ['get', 'show', 'view', 'describe', 'retrieve'],
  ['create', 'add', 'new', 'register'],
  ['use', 'switch', 'select'],
];

/** Entries of a table: what each of the lines behind `pixctl` means. */
export const list = (paths: string, meant: string): [string, string][] =>
  paths.split(', ').map((path) => [`pixctl ${path}`, meant]);

/** Commands that people look for under another noun, or that have another name here. The longest phrase wins. */
export const commandEquivalents = (): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...list('version', '--version'),
    ...list('docs, man, topics', 'help'),
    ...list('config edit', 'config set'),
    ...list('auth, auth login, init, setup, profile add, profile create, profile new', 'login'),
    ...list('auth logout', 'logout'),
    ...list('auth status, auth token, profile show, profile get, profile current', 'whoami'),
    ...list('auth list', 'profile list'),
    ...list('auth switch, auth use, switch', 'profile use'),
    ...list('key, keys, apikey, rotate, live, prod, production', 'login'),
    ...list('cron, send', 'withdraw'),
    ...list('receive', 'charge create'),
    ...list('get charges', 'charge list'),
    ...list('get, post, delete', 'api'),
    ...list('auth remove', 'profile remove'),
    ...list('status, ping, health, check', 'doctor'),
    ...list('event, events, event list, events list, list events, ls events', 'webhook inbox'),
    ...list('event get, events get, events retrieve, webhook event, webhook inspect', 'webhook show'),
    ...list(
      'event resend, events resend, event retry, event replay, events replay, resend',
      'webhook replay',
    ),
    ...list(
      'forward, tail, webhook forward, webhook start, webhook tail, webhook inbox tail',
      'webhook listen',
    ),
    ...list('webhook ui, webhook open', 'webhook listen --ui'),
    ...list('webhook events, webhook logs, webhook search', 'webhook inbox'),
    ...list('webhook export, webhook inbox export', 'webhook inbox list --all -o ndjson'),
    ...list('webhook inbox search, webhook inbox find', 'webhook inbox list --contains'),
    ...list('webhook resend, webhook retry, webhook inbox resend, webhook inbox retry', 'webhook replay'),
    ...list('webhook clear, webhook inbox clear, webhook inbox clean', 'webhook inbox prune'),
    ...list('webhook inbox delete, webhook inbox remove, webhook inbox rm', 'webhook inbox prune'),
    ...list('webhook send, webhook fire, webhook emit, webhook simulate, webhook mock', 'webhook trigger'),
    ...list('webhook check, webhook ping', 'webhook test'),
    ...list('webhook validate', 'webhook verify'),
    ...list('webhook attempts, webhook history', 'webhook deliveries'),
    ...list('payout list', 'withdrawal list'),
    ...list('payout, transfer, payout create, transfer create', 'withdraw'),
    ...list('withdrawal create, withdrawal add, withdrawal new, withdrawal send, withdrawal pay', 'withdraw'),
    ...list('withdraw list', 'withdrawal list'),
    ...list('withdraw batch, withdrawal import, withdrawal run', 'withdrawal batch'),
    ...list('withdraw status', 'withdrawal status'),
    ...list('withdraw get', 'withdrawal get'),
    ...list('withdraw wait', 'withdrawal wait'),
    ...list('withdraw reconcile', 'withdrawal reconcile'),
    ...list('withdraw resolve', 'withdrawal resolve'),
    ...list('withdraw audit, withdrawal verify, withdrawal check', 'withdrawal audit'),
    ...list('withdrawal export, withdrawal report, withdrawal history', 'withdrawal list --all -o csv'),
    ...list('ledger, withdraw ledger, withdrawal keys, withdrawal intents', 'withdrawal ledger'),
    ...list('charge keys, charge intents', 'charge ledger'),
    ...list('withdrawal policy', 'policy show'),
    ...list('policy list', 'policy show'),
    ...list(
      'policy edit, policy add, policy update, policy reset, policy clear, policy remove',
      'policy set',
    ),
    ...list('export, report, charge export, charge report, charge download', 'charge list --all -o csv'),
    ...list('charge search, charge find, charge history', 'charge list'),
    ...list('charge status', 'charge get'),
    ...list('charge watch, charge follow', 'charge wait'),
    ...list('charge code, charge copy, charge image', 'charge qr'),
    ...list('charge pay, charge simulate', 'sandbox pay'),
    ...list('charge expire', 'sandbox expire'),
    ...list('charge dispute', 'sandbox dispute'),
    ...list('destination get, destination show', 'destination list'),
    ...list('serve, sandbox run, sandbox up, sandbox serve, sandbox create', 'sandbox start'),
    ...list('fixtures, sandbox fixtures', 'sandbox seed'),
    ...list('sandbox status, sandbox info, sandbox url', 'whoami'),
    ...list('sandbox charge', 'charge create'),
    ...list('sandbox refund', 'charge refund'),
    ...list('sandbox payment, sandbox settle', 'sandbox pay'),
    ...list('sandbox trigger', 'sandbox emit'),
    ...list('sandbox resend', 'sandbox replay'),
    ...list('sandbox webhook, sandbox webhook add', 'webhook add'),
    ...list('endpoints, webhook_endpoints, sandbox endpoints', 'webhook endpoints'),
    ...list('list endpoints, ls endpoints', 'webhook endpoints'),
    ...list('webhook_endpoints create', 'webhook add'),
    ...list('sandbox advance, sandbox clock set', 'sandbox clock advance'),
    ...list('sandbox freeze', 'sandbox clock freeze'),
    ...list('sandbox time, sandbox clock now', 'sandbox clock get'),
    ...list('sandbox complete', 'sandbox withdrawal complete'),
    ...list('sandbox fail', 'sandbox withdrawal fail'),
    ...list('sandbox withdrawal list', 'withdrawal list'),
    ...list('sandbox balance, sandbox merchant list', 'sandbox merchant get'),
    ...list('sandbox customer get', 'customer get'),
    ...list('sandbox key add, sandbox key create', 'sandbox merchant add'),
    ...list('sandbox save, sandbox export', 'sandbox snapshot'),
    ...list('sandbox load, sandbox import', 'sandbox restore'),
    ...list('sandbox logs, sandbox log, sandbox tail, sandbox calls', 'sandbox requests'),
    ...list('sandbox chaos', 'sandbox fault add'),
    ...list('sandbox fault remove, sandbox fault delete, sandbox fault rm', 'sandbox fault clear'),
  ]);

const noChange = 'the service documents no way to change or remove an endpoint';
const noRotation =
  'the service documents no way to change the secret of an endpoint; pixctl webhook add registers its address again, with a secret of its own';
const noCustomers =
  'the service documents no way to list or change customers; pixctl customer get <id> shows one, and pixctl sandbox customer add makes one in a sandbox';

/** What no command can do, and why. */
export const unsupportedCommands = (): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...list('pay', 'pixctl withdraw pays out; pixctl sandbox pay pays a charge of a sandbox'),
    ...list(
      'balance',
      'the service documents no way to read the balance; in a sandbox, pixctl sandbox merchant get does',
    ),
    ...list(
      'refunds',
      'the service lists no refunds; pixctl charge list --all --status REFUNDED has the charges',
    ),
    ...list(
      'charge cancel, charge delete, charge void',
      'the service documents no way to cancel a charge; an unpaid one expires, and pixctl charge create --expires-in says when',
    ),
    ...list('charge update, charge edit', 'the service documents no way to change a charge'),
    ...list('withdrawal cancel', 'the service documents no way to stop a withdrawal that it has accepted'),
    ...list(
      'withdrawal retry',
      'the same pixctl withdraw with the same key is always safe to run again; after FAILED a new attempt needs a new key',
    ),
    ...list('customer list, customer create, customer add, customer new', noCustomers),
    ...list('customers list, customers create, customers update, customers delete', noCustomers),
    ...list('customer update, customer delete, customer remove, sandbox customer list', noCustomers),
    ...list('webhook delete, webhook remove, webhook rm, webhook update', noChange),
    ...list(
      'webhook list, webhook ls, webhooks list, webhooks ls',
      'pixctl webhook endpoints lists what was registered from here, pixctl webhook inbox what was received',
    ),
    ...list('webhook rotate, webhook roll', noRotation),
    ...list(
      'secret, secrets, webhook secret, webhook secrets',
      'pixctl webhook add shows a secret once and stores it; pixctl webhook listen --print-secret shows the one it uses',
    ),
    ...list(
      'logs',
      'the service documents no log of requests; --debug traces those of one command, pixctl sandbox requests lists those of a sandbox, and pixctl webhook inbox lists what was received',
    ),
    ...list(
      'open, dashboard, ui, sandbox open, sandbox ui',
      'pixctl sandbox start names the address of its page',
    ),
    ...list(
      'update, upgrade',
      'the program neither replaces itself nor looks for a newer version: install that as this one was installed',
    ),
    ...list('telemetry, analytics', 'nobody is told that the program is used, or how'),
    ...list('alias, aliases', 'the program has none; your shell has'),
    ...list(
      'plugin, plugins, extension, extensions',
      'there are no plugins; pixctl api calls any path of the service',
    ),
    ...list(
      'sandbox stop, sandbox down, sandbox kill',
      'Ctrl-C in the terminal of pixctl sandbox start stops it',
    ),
  ]);
