/** What other programs call a flag that has another name here. */

/** The first whose flag the command has; what begins otherwise than `--` fits every command. */
export const flagHabits: readonly (readonly [typed: string, meant: string])[] = [
  ['--format', '--output'],
  ['--csv', '-o csv'],
  ['--ndjson', '-o ndjson'],
  ['--print-json', '-o ndjson'],
  ['--jq', '-o json | jq'],
  ['--template', '-o json | jq'],
  ['--columns', '--fields'],
  ['--force', '--yes'],
  ['--confirm', '--yes'],
  ['--verbose', '--debug'],
  ['--log-level', '--debug'],
  ['-v', '--version'],
  ['-L', '--limit'],
  ['--per-page', '--limit'],
  ['--page', '--after'],
  ['--cursor', '--after'],
  ['--starting-after', '--after'],
  ['--ending-before', '--before'],
  ['--from', '--since'],
  ['--to', '--until'],
  ['--to', '--forward-to'],
  ['--url', '--forward-to'],
  ['--url', '--base-url'],
  ['--endpoint', '--url'],
  ['--filter', '--events'],
  ['--filter', '--status'],
  ['--count', '--times'],
  ['--count', '--exit-after'],
  ['--repeat', '--times'],
  ['--once', '--exit-after'],
  ['--limit', '--exit-after'],
  ['-n', '--exit-after'],
  ['-H', '--header'],
  ['--bind', '--host'],
  ['--ngrok', '--tunnel'],
  ['--cloudflared', '--tunnel'],
  ['--override', '--set'],
  ['--add', '--set'],
  ['--raw', '--data'],
  ['--body', '--payload-file'],
  ['--body', '--data'],
  ['--value', '--amount'],
  ['--expiry', '--expires-in'],
  ['--ttl', '--expires-in'],
  ['--message', '--description'],
  ['--pix-key', '--to'],
  ['--pix-key-type', '--type'],
  ['--id', '--idempotency-key'],
  ['--ref', '--idempotency-key'],
  ['--reference', '--idempotency-key'],
  ['--order-id', '--idempotency-key'],
  ['--external-id', '--idempotency-key'],
  ['--daily-limit', '--max-day'],
  ['--per-day', '--max-day'],
  ['--max-per-day', '--max-day'],
  ['--max-amount', '--max-withdrawal'],
  ['--balance', '--available'],
  ['--withdrawal-fee', '--fee'],
  ['--db', '--state'],
  ['--file', '--state'],
  ['--type', '--effect'],
  ['--api-key', '--key-stdin'],
  ['--api-key', 'the variable PIXCTL_API_KEY'],
  ['--key', '--key-stdin'],
  ['--key', '--idempotency-key'],
  ['--token', '--key-stdin'],
  ['--with-token', '--key-stdin'],
  ['--secret', '--secret-stdin'],
];

/** What the flag of one command is called there, or where its value belongs. */
export const flagsElsewhere: Readonly<Record<string, string>> = {
  'pixctl api -X': 'pixctl api <METHOD> <path>',
  'pixctl api --method': 'pixctl api <METHOD> <path>',
  'pixctl webhook test --url': 'pixctl webhook test <url>',
  'pixctl webhook replay --all': '--failed, --last <n> or --since <moment>',
  'pixctl webhook trigger --list': 'pixctl webhook trigger --help',
  'pixctl withdrawal batch --file': 'pixctl withdrawal batch <file.csv>',
  'pixctl withdrawal batch --resume': 'the same line again, which resumes',
  'pixctl completion --shell': 'pixctl completion <shell>',
  'pixctl completion -s': 'pixctl completion <shell>',
};

const byStatus = (statuses: string): [string, string][] =>
  statuses.split(' ').map((status) => [`--${status}`, `--status ${status.toUpperCase()}`]);

/** Flags of a list that ask for one status. */
export const statusFlags: Readonly<Record<string, string>> = Object.fromEntries(
  byStatus('pending paid expired refunded disputed processing completed failed'),
);

/** What no flag of the command can ask for, and why. */
export const absentFlags: Readonly<Record<string, string>> = {
  'pixctl charge refund --amount': 'a refund is always in full',
  'pixctl charge refund --partial': 'a refund is always in full',
  'pixctl charge refund --reason': 'the service takes no text with a refund',
  'pixctl charge create --metadata': 'the service keeps no data of yours with a charge',
  'pixctl withdraw --description': 'the service takes no text with a withdrawal',
  'pixctl withdraw --no-wait': 'it waits only where --wait is given',
};
