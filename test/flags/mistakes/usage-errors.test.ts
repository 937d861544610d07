import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { environmentVariables } from '../../../src/commands/help/environment.ts';
import { eventNames } from '../../../src/contract/event-names.ts';
import { PixctlError } from '../../../src/errors.ts';
import { pathOf } from '../../../src/flags/help.ts';
import { commandEquivalents, unsupportedCommands } from '../../../src/flags/mistakes/foreign-commands.ts';
import {
  flagEquivalents,
  foreignFlags,
  unsupportedFlags,
} from '../../../src/flags/mistakes/foreign-flags.ts';
import { walkCommands } from '../../../src/program/harden.ts';
import { createProgram } from '../../../src/program.ts';
import type { Runtime } from '../../../src/runtime.ts';
import type { Io } from '../../../src/terminal/io.ts';
import { inQuotes, onWindows } from '../../support/platform.ts';

const refusal = async (line: string): Promise<PixctlError> => {
  const io = { size: () => ({ columns: 80, rows: 24 }), write: async () => {} } as unknown as Io;
  const program = await createProgram({ io } as Runtime, line.split(' '));
  try {
    await program.parseAsync(line.split(' '), { from: 'user' });
  } catch (error) {
    if (error instanceof PixctlError) return error;
    throw error;
  }
  throw new Error(`not refused: ${line}`);
};

