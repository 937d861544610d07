import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentVariables } from '../../../src/commands/help/environment.ts';
import { operations } from '../../../src/contract/operations.ts';
import { exitCodes } from '../../../src/errors.ts';
import { helpTopics } from '../../../src/flags/help-topics.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { emptyHome, run } from '../../support/run.ts';

interface Row {
  readonly command: string;
  readonly flags: readonly { readonly flag: string }[];
  readonly fields: readonly string[];
}

/** The names after "Fields for --fields:", as the flag takes them. */
async function fieldsInHelp(command: readonly string[]): Promise<string> {
  const { stdout } = await run([...command, '--help']);
  const [, names = ''] = /^Fields for --fields: ([\s\S]+?)\n\n/m.exec(stdout) ?? [];
  return names.replaceAll(/\s/g, '');
}

function fileIn(home: string, name: string, text: string): string {
  const path = join(home, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** A home with a profile and a destination, which each test that needs them copies. */
async function furnish(): Promise<string> {
  await using sandbox = await startSandbox();
  const home = emptyHome();
  const keyFile = fileIn(home, 'api-key', sandbox.apiKey);
  const login = ['login', '--profile', 'acme', '--base-url', sandbox.url, '--key-file', keyFile];
  expect((await run(login, { home })).code).toBe(0);
  const add = ['destination', 'add', 'rent', '--key', 'maria@example.com', '--yes'];
  expect((await run(add, { home })).code).toBe(0);
  return home;
}
let furnished: string;
beforeAll(async () => {
  furnished = await furnish();
});

describe('help', () => {
  it('is where messages point to: the single executable has no docs/', () => {
    const source = fileURLToPath(new URL('../../../src/', import.meta.url));
    const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => readFileSync(join(source, name), 'utf8').split('\n'))
      .filter((line) => /docs\/[\w-]+\.md/.test(line) && !/^\s*(\*|\/\*|\/\/)/.test(line));
    expect(texts).toEqual([]);
  });

  it('prints the exit codes for people and for scripts from one table', async () => {
    const { stdout } = await run(['help', 'exit-codes']);
    expect(stdout).toMatch(/^ {2}81 {2}OUTCOME UNKNOWN: the request may have had an effect/m);
    expect(stdout).toContain('is always safe, whatever the code.');
    expect(stdout).toContain('Apart from 1, no code from 1 to 13 is used');
    const { stdout: csv } = await run(['help', 'exit-codes', '-o', 'csv', '--fields', 'exit']);
    expect(csv.trim().split('\n').slice(1).map(Number)).toEqual(
      Object.values(exitCodes).map(({ exit }) => exit),
    );
  });

  it('lists every command in one look, and for programs with flags, fields and exit codes', async () => {
    const { stdout } = await run(['help', 'commands']);
    expect(stdout).toMatch(/^pixctl withdrawal batch\tpay the lines of a CSV/m);
    expect(stdout).not.toMatch(/^pixctl complete\t/m);
    const rows = JSON.parse((await run(['-o', 'json', 'help', 'commands'])).stdout) as Row[];
    expect(rows.find(({ command }) => command === 'pixctl charge qr')).toEqual({
      command: 'pixctl charge qr',
      does: "draw a charge's QR code; piped, only the copy-and-paste code",
      usage: '<id> [flags]',
      arguments: [{ argument: 'id', does: 'id of the charge, chg_...' }],
      flags: [{ flag: '--png <file>', does: 'write the QR code as a PNG file' }],
      fields: ['id', 'amount', 'status', 'createdAt', 'customer', 'expiresAt', 'txid', 'brCode'],
      examples: [
        'pixctl charge qr chg_1',
        'pixctl charge qr chg_1 | xclip',
        'pixctl charge qr chg_1 --png order-42.png',
      ],
      exits: [0, 1, 75, 77, 88],
      asks: ['id'],
      dryRun: false,
      notes: null,
    });
    expect(rows.find(({ command }) => command === 'pixctl api')).toMatchObject({
      arguments: [
        { argument: 'method', does: 'GET, POST, PUT, PATCH or DELETE' },
        { argument: 'path', does: expect.stringContaining('the key is sent nowhere else') },
      ],
      asks: [],
      dryRun: true,
      notes: expect.stringContaining('Withdrawals are refused here'),
    });
    // The flags of every command come first; no command repeats them.
    expect(rows[0]).toMatchObject({
      ...{ command: 'pixctl', does: 'the flags of every command', usage: '<command> [flags]', fields: [] },
      flags: expect.arrayContaining([
        { flag: '-o, --output <format>', does: 'format (table, json, ndjson, csv)' },
        { flag: '--no-input', does: 'never ask; fail when something is missing' },
      ]),
    });
    const ofAll = rows[0]?.flags.map(({ flag }) => flag) ?? [];
    expect(ofAll).toHaveLength(15);
    expect(rows.slice(1).flatMap(({ flags }) => flags.filter(({ flag }) => ofAll.includes(flag)))).toEqual(
      [],
    );
    // What is text, what shows the answer of any call, and what has a single field.
    expect(rows.filter(({ fields }) => fields.length === 0).map(({ command }) => command)).toEqual([
      ...['pixctl', 'pixctl sandbox fault clear', 'pixctl sandbox reset'],
      ...['pixctl demo', 'pixctl completion', 'pixctl api', 'pixctl help'],
    ]);
    expect(rows.find(({ command }) => command === 'pixctl withdraw')).toMatchObject({
      fields: [
        ...['idempotencyKey', 'state', 'amount', 'fee', 'pixKey', 'pixKeyType', 'withdrawal', 'moneyMoved'],
        ...['reason', 'inferred', 'replayed', 'code', 'exitCode', 'candidates', 'elsewhere', 'events'],
      ],
    });
  });

  it.each([
    [['policy', 'show']],
    [['sandbox', 'merchant', 'get']],
    [['sandbox', 'fault', 'list']],
    [['brcode', 'verify', 'no code']],
  ])('%j takes the fields that its help names', async (args) => {
    await using sandbox = await startSandbox();
    const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
    const fields = await fieldsInHelp(args.slice(0, 3));
    expect(fields).toMatch(/^\w+(,\w+){5}/);
    const { code, stdout } = await run([...args, '--fields', fields, '-o', 'csv'], { env });
    expect([0, 65]).toContain(code);
    expect(stdout).toMatch(new RegExp(`^${fields}\r?\n`));
  });

  it.each([
    ['webhook sign', ['--payload-file', 'BODY', '--secret-file', 'SECRET'], 'header,value'],
    [
      'webhook verify',
      ['--payload-file', 'BODY', '--secret-file', 'SECRET', '--signature', 't=1,v1=0'],
      'step,verdict,text',
    ],
    ['webhook inbox prune', ['--older-than', '30d'], 'removed,state,target,before,inbox'],
    ['config get', ['timeout'], 'name,value'],
    ['config set', ['timeout', '10s'], 'name,value'],
    ['config unset', ['timeout'], 'name,value'],
    ['destination remove', ['rent', '--yes'], 'name,pixKey,pixKeyType'],
    ['profile use', ['acme'], 'current,name,baseUrl,merchant,keySource'],
    ['logout', [], 'current,name,baseUrl,merchant,keySource'],
    ['profile remove', ['acme', '--yes'], 'current,name,baseUrl,merchant,keySource'],
    ['sandbox seed', ['--charges', '1'], 'charges,customers'],
    ['sandbox clock advance', ['1s'], 'now,mode,offsetMs'],
    ['sandbox snapshot', ['SAVED'], 'file,bytes'],
    ['sandbox key revoke', ['KEY'], 'key,merchantId,revokedAt'],
    [
      'webhook listen',
      ['--port', '0', '--secret-file', 'SECRET', '--exit-after', '1', '--within', '1s'],
      'type,id,event,verified,duplicate,forward,state,amount,status,reason,attempt,synthetic,url,key,target,body',
    ],
    ['sandbox fault add', ['--preset', 'slow'], 'id,target,matches,effect,terms,fired,spent,endsAt,matched'],
  ])('of %s names the fields that it takes', async (command, flags, fields) => {
    await using sandbox = await startSandbox();
    const home = emptyHome();
    cpSync(furnished, home, { recursive: true });
    const things: Record<string, string> = {
      BODY: fileIn(home, 'body', '{}'),
      SECRET: fileIn(home, 'secret', 'whsec_test_0123456789abcdef'),
      SAVED: join(home, 'saved.db'),
      KEY: sandbox.apiKey,
    };
    const given = flags.map((flag) => things[flag] ?? flag);
    const words = [...command.split(' '), ...given, '-o', 'csv', '--fields', fields];
    const control = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
    const env = command.startsWith('sandbox') ? control : {};
    const { code, stdout, stderr } = await run(words, { home, env });
    expect([0, 65, 82], stderr).toContain(code);
    expect(stdout).toMatch(new RegExp(`^${fields}\r?\n`));
    expect(await fieldsInHelp(command.split(' '))).toBe(fields);
  });

  it.each([
    ['environment', 'PIXCTL_API_KEY_FILE'],
    ['amounts', '1.050,00'],
    ['output', 'pixctl charge list --fields id,amount | cut -f2'],
    ['profile use', 'Usage: pixctl profile use'],
    ['', 'Usage: pixctl'],
  ])('explains %j', async (words, says) => {
    const { code, stdout } = await run(['help', ...words.split(' ').filter(Boolean)]);
    expect(code).toBe(0);
    expect(stdout).toContain(says);
  });

  it('is what pixctl alone prints, commands by what they are for, on one screen', async () => {
    const alone = await run([]);
    expect(alone).toMatchObject({ code: 0, stderr: '' });
    expect(alone.stdout).toBe((await run(['--help'])).stdout);
    const headings = alone.stdout.match(/^\S.*:$/gm);
    expect(headings).toEqual([
      ...['Charges:', 'Money out:', 'Webhooks:', 'Sandbox:', 'Setup:', 'More:', 'Flags of every command:'],
    ]);
    const lines = alone.stdout.split('\n');
    expect(lines.length).toBeLessThan(60);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    for (const topic of helpTopics) expect(lines.slice(-3).join(' ')).toContain(topic);
  });

  it('of api names every path that the service documents, except that of a withdrawal', async () => {
    const { stdout } = await run(['api', '--help']);
    const named = stdout.match(/^ {2}(?:GET|POST) +\/\S+/gm)?.map((line) => line.trim().replace(/ +/, ' '));
    const documented = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
    expect(named?.toSorted(), 'the list in src/commands/api/index.ts').toEqual(
      documented.filter((call) => call !== 'POST /withdrawals').toSorted(),
    );
  });

  it('of withdrawal batch has a file that it takes without a warning', async () => {
    const { stdout } = await run(['withdrawal', 'batch', '--help']);
    const [, lines = ''] = /^A file:\n((?: {2}\S+\n)+)/m.exec(stdout) ?? [];
    const file = fileIn(emptyHome(), 'march.csv', lines.replaceAll(/^ {2}/gm, ''));
    const { code, stderr } = await run(['withdrawal', 'batch', file, '--dry-run'], { home: furnished });
    expect({ code, lines: lines.split('\n').length - 1 }, stderr).toEqual({ code: 0, lines: 3 });
    expect(stderr).toContain('2 withdrawals, R$ 349,90 in all');
    expect(stderr).not.toContain('warning');
  });

  it.each([
    [['charge', 'get'], '--json, --jq, --fields'],
    [['login'], 'settings, API keys'],
    [['withdraw'], 'its fee on top of the amount'],
    [['charge', 'list'], "--jq 'sort_by(.amount)'"],
  ])('of %j says what is looked for first: %s', async (words, says) => {
    const { stdout } = await run([...words, '--help']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(says);
  });

  it.each([
    [['charge'], 'pixctl charge needs a command: create, get, '],
    [['sandbox', 'merchant'], 'pixctl sandbox merchant needs a command: get, set, add.'],
  ])('%j alone did nothing, and says so with 64', async (args, says) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(says);
  });

  it.each([
    [['help', 'exit-code'], 'did you mean "exit-codes"?'],
    [['help', '81'], 'did you mean "exit-codes"?'],
    [['help', 'formatting'], 'did you mean "output"?'],
    [['help', 'env'], 'did you mean "environment"?'],
    [['help', 'accessibility'], 'did you mean "environment"?'],
    [['help', 'webhooks'], 'did you mean "webhook"?'],
    [['output'], 'did you mean pixctl help output?'],
    [['help', 'profile', 'usee'], 'did you mean "profile use"?'],
    [['help', 'refund'], 'did you mean "charge refund"?'],
    [['help', 'charges', 'list'], 'did you mean "charge list"?'],
    [['help', 'chrge', 'lst'], 'did you mean "charge list"?'],
    [['charge', 'help'], 'did you mean pixctl charge --help?'],
    [['charge', 'help', 'help'], 'did you mean pixctl charge --help?'],
    [['charge', 'help', 'list'], 'did you mean pixctl help charge list?'],
    [['charge', 'help', 'lst'], 'did you mean pixctl help charge list?'],
    [['sandbox', 'fault', 'help', 'add'], 'did you mean pixctl help sandbox fault add?'],
    [['withdraw', 'help'], 'did you mean pixctl withdraw --help?'],
    [['plugin'], 'has no command "plugin": there are no plugins; pixctl api calls any path of the service.'],
    [['help', 'cron'], 'did you mean "withdraw"?'],
    [['help', 'production'], 'did you mean "login"?'],
    [['help', 'balance'], 'There is no help on "balance": the service documents no way to read the balance;'],
    [['webhook', 'rotate'], 'pixctl webhook add registers its address again, with a secret of its own.'],
    [['profle'], 'did you mean pixctl profile?'],
    [['profile', 'lst'], 'did you mean pixctl profile list?'],
    [['login', '--key-stdn'], 'did you mean --key-stdin?'],
  ])('%j says what was meant, with 64', async (args, says) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(64);
    expect(stderr).toContain(says);
  });
});

