/** What other programs call a flag that has another name here. */
import { list } from './foreign-commands.ts';

/** What a flag is called here, and elsewhere. */
const flagNames: readonly (readonly [meant: string, typed: string])[] = [
  ['--output', '--format'],
  ['-o csv', '--csv'],
  ['-o ndjson', '--ndjson --print-json --jsonl'],
  ['-o table', '--table'],
  ['--jq', '--template --query'],
  ['--fields', '--columns'],
  ['--yes', '--force --confirm'],
  ['--no-input', '--no-prompt --no-interactive --non-interactive'],
  ['--quiet', '--silent'],
  ['--no-color', '--color --colour --no-colour'],
  ['the variable PIXCTL_CONFIG_DIR', '--config'],
  ['--customer', '--customer-id'],
  ['--debug', '--verbose --log-level'],
  ['--version', '-v'],
  ['--profile', '--live --project-name'],
  ['--include', '--show-headers'],
  ['--limit', '-L --per-page'],
  ['--after', '--page --cursor --starting-after'],
  ['--before', '--ending-before'],
  ['--since', '--from --created --created-after'],
  ['--until', '--created-before --to'],
  ['--contains', '--search'],
  ['--forward-to', '--to --url'],
  ['--base-url', '--hostname --api-base --url'],
  ['--url', '--endpoint'],
  ['--events', '--filter'],
  ['--status', '--filter'],
  ['--times', '--count --repeat'],
  ['--exit-after', '--count --once --limit -n'],
  ['--header', '-H'],
  ['--signature', '--header'],
  ['--host', '--bind'],
  ['--tunnel', '--ngrok --cloudflared'],
  ['--set', '--override'],
  ['--remove', '--unset --omit'],
  ['--payload-file', '--body'],
  ['--data', '--raw --body'],
  ['--amount', '--value'],
  ['--expires-in', '--expiry --ttl'],
  ['--description', '--message'],
  ['--to', '--pix-key'],
  ['--key', '--to --pix-key'],
  ['--type', '--pix-key-type'],
  ['--max-day', '--daily-limit --per-day --max-per-day'],
  ['--max-withdrawal', '--max-amount'],
  ['--available', '--balance'],
  ['--fee', '--withdrawal-fee'],
  ['--orders', '--file'],
  ['--effect', '--type'],
  ['--tax-id', '--cpf --cnpj'],
  ['--key-stdin', '--api-key --key --token --with-token'],
  ['--idempotency-key', '--id --ref --reference --order-id --external-id --key'],
  ['the variable PIXCTL_API_KEY', '--api-key'],
  ['--secret-stdin', '--secret'],
];

/** The first entry counts whose flag the command has; one that does not begin with `--` fits every command. */
export const foreignFlags = (): readonly (readonly [typed: string, meant: string])[] =>
  flagNames.flatMap(([meant, typed]) => typed.split(' ').map((each) => [each, meant] as const));

/** What one command calls the flag, or where its value belongs. */
export const flagEquivalents: Readonly<Record<string, string>> = Object.fromEntries([
  ...list('api -X, api --method', 'pixctl api <METHOD> <path>'),
  ...list('api --silent', '--jq empty'),
  ...list('api -t', '--jq'),
  ...list('api -d, api --data', '-f key=value, or --input <file>'),
  ...list('config --list', 'pixctl config list'),
  ...list('config --set', 'pixctl config set'),
  ...list('config --unset', 'pixctl config unset'),
  ...list('charge get --watch, charge get --wait', 'pixctl charge wait <id>'),
  ...list('withdrawal get --watch, withdrawal get --wait', 'pixctl withdrawal wait <id>'),
  ...list(
    'charge list --watch, charge list --follow, withdrawal list --watch, withdrawal list --follow',
    'pixctl webhook listen --poll 5s, which shows what has changed',
  ),
  ...list(
    'charge list --month, withdrawal list --month, charge ledger --month, withdrawal ledger --month',
    '--since 2026-01 --until 2026-01',
  ),
  ...list('withdraw --key', '--to <pix key>, or --idempotency-key <key>'),
  ...list('webhook inbox list --watch, webhook inbox list --follow', 'pixctl webhook listen'),
  ...list('webhook inbox list --failed', '--status given-up'),
  ...list('sandbox start --db, sandbox start --file', '--state'),
  ...list('sandbox deliveries --failed', '--state failed'),
  ...list('webhook test --url', 'pixctl webhook test <url>'),
  ...list('webhook replay --all', '--failed, --last <n> or --since <moment>'),
  ...list('webhook listen --body, webhook inbox list --body', '--fields id,event,body'),
  ...list('webhook trigger --list', 'pixctl webhook trigger --help'),
  ...list('webhook trigger --edit', '--data @file'),
  ...list('withdrawal batch --file', 'pixctl withdrawal batch <file.csv>'),
  ...list('withdrawal batch --resume', 'the same command again, which resumes'),
  ...list('completion --install', 'pixctl completion install'),
  ...list('completion --shell, completion -s', 'pixctl completion <shell>'),
]);

/** Flags that ask a list for one status: `--paid` for `--status PAID`. */
export const statusFlag = /^--(pending|paid|expired|refunded|disputed|processing|completed|failed)$/;

/** Flags that ask a list for one day: `--today` for `--since today`. */
export const dayFlag = /^--(today|yesterday)$/;

const verified =
  'the certificate of an HTTPS target on this machine is not checked, and the signature of a delivery always is';
const noHeaders = 'the document asks for no header but those of the key and the body, which are sent';

const order = "the order is the service's; --jq 'sort_by(.amount)' or --jq reverse makes another";
const sortedLists = ['charge', 'withdrawal'].flatMap((noun) =>
  ['sort', 'sort-by', 'order', 'order-by', 'reverse'].map((flag) => [`pixctl ${noun} list --${flag}`, order]),
);
const keyElsewhere =
  'a key would stay in the history of the shell; pixctl login alone asks for it, and --key-stdin or --key-file <file> takes it';
const onlyChanged =
  'a copy of an event has the fields that came; --set changes one, and pixctl webhook trigger has --add and --remove';
const noWeb = 'the service documents no page of a charge';

/** What no flag of the command can ask for, and why. */
export const unsupportedFlags: Readonly<Record<string, string>> = Object.fromEntries([
  ...sortedLists,
  ...list('login --api-key, login --key, login --token', keyElsewhere),
  ...list('charge get --web, charge list --web, charge create --web', noWeb),
  ...list('charge create --currency', 'a PIX charge is always in reais'),
  ...list('api --slurp', '--paginate alone prints one array of the items of all pages'),
  ...list('charge refund --amount, charge refund --partial', 'a refund is always in full'),
  ...list('charge refund --reason', 'the service takes no text with a refund'),
  ...list('charge create --metadata', 'the service stores no metadata with a charge'),
  ...list('withdraw --description', 'the service takes no text with a withdrawal'),
  ...list('webhook listen --skip-verify, webhook listen --no-verify, webhook listen --insecure', verified),
  ...list('api -H, api --header', noHeaders),
  ...list(
    'sandbox start --detach',
    'it runs until it is told to stop; & at the end of the line puts it into the background',
  ),
  ...list('webhook replay --add, webhook replay --remove', onlyChanged),
  ...list('charge ledger --all, withdrawal ledger --all', 'it always lists all keys of the profile'),
  ...list('withdraw --no-wait', 'it waits only with --wait'),
  ...list('doctor --fix', 'it changes nothing; each finding is shown with its remedy'),
]);