describe('a refused command line says what is wrong, what may have been meant, and where the help is', () => {
  it.each([
    [
      'charge create --amout 5',
      'pixctl charge create has no flag --amout; did you mean --amount?',
      'pixctl charge create',
    ],
    ['charge list --xyzzy', 'pixctl charge list has no flag --xyzzy.', 'pixctl charge list'],
    [
      'charge create --ammount=10,50',
      'pixctl charge create has no flag --ammount; did you mean --amount?',
      'pixctl charge create',
    ],
    [
      'charge create --desc=coffee',
      'pixctl charge create has no flag --desc; did you mean --description?',
      'pixctl charge create',
    ],
    [
      'charge crate',
      'pixctl charge has no command "crate"; did you mean pixctl charge create?',
      'pixctl charge',
    ],
    ['charge list get', 'pixctl charge list takes no arguments, but got 1: get.', 'pixctl charge list'],
    ['whoam', 'pixctl has no command "whoam"; did you mean pixctl whoami?', 'pixctl'],
    ['xyzzy', 'pixctl has no command "xyzzy".', 'pixctl'],
    ['version', 'pixctl has no command "version"; did you mean pixctl --version?', 'pixctl'],
    ['refund chg_1', 'pixctl has no command "refund"; did you mean pixctl charge refund?', 'pixctl'],
    ['charge ls', 'pixctl charge has no command "ls"; did you mean pixctl charge list?', 'pixctl charge'],
    [
      'customer show',
      'pixctl customer has no command "show"; did you mean pixctl customer get?',
      'pixctl customer',
    ],
    [
      'webhook inbox ls',
      'pixctl webhook inbox has no command "ls"; did you mean pixctl webhook inbox list?',
      'pixctl webhook inbox list',
    ],
    ['charge list --output xml', '--output takes one of table, json, ndjson, csv, not "xml".', 'pixctl'],
    ['complte', 'pixctl has no command "complte".', 'pixctl'],
    ['charge get a b', 'pixctl charge get takes 1 argument, but got 2: a, b.', 'pixctl charge get'],
    ['--json charge get a b', 'pixctl charge get takes 1 argument, but got 2: a, b.', 'pixctl charge get'],
    [
      'charge list --json=id,status',
      '--json takes no fields; they are chosen with --fields id,status.',
      'pixctl charge list',
    ],
    [
      'charge list --json id,status',
      '--json takes no fields; they are chosen with --fields id,status.',
      'pixctl charge list',
    ],
    [
      'charge get chg_1 -o json id',
      '-o json takes no fields; they are chosen with --fields id.',
      'pixctl charge get',
    ],
    [
      'charge get --output ndjson id,status chg_1',
      '--output ndjson takes no fields; they are chosen with --fields id,status.',
      'pixctl charge get',
    ],
    [
      'charge get --json chg_1 chg_2',
      'pixctl charge get takes 1 argument, but got 2: chg_1, chg_2.',
      'pixctl charge get',
    ],
    [
      'charge create --amount 10 50 --no-qr',
      '--amount takes one value; did you mean --amount "10,50"? PowerShell reads a comma without quotes as a list.',
      'pixctl charge create',
    ],
    [
      'withdraw --to maria --amount 1 050,00 --yes',
      '--amount takes one value; did you mean --amount 1050,00?',
      'pixctl withdraw',
    ],
    [
      'charge create -a 1 050,00 --no-qr',
      '-a takes one value; did you mean -a 1050,00?',
      'pixctl charge create',
    ],
    [
      'charge create --amount 12 345 678',
      '--amount takes one value, without spaces: 12345678,00 is reais, 12345678 is cents.',
      'pixctl charge create',
    ],
    [
      'charge create --amount 1 maria 050',
      'pixctl charge create takes no arguments, but got 2: maria, 050.',
      'pixctl charge create',
    ],
    [
      'charge list --limit 1 050',
      'pixctl charge list takes no arguments, but got 1: 050.',
      'pixctl charge list',
    ],
    [
      'charge list --fields id status amount',
      '--fields takes one value; did you mean --fields "id,status,amount"? PowerShell reads a comma without quotes as a list.',
      'pixctl charge list',
    ],
    [
      'charge create --description Two big coffees --no-qr',
      `--description takes one value; did you mean --description ${inQuotes('Two big coffees')}?`,
      'pixctl charge create',
    ],
    [
      'sandbox withdrawal fail wd_1 --reason account closed',
      `--reason takes one value; did you mean --reason ${inQuotes('account closed')}?`,
      'pixctl sandbox withdrawal fail',
    ],
    [
      'charge create -d coffee --no-qr cake',
      'pixctl charge create takes no arguments, but got 1: cake.',
      'pixctl charge create',
    ],
    [
      'withdraw --amount 10 maria',
      'pixctl withdraw takes no arguments, but got 1: maria.',
      'pixctl withdraw',
    ],
    ['whoami start', 'pixctl whoami takes no arguments, but got 1: start.', 'pixctl whoami'],
    ['policy show x', 'pixctl policy show takes no arguments, but got 1: x.', 'pixctl policy show'],
    [
      'webhook inbox lsit',
      'pixctl webhook inbox has no command "lsit"; did you mean pixctl webhook inbox list?',
      'pixctl webhook inbox list',
    ],
    ['charge list --limit', '--limit needs a value: <n>.', 'pixctl charge list'],
    [
      'reconcile march.csv',
      '--orders <file.csv> is missing; did you mean pixctl reconcile --orders march.csv?',
      'pixctl reconcile',
    ],
    [
      'withdraw --if-busy wiat',
      '--if-busy takes one of fail, wait, skip, not "wiat"; did you mean wait?',
      'pixctl withdraw',
    ],
    [
      'completion tcsh',
      '<shell> takes one of bash, zsh, fish, powershell, install, not "tcsh".',
      'pixctl completion',
    ],
    ['-v', 'pixctl has no flag -v; did you mean --version?', 'pixctl'],
    ['auth login', 'pixctl has no command "auth"; did you mean pixctl login?', 'pixctl'],
    ['schema', 'pixctl has no command "schema"; did you mean pixctl help commands?', 'pixctl'],
    ['exit-codes', 'pixctl has no command "exit-codes"; did you mean pixctl help exit-codes?', 'pixctl'],
    [
      'charge pay chg_1',
      'pixctl charge has no command "pay"; did you mean pixctl sandbox pay?',
      'pixctl charge',
    ],
    [
      'withdrawal create',
      'pixctl withdrawal has no command "create"; did you mean pixctl withdraw?',
      'pixctl withdrawal',
    ],
    [
      'webhook resend evt_1',
      'pixctl webhook has no command "resend"; did you mean pixctl webhook replay?',
      'pixctl webhook',
    ],
    [
      'sandbox advance 1h',
      'pixctl sandbox has no command "advance"; did you mean pixctl sandbox clock advance?',
      'pixctl sandbox',
    ],
    [
      'webhook list',
      'pixctl webhook has no command "list": pixctl webhook endpoints lists what was registered from here, pixctl webhook inbox what was received.',
      'pixctl webhook',
    ],
    [
      'withdraw list',
      'pixctl withdraw takes no arguments, but got 1: list; did you mean pixctl withdrawal list?',
      'pixctl withdraw',
    ],
    [
      'webhook endpoints list',
      'pixctl webhook endpoints takes no arguments, but got 1: list.',
      'pixctl webhook endpoints',
    ],
    [
      'charge 10,50',
      'pixctl charge has no command "10,50"; did you mean pixctl charge create --amount 10,50?',
      'pixctl charge',
    ],
    [
      'charge chg_1',
      'pixctl charge has no command "chg_1"; did you mean pixctl charge get chg_1?',
      'pixctl charge',
    ],
    [
      'charge create 10',
      'pixctl charge create takes no arguments, but got 1: 10; did you mean pixctl charge create --amount 10,00 for reais, or --amount 10 for cents?',
      'pixctl charge create',
    ],
    [
      'webhook listen 3000',
      'pixctl webhook listen takes no arguments, but got 1: 3000; did you mean pixctl webhook listen --forward-to 3000?',
      'pixctl webhook listen',
    ],
    [
      'charge create 10,50',
      'pixctl charge create takes no arguments, but got 1: 10,50; did you mean pixctl charge create --amount ' +
        (onWindows ? '"10,50"?' : '10,50?'),
      'pixctl charge create',
    ],
    [
      "webhook listen http://localhost:3000/?a=1&b=$(id)'",
      "pixctl webhook listen takes no arguments, but got 1: http://localhost:3000/?a=1&b=$(id)'; did you mean pixctl webhook listen --forward-to " +
        (onWindows
          ? "'http://localhost:3000/?a=1&b=$(id)'''?"
          : "'http://localhost:3000/?a=1&b=$(id)'\\'''?"),
      'pixctl webhook listen',
    ],
    [
      'api /transparents/list?limit=1&after=x',
      `<path> is missing; did you mean pixctl api GET ${inQuotes('/transparents/list?limit=1&after=x')}?`,
      'pixctl api',
    ],
    [
      'withdraw 52998224725',
      'pixctl withdraw takes no arguments, but got 1: 52998224725.',
      'pixctl withdraw',
    ],
    [
      'login svc_canary',
      'pixctl login takes no argument: a key would stay in the history of the shell. pixctl login alone asks for it; without a terminal give --key-stdin or --key-file <file>.',
      'pixctl login',
    ],
    [
      'login --api-key=canary',
      'pixctl login has no flag --api-key: a key would stay in the history of the shell; pixctl login alone asks for it, and --key-stdin or --key-file <file> takes it.',
      'pixctl login',
    ],
    [
      'charge list --api-key canary',
      'pixctl charge list has no flag --api-key; did you mean the variable PIXCTL_API_KEY?',
      'pixctl charge list',
    ],
    [
      'webhook listen --secret=canary',
      'pixctl webhook listen has no flag --secret; did you mean --secret-stdin?',
      'pixctl webhook listen',
    ],
    [
      'charge list --force',
      'pixctl charge list has no flag --force; did you mean --yes?',
      'pixctl charge list',
    ],
    [
      'charge list --format json',
      'pixctl charge list has no flag --format; did you mean --output?',
      'pixctl charge list',
    ],
    ['charge list -L 3', 'pixctl charge list has no flag -L; did you mean --limit?', 'pixctl charge list'],
    ['charge get -L 3 x', 'pixctl charge get has no flag -L.', 'pixctl charge get'],
    [
      'api /transparents/list',
      '<path> is missing; did you mean pixctl api GET /transparents/list?',
      'pixctl api',
    ],
    [
      'completion bash --install',
      'pixctl completion has no flag --install; did you mean pixctl completion install?',
      'pixctl completion',
    ],
    ['wait chg_1', 'pixctl has no command "wait"; did you mean pixctl charge wait?', 'pixctl'],
    ['wait wd_1', 'pixctl has no command "wait"; did you mean pixctl withdrawal wait wd_1?', 'pixctl'],
    ['env', 'pixctl has no command "env"; did you mean pixctl help environment?', 'pixctl'],
    ['json', 'pixctl has no command "json"; did you mean pixctl help output?', 'pixctl'],
    ['1050', 'pixctl has no command "1050".', 'pixctl'],
    [
      'upgrade',
      'pixctl has no command "upgrade": the program neither replaces itself nor looks for a newer version: install that as this one was installed.',
      'pixctl',
    ],
    [
      'charge list --sort amount',
      "pixctl charge list has no flag --sort: the order is the service's; --jq 'sort_by(.amount)' or --jq reverse makes another.",
      'pixctl charge list',
    ],
    [
      'withdrawal list --reverse',
      "pixctl withdrawal list has no flag --reverse: the order is the service's; --jq 'sort_by(.amount)' or --jq reverse makes another.",
      'pixctl withdrawal list',
    ],
    [
      'charge list --non-interactive',
      'pixctl charge list has no flag --non-interactive; did you mean --no-input?',
      'pixctl charge list',
    ],
    [
      'charge list --color off',
      'pixctl charge list has no flag --color; did you mean --no-color?',
      'pixctl charge list',
    ],
    [
      'api GET /transparents/list --paginate --slurp',
      'pixctl api has no flag --slurp: --paginate alone prints one array of the items of all pages.',
      'pixctl api',
    ],
    ['api GET /x --silent', 'pixctl api has no flag --silent; did you mean --jq empty?', 'pixctl api'],
    ['post /webhooks', 'pixctl has no command "post"; did you mean pixctl api POST /webhooks?', 'pixctl'],
    ['chg_1', 'pixctl has no command "chg_1"; did you mean pixctl charge get chg_1?', 'pixctl'],
    ['get evt_1', 'pixctl has no command "get"; did you mean pixctl webhook show evt_1?', 'pixctl'],
    ['show cust_1', 'pixctl has no command "show"; did you mean pixctl customer get cust_1?', 'pixctl'],
    ['retrieve wd_1', 'pixctl has no command "retrieve"; did you mean pixctl withdrawal get wd_1?', 'pixctl'],
    [
      'get /customers/cust_1',
      'pixctl has no command "get"; did you mean pixctl api GET /customers/cust_1?',
      'pixctl',
    ],
    [
      'charge retrieve chg_1',
      'pixctl charge has no command "retrieve"; did you mean pixctl charge get?',
      'pixctl charge',
    ],
    [
      'webhook evt_1',
      'pixctl webhook has no command "evt_1"; did you mean pixctl webhook show evt_1?',
      'pixctl webhook',
    ],
    [
      'webhook wh_1',
      'pixctl webhook has no command "wh_1"; did you mean pixctl webhook deliveries wh_1?',
      'pixctl webhook',
    ],
    [
      'webhook inbox evt_1',
      'pixctl webhook inbox list takes no arguments, but got 1: evt_1; did you mean pixctl webhook inbox list --id evt_1?',
      'pixctl webhook inbox list',
    ],
    [
      'webhook inbox --failed',
      'pixctl webhook inbox list has no flag --failed; did you mean --status given-up?',
      'pixctl webhook inbox list',
    ],
    [
      'webhook inbox --completed',
      'pixctl webhook inbox list has no flag --completed.',
      'pixctl webhook inbox list',
    ],
    [
      'webhook inbox --body',
      'pixctl webhook inbox list has no flag --body; did you mean --fields id,event,body?',
      'pixctl webhook inbox list',
    ],
    [
      'charge list --follow',
      'pixctl charge list has no flag --follow; did you mean pixctl webhook listen --poll 5s, which shows what has changed?',
      'pixctl charge list',
    ],
    [
      'charge list --created-after 2026-01-31',
      'pixctl charge list has no flag --created-after; did you mean --since?',
      'pixctl charge list',
    ],
    [
      'webhook listen --skip-verify -f 3000',
      'pixctl webhook listen has no flag --skip-verify: the certificate of an HTTPS target on this machine is not checked, and the signature of a delivery always is.',
      'pixctl webhook listen',
    ],
    [
      'webhook listen --live -f 3000',
      'pixctl webhook listen has no flag --live; did you mean --profile?',
      'pixctl webhook listen',
    ],
    [
      'api POST /webhooks -d url=x',
      'pixctl api has no flag -d; did you mean -f key=value, or --input <file>?',
      'pixctl api',
    ],
    ['config --list', 'pixctl config has no flag --list; did you mean pixctl config list?', 'pixctl config'],
    // Not that what it stands for is missing, which a person would be asked for.
    [
      'destination add rent --pix-key maria@example.com',
      'pixctl destination add has no flag --pix-key; did you mean --key?',
      'pixctl destination add',
    ],
    [
      'webhook verify --payload=body.json --signature t=1,v1=0',
      'pixctl webhook verify has no flag --payload; did you mean --payload-file?',
      'pixctl webhook verify',
    ],
    // A flag that lifts a guard is named only to who asks for it.
    ['withdraw --all', 'pixctl withdraw has no flag --all.', 'pixctl withdraw'],
    [
      'withdraw --allow-dup',
      'pixctl withdraw has no flag --allow-dup; did you mean --allow-duplicate?',
      'pixctl withdraw',
    ],
    [
      'webhook replay --all',
      'pixctl webhook replay has no flag --all; did you mean --failed, --last <n> or --since <moment>?',
      'pixctl webhook replay',
    ],
    [
      'charge list --month 2026-11',
      'pixctl charge list has no flag --month; did you mean --since 2026-01 --until 2026-01?',
      'pixctl charge list',
    ],
    [
      'withdrawal ledger --month 2026-11',
      'pixctl withdrawal ledger has no flag --month; did you mean --since 2026-01 --until 2026-01?',
      'pixctl withdrawal ledger',
    ],
    // Not --all-labels, which adds the keys of every merchant.
    [
      'withdrawal ledger --all',
      'pixctl withdrawal ledger has no flag --all: it always lists all keys of the profile.',
      'pixctl withdrawal ledger',
    ],
    [
      'charge ledger --all',
      'pixctl charge ledger has no flag --all: it always lists all keys of the profile.',
      'pixctl charge ledger',
    ],
    // Its --state is no file.
    [
      'withdrawal ledger --file x.db',
      'pixctl withdrawal ledger has no flag --file.',
      'pixctl withdrawal ledger',
    ],
    ['withdrawal ledger --db', 'pixctl withdrawal ledger has no flag --db.', 'pixctl withdrawal ledger'],
    [
      'sandbox start --db x.db',
      'pixctl sandbox start has no flag --db; did you mean --state?',
      'pixctl sandbox start',
    ],
    [
      'withdraw --amount 1050 --key ana@example.com',
      'pixctl withdraw has no flag --key; did you mean --to <pix key>, or --idempotency-key <key>?',
      'pixctl withdraw',
    ],
    [
      'doctor --fix',
      'pixctl doctor has no flag --fix: it changes nothing; each finding is shown with its remedy.',
      'pixctl doctor',
    ],
    [
      'webhook replay evt_1 --add data.note=x',
      'pixctl webhook replay has no flag --add: a copy of an event has the fields that came; --set changes one, and pixctl webhook trigger has --add and --remove.',
      'pixctl webhook replay',
    ],
    [
      'withdraw --no-wait',
      'pixctl withdraw has no flag --no-wait: it waits only with --wait.',
      'pixctl withdraw',
    ],
    [
      'charge refund chg_1 --amount 5,00',
      'pixctl charge refund has no flag --amount: a refund is always in full.',
      'pixctl charge refund',
    ],
    ['charge get chg_1 --reason x', 'pixctl charge get has no flag --reason.', 'pixctl charge get'],
    [
      'charge list --paid',
      'pixctl charge list has no flag --paid; did you mean --status PAID?',
      'pixctl charge list',
    ],
    [
      'charge list --today',
      'pixctl charge list has no flag --today; did you mean --since today?',
      'pixctl charge list',
    ],
    [
      'webhook inbox --yesterday',
      'pixctl webhook inbox list has no flag --yesterday; did you mean --since yesterday?',
      'pixctl webhook inbox list',
    ],
    ['charge get chg_1 --today', 'pixctl charge get has no flag --today.', 'pixctl charge get'],
    ['charge get chg_1 --paid', 'pixctl charge get has no flag --paid.', 'pixctl charge get'],
    [
      'charge list --to 2026-01-31',
      'pixctl charge list has no flag --to; did you mean --until?',
      'pixctl charge list',
    ],
    [
      'webhook trigger CHARGE_PAID --to 3000',
      'pixctl webhook trigger has no flag --to; did you mean --forward-to?',
      'pixctl webhook trigger',
    ],
    ['policy get', 'pixctl policy has no command "get"; did you mean pixctl policy show?', 'pixctl policy'],
    ['auth logout', 'pixctl has no command "auth"; did you mean pixctl logout?', 'pixctl'],
    ['charges list --all', 'pixctl has no command "charges"; did you mean pixctl charge list?', 'pixctl'],
    ['charges ls', 'pixctl has no command "charges"; did you mean pixctl charge list?', 'pixctl'],
    ['list', 'pixctl has no command "list"; did you mean pixctl charge list?', 'pixctl'],
    ['ls --all', 'pixctl has no command "ls"; did you mean pixctl charge list?', 'pixctl'],
    ['list payments', 'pixctl has no command "list"; did you mean pixctl charge list?', 'pixctl'],
    ['ls withdrawals', 'pixctl has no command "ls"; did you mean pixctl withdrawal list?', 'pixctl'],
    ['list profiles', 'pixctl has no command "list"; did you mean pixctl profile list?', 'pixctl'],
    ['ls endpoints', 'pixctl has no command "ls"; did you mean pixctl webhook endpoints?', 'pixctl'],
    ['list events', 'pixctl has no command "list"; did you mean pixctl webhook inbox?', 'pixctl'],
    ['list keys', 'pixctl has no command "list".', 'pixctl'],
    ['charges fly', 'pixctl has no command "charges"; did you mean pixctl charge?', 'pixctl'],
    [
      'list refunds',
      'pixctl has no command "list": the service lists no refunds; pixctl charge list --all --status REFUNDED has the charges.',
      'pixctl',
    ],
    ['payouts list', 'pixctl has no command "payouts"; did you mean pixctl withdrawal list?', 'pixctl'],
    [
      'webhooks list',
      'pixctl has no command "webhooks": pixctl webhook endpoints lists what was registered from here, pixctl webhook inbox what was received.',
      'pixctl',
    ],
    [
      'withdraw get wd_1',
      'pixctl withdraw takes no arguments, but got 2: get, wd_1; did you mean pixctl withdrawal get?',
      'pixctl withdraw',
    ],
    [
      'withdraw 250,00 ana@example.com',
      'pixctl withdraw takes no arguments, but got 2: 250,00, ana@example.com; did you mean pixctl withdraw --amount ' +
        (onWindows ? '"250,00"' : '250,00') +
        ' --to ana@example.com?',
      'pixctl withdraw',
    ],
    [
      'withdraw 250,00 maria',
      'pixctl withdraw takes no arguments, but got 2: 250,00, maria.',
      'pixctl withdraw',
    ],
    [
      'withdraw 10,00 20,00',
      'pixctl withdraw takes no arguments, but got 2: 10,00, 20,00.',
      'pixctl withdraw',
    ],
    [
      'sandbox fault add lost-response',
      'pixctl sandbox fault add takes no arguments, but got 1: lost-response; did you mean pixctl sandbox fault add --preset lost-response?',
      'pixctl sandbox fault add',
    ],
    [
      'api GET /transparents/list -q .data',
      '-q is --quiet here, and takes no query; did you mean --jq .data?',
      'pixctl api',
    ],
  ])('%s', async (line, words, path) => {
    const { message, hint, exit } = await refusal(line);
    expect(message).toBe(`${words} Nothing was sent.`);
    expect(hint).toMatch(new RegExp(`^${path} --help shows its (commands|flags|flags and examples)\\.$`));
    expect(exit).toBe(64);
  });

  it.each([
    ['charge get', '<id> is missing: id of the charge, chg_...', 'pixctl charge get chg_1'],
    ['sandbox pay', '<charge> is missing: id of the charge, chg_...', 'pixctl sandbox pay chg_1'],
    ['customer get', '<id> is missing: id of the customer, cust_...', 'pixctl customer get cust_1'],
    [
      'config set',
      '<name> is missing: a setting: timeout, timeZone, keychain.',
      'pixctl config set timeout 10s',
    ],
    ['config set timeout', '<value> is missing: its new value.', 'pixctl config set timeout 10s'],
    [
      'webhook trigger',
      `<EVENT> is missing: ${eventNames.join(', ')}; another name takes --data.`,
      'pixctl webhook trigger CHARGE_PAID -f 3000/webhooks --secret-file secret.txt',
    ],
    [
      'withdrawal status',
      '<idempotency key> is missing: the key that the withdrawal was sent with.',
      'pixctl withdrawal status rent-2026-03',
    ],
    [
      'withdrawal batch',
      '<file.csv> is missing: CSV with the header idempotency_key,amount,pix_key,pix_key_type.',
      'pixctl withdrawal batch march.csv',
    ],
    [
      'sandbox snapshot',
      '<file> is missing: the file to write; one that exists is overwritten only with --force.',
      'pixctl sandbox snapshot before.db',
    ],
    [
      'config set timeZone',
      '<value> is missing: its new value.',
      'pixctl config set timeZone America/Sao_Paulo',
    ],
    [
      'api POST',
      "<path> is missing: a path below the profile's address, like /customers/cust_1; the key is sent nowhere else.",
      'pixctl api POST /transparents/create -f method=PIX -F amount=1050',
    ],
    [
      'destination add maria',
      '--key <pix key> is missing.',
      'pixctl destination add maria --key 52998224725 --type CPF',
    ],
    [
      'destination add owner',
      '--key <pix key> is missing.',
      'pixctl destination add rent --key owner@example.com',
    ],
    ['reconcile', '--orders <file.csv> is missing.', 'pixctl reconcile --orders orders.csv'],
    [
      'destination add rent',
      '--key <pix key> is missing.',
      'pixctl destination add rent --key owner@example.com',
    ],
    [
      'destination add rent -- --x',
      '--key <pix key> is missing.',
      'pixctl destination add rent --key owner@example.com',
    ],
    [
      'completion',
      '<shell> is missing: the shell; or install, for the shell in use (bash, zsh, fish, powershell, install).',
      'pixctl completion install',
    ],
  ])('%s shows a line that has what is missing', async (line, words, example) => {
    const { message, hint, exit } = await refusal(line);
    expect(message).toBe(`${words} Nothing was sent.`);
    expect(hint).toMatch(/^pixctl [a-z -]+ --help shows its flags and examples\. For example: /);
    expect(hint?.split('For example: ')[1]).toBe(example);
    expect(exit).toBe(64);
  });

  it.each([
    ['sandbox key revoke', 'no example can be pasted'],
    ['brcode verify', 'no example can be pasted'],
    ['config set keychain', 'the examples have other values'],
    ['api PUT', 'no example has this method'],
  ])('%s shows no line: %s', async (line) => {
    const { hint } = await refusal(line);
    expect(hint).toMatch(/^pixctl [a-z ]+ --help shows its flags and examples\.$/);
  });

  it('a description of an argument is not masked as a key', async () => {
    const { message } = await refusal('sandbox key revoke');
    expect(message).toBe('<key> is missing: the API key to revoke. Nothing was sent.');
  });

  it('an empty word is shown, and a long line is not repeated whole', async () => {
    expect((await refusal('')).message).toBe('pixctl has no command "". Nothing was sent.');
    const many = Array.from({ length: 3_000 }, (_, at) => `f${at}`);
    expect((await refusal(`charge list ${many.join(' ')}`)).message).toBe(
      'pixctl charge list takes no arguments, but got 3000: f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 and 2990 more. Nothing was sent.',
    );
    for (const line of [
      'x'.repeat(100_000),
      `charge ${'x'.repeat(100_000)}`,
      `whoami --${'x'.repeat(100_000)}`,
      `charge list --output ${'x'.repeat(100_000)}`,
      `completion ${'x'.repeat(100_000)}`,
    ])
      expect((await refusal(line)).message.length).toBeLessThan(200);
  });

  it.each([
    ['charge nope --help', 'pixctl charge has no command "nope".', 'pixctl charge'],
    [
      'charge creat -h',
      'pixctl charge has no command "creat"; did you mean pixctl charge create?',
      'pixctl charge',
    ],
    ['nope --help', 'pixctl has no command "nope".', 'pixctl'],
    ['whoam --help', 'pixctl has no command "whoam"; did you mean pixctl whoami?', 'pixctl'],
    ['webhook inbox nope -h', 'pixctl webhook inbox has no command "nope".', 'pixctl webhook inbox'],
  ])('%s shows no help, which a script would take for that of a command', async (line, words, path) => {
    const { message, hint, exit } = await refusal(line);
    expect(message).toBe(`${words} Nothing was sent.`);
    expect(hint).toBe(`${path} --help shows its commands.`);
    expect(exit).toBe(64);
  });

  it('every line that a flag is found under is a command', async () => {
    const program = await createProgram({} as Runtime, 'all');
    const paths = [...walkCommands(program)].map((command) => pathOf(command));
    for (const table of [flagEquivalents, unsupportedFlags])
      for (const line of Object.keys(table)) expect(paths).toContain(line.replace(/ -\S+$/, ''));
  });

  it('a flag of every command is explained where the flags are', async () => {
    expect((await refusal('--output xml charge list')).hint).toBe('pixctl --help shows its flags.');
  });

  it.each('refund create qr batch resolve listen trigger replay inbox sign start fault decode'.split(' '))(
    '%s without its noun means a command that there is',
    async (verb) => {
      const [, meant = ''] = /did you mean pixctl (.+)\?/.exec((await refusal(verb)).message) ?? [];
      const program = await createProgram({} as Runtime, 'all');
      const [noun = '', ...rest] = meant.split(' ');
      const parent = program.commands.find((each) => each.name() === noun);
      expect(rest).toEqual([verb]);
      expect(parent?.commands.map((each) => each.name())).toContain(verb);
    },
  );

  it.each(Object.entries(commandEquivalents()))(
    '%s, which is none, leads to pixctl %s',
    async (line, meant) => {
      expect((await refusal(line.replace('pixctl ', ''))).message).toContain(
        `; did you mean pixctl ${meant}? `,
      );
    },
  );

  it.each(Object.entries(unsupportedCommands()))('%s cannot be had: %s', async (line, why) => {
    const { message, exit } = await refusal(line.replace('pixctl ', ''));
    expect([message.slice(message.indexOf(': ') + 2), exit]).toEqual([`${why}. Nothing was sent.`, 64]);
  });

  it('every flag that a habit leads to is one that a command has', async () => {
    const program = await createProgram({} as Runtime, 'all');
    const flags = [...walkCommands(program)].flatMap(({ options }) =>
      options.flatMap(({ long, short }) => [long, short]),
    );
    const variables = environmentVariables.map(({ name }) => `the variable ${name}`);
    const meant = foreignFlags().map(([, flag]) => flag);
    const isKnown = (flag: string) => flags.includes(flag.split(' ')[0]) || variables.includes(flag);
    expect(meant.filter((flag) => !isKnown(flag))).toEqual([]);
  });

  it('every guess is a command that there is', async () => {
    const program = await createProgram({} as Runtime, 'all');
    for (const guess of Object.values(commandEquivalents()).filter((each) => !each.startsWith('-'))) {
      let command: Command | undefined = program;
      const [words = '', flag] = guess.split(/ (?=-)/);
      for (const word of words.split(' ')) command = command?.commands.find((each) => each.name() === word);
      expect(command?.name(), guess).toBeDefined();
      const known = [...(command?.options ?? []), ...program.options];
      if (flag !== undefined)
        expect(
          known.map(({ long }) => long),
          guess,
        ).toContain(flag.split(' ')[0]);
    }
  });

  it('a --timeout that bounds nothing is refused by whatever command it is given to', async () => {
    expect((await refusal('config list --timeout soon')).message).toBe(
      '--timeout: "soon" is not a duration. Nothing was sent.',
    );
    expect(await refusal('charge wait chg_1 --timeout 0s')).toMatchObject({
      message: '--timeout takes a duration longer than 0, not "0s". Nothing was sent.',
      hint: 'For example, 30s or 5m.',
      exit: 64,
    });
  });
});