describe('help in other formats', () => {
  it('of a command is its part of the list of all, and of a word that of the commands below it', async () => {
    const rows = JSON.parse((await run(['help', 'commands', '-o', 'json'])).stdout) as Row[];
    const below = async (...words: string[]) => JSON.parse((await run(['help', ...words, '--json'])).stdout);
    expect(await below('charge', 'create')).toEqual([
      rows.find(({ command }) => command === 'pixctl charge create'),
    ]);
    const ofWebhooks = rows.filter(({ command }) => command.startsWith('pixctl webhook '));
    expect(await below('webhook')).toEqual(ofWebhooks);
    expect((await run(['help', 'charge', 'get', '--fields', 'command,exits'])).stdout).toBe(
      'Command\tExit codes\npixctl charge get\t0 75 77 88\n',
    );
    expect((await run(['help', 'charge', 'get', '--jq', '.[0].asks[0]'])).stdout).toBe('id\n');
  });

  it('of the program is text, and leads a program to the list of all', async () => {
    for (const args of [
      ['help', '--json'],
      ['help', '--fields', 'id'],
    ]) {
      const { code, stdout, stderr } = await run(args);
      expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
      expect(stderr).toContain('pixctl help commands -o json has all commands');
    }
  });

  it.each([
    ['exit-codes', 'exit,next', 'Code\tWhat a script may do\n0\tcontinue\n'],
    ['environment', 'name', 'Variable\nPIXCTL_API_KEY\n'],
  ])('%s shows the fields that were named in a table, too', async (topic, fields, begin) => {
    const { code, stdout } = await run(['help', topic, '--fields', fields]);
    expect(code).toBe(0);
    expect(stdout.slice(0, begin.length)).toBe(begin);
    expect((await run(['help', topic, '--fields', 'nonsense'])).code).toBe(64);
  });
});

describe('help amounts', () => {
  it('is text, and does not pass it for JSON', async () => {
    expect(await run(['help', 'amounts', '-o', 'json'])).toMatchObject({ code: 64, stdout: '' });
    expect((await run(['help', 'amounts'])).stdout).toContain('two decimals');
  });
});

describe('help output', () => {
  it('is true of an error: with json the last line on stderr is one object with these fields', async () => {
    const { stdout } = await run(['help', 'output']);
    const [, names = ''] = /\{"error":\{(.+?)\}\}/.exec(stdout) ?? [];
    await using sandbox = await startSandbox({ merchant: { chargesEnabled: false } });
    const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
    const refused = await run(['charge', 'create', '--amount', '10,50', '-o', 'json'], { env });
    const lines = refused.stderr.trimEnd().split('\n');
    const { error } = JSON.parse(lines.at(-1) ?? '') as { error: object };
    expect(lines.length).toBeGreaterThan(1);
    // This refusal needs no hint.
    const promised = names.split(',').map((name) => JSON.parse(name) as string);
    expect(Object.keys(error)).toEqual(expect.arrayContaining(promised.filter((name) => name !== 'hint')));
    expect(error).toMatchObject({ code: 'BAD_REQUEST', httpStatus: 400, exitCode: 80 });
  });

  it.each(['json', 'csv'])('is text, and does not pass it for %s', async (format) => {
    expect(await run(['help', 'output', '-o', format])).toMatchObject({ code: 64, stdout: '' });
  });
});

describe('help environment', () => {
  it('is one JSON value for a program, as every answer to -o json', async () => {
    const { code, stdout } = await run(['help', 'environment', '-o', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(environmentVariables);
    expect((await run(['help', 'environment'])).stdout).toContain('A flag wins over the environment');
  });

  it('knows every variable that the program reads', () => {
    const read = ['src', 'bin']
      .map((folder) => fileURLToPath(new URL(`../../../${folder}/`, import.meta.url)))
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
      )
      .filter((path) => /\.[jt]s$/.test(path))
      .flatMap((path) => readFileSync(path, 'utf8').match(/\b(?:PIXCTL|XDG)_[A-Z_]*[A-Z]\b/g) ?? []);
    const told = environmentVariables.map(({ name }) => name);
    expect([...new Set(read)].filter((name) => !told.includes(name))).toEqual([]);
  });
});
