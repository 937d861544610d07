/**
 * Prompts on a real terminal, with the real sandbox behind them; the prompts of withdraw and charge have tests of their
 * own.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { generateCpf } from '@brazilian-utils/brazilian-utils/generate-cpf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { type Answers, converse } from '../support/converse.ts';
import { noPty, skipped } from '../support/platform.ts';
import { emptyHome, run } from '../support/run.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const service = () => ({ PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey });

const at = (
  args: readonly string[],
  answers: Answers,
  env: Record<string, string> = service(),
  home = emptyHome(),
) => converse(args, answers, { home, env, columns: 250, rows: 20 });

describe.skipIf(noPty !== null)(skipped('on a terminal', noPty), () => {
  it('webhook add asks for address and events, refuses a wrong address as it is typed, and tells the line', async () => {
    const { code, screen } = await at(
      ['webhook', 'add'],
      [
        ['HTTPS address', 'ftp://example.com\r'],
        ['cannot receive deliveries', `${'\x7f'.repeat(17)}https://example.com/hooks\r`],
        ['Events to subscribe to', '\r'],
      ],
    );
    expect(code, screen).toBe(0);
    expect(screen).toMatch(
      /The same without questions: pixctl webhook add --url https:\/\/example\.com\/hooks --events CHARGE_PAID,[A-Z_,]+/,
    );
    expect(screen).toContain('whsec_');
  });

  it('a noun alone shows its commands, and is an error all the same; a program is told in one line', async () => {
    const { code, screen } = await at(['charge'], []);
    expect(code).toBe(64);
    expect(screen).toMatch(/^Usage: pixctl charge <command> \[flags\]/);
    expect(screen).toMatch(/^ {2}refund <id> +refund a paid charge, always in full/m);
    expect(screen).toMatch(
      /\r\n\r\nerror: pixctl charge needs a command\. Nothing was sent\.\r\n {2}\S.+\r\n$/,
    );
    const { screen: json } = await at(['charge', '--json'], []);
    expect(JSON.parse(json)).toMatchObject({ error: { code: 'USAGE', exitCode: 64 } });
  });

  it('sandbox customer add asks for what is missing only', async () => {
    const { code, screen } = await at(
      ['sandbox', 'customer', 'add', '--email', 'ana@example.com'],
      [
        ['Name', '\r'],
        ['A value is required.', 'Ana Souza\r'],
        ['CPF or CNPJ', '52998224725\r'],
      ],
    );
    expect(code, screen).toBe(0);
    expect(screen).toContain(
      "The same without questions: pixctl sandbox customer add --name 'Ana Souza' --email ana@example.com --tax-id 52998224725",
    );
  });

  it.each([
    [{ TERM: 'dumb' }, 'A terminal without colours (TERM=dumb) shows no QR code: pixctl charge qr chg_'],
    [
      { TERM: 'xterm' },
      'The QR code is taller than the terminal: make the terminal taller, or pixctl charge qr chg_',
    ],
  ])('charge create under %j names the picture of the charge that there is', async (term, note) => {
    const { code, screen } = await at(['charge', 'create', '--amount', '10,50'], [], {
      ...service(),
      ...term,
    });
    expect(code, screen).toBe(0);
    expect(screen).toContain(note);
    expect(screen.includes('▀')).toBe(term.TERM !== 'dumb');
    expect(screen).toContain('PIX copy and paste:');
  });

  it.each([
    [{ LANG: 'C' }, 80, '▀'],
    [{ LANG: 'pt_BR.ISO-8859-1' }, 200, '\u001b[48;5;231m  '],
    [{ TMUX: '/tmp/tmux-0/default,1,0' }, 200, '\u001b[48;5;231m  '],
    [
      { LANG: 'pt_BR.ISO-8859-1' },
      80,
      'needs 114 columns where the locale is not UTF-8\r\n(LANG=pt_BR.ISO-8859-1)',
    ],
  ])(
    'charge create and list under %j on %i columns draw what it can show',
    async (locale, columns, shown) => {
      const terminal = { home: emptyHome(), env: { ...service(), ...locale }, columns };
      const made = await converse(['charge', 'create', '--amount', '10,50'], [], terminal);
      expect(made.code, made.screen).toBe(0);
      expect(made.written).toContain(shown);
      const { screen } = await converse(['charge', 'list', '--limit', '1'], [], terminal);
      const isAscii = (text: string) => !/[^\s -~]/.test(text);
      expect([isAscii(made.screen), isAscii(screen)]).toEqual(Array(2).fill(shown !== '▀'));
    },
  );

  it('a customer clears no terminal whose encoding has control characters among the bytes of UTF-8', async () => {
    const name = 'Jo\u00e3o \u00db2J';
    const { id } = sandbox.addCustomer({ name, email: 'a@example.com', taxId: generateCpf() });
    const customer = ['customer', 'get', id, '--fields', 'name'];
    const latin = { ...service(), LANG: 'pt_BR.ISO-8859-1' };
    expect((await at(customer, [], latin)).screen).toContain('Jo\\u00e3o \\u00db2J');
    const { screen } = await at([...customer, '--json'], [], latin);
    expect(screen).toMatch(/^[\s -~]+$/);
    expect(JSON.parse(screen)).toMatchObject({ name });
    expect((await at(customer, [])).screen).toContain(name);
    expect((await run(customer, { env: latin })).stdout).toContain(name);
    const created = await run(['charge', 'create', '--amount', '700', '--customer', id], { env: latin });
    expect(created.code).toBe(0);
    const list = ['charge', 'list', '--fields', 'amount,customer', '--limit', '1'];
    const table = (await at(list, [], latin)).screen.split('\r\n').slice(0, 5);
    expect(table).toContain(`| R$ 7,00 | Jo\\u00e3o \\u00db2J (${id}) |`);
    expect(new Set(table.map(({ length }) => length)).size).toBe(1);
  });

  it('a line to copy means there to a shell what it means elsewhere', async () => {
    const latin = { ...service(), LANG: 'pt_BR.ISO-8859-1' };
    const create = ['charge', 'create', '--no-qr', '-d', 'Tr\u00eas p\u00e3es'];
    const answers: Answers = [
      ['Amount', '7,78\r'],
      ['Customer', '\r'],
    ];
    const asked = await at(create, answers, latin);
    expect(asked.screen).toContain("--description $'Tr\\303\\252s p\\303\\243es'");
    const unquoted = [...create.slice(0, -1), ...'Tr\u00eas p\u00e3es'.split(' ')];
    const meant = "did you mean --description $'Tr\\303\\252s p\\303\\243es'?";
    expect((await at(unquoted, [], latin)).screen).toContain(meant);
    const { screen } = await at([...unquoted, '--json'], [], latin);
    expect(JSON.parse(screen).error.message).toContain("--description 'Tr\u00eas p\u00e3es'?");
    expect((await run(unquoted, { env: latin })).stderr).toContain("--description 'Tr\u00eas p\u00e3es'?");
  });

  it.each(['xterm', 'dumb'])(
    'a question and a spinner under TERM=%s draw nothing else there',
    async (TERM) => {
      const latin = { ...service(), LANG: 'pt_BR.ISO-8859-1' };
      const who = { name: 'Jo\u00e3o \u00db2J', email: 'a@example.com', taxId: generateCpf() };
      const order = ['charge', 'create', '--amount', '7,77', '--customer', sandbox.addCustomer(who).id];
      expect((await run(order, { env: latin })).code).toBe(0);
      const { written, code } = await at(
        ['charge', 'wait'],
        [
          [TERM === 'dumb' ? 'Number' : 'Which charge?', TERM === 'dumb' ? '1\r' : '\r'],
          ['Waiting for', '\u0003'],
        ],
        { ...latin, TERM },
      );
      expect(code).toBe(130);
      expect(written).toContain('Jo\\u00e3o \\u00db2J (cust_');
      if (TERM === 'xterm') expect(written).toContain('> chg_');
      expect(stripVTControlCharacters(written)).toContain('- Waiting for');
      expect(written.replaceAll('\u001b', '')).toMatch(/^[\s -~]+$/);
    },
  );

  it('login masks the key, and tells the line without it', async () => {
    const { url, apiKey: key } = sandbox;
    const { code, screen } = await at(
      ['login', '--profile', 'shop'],
      [
        ['Address of the service', `${url}\r`],
        ['API key', `${key}\r`],
      ],
      {},
    );
    expect(code, screen).toBe(0);
    expect(screen).not.toContain(key);
    expect(screen).toContain(
      `The same without questions: pixctl login --profile shop --base-url ${url} --merchant shop --key-file <file>`,
    );
  });

  it('withdraw tells the line that asks nothing, with its key', async () => {
    const { code, screen } = await at(
      ['withdraw', '--amount', '1,00'],
      [
        ['To which PIX key', 'maria@example.com\r'],
        ['Send it?', 'n\r'],
      ],
    );
    expect(code, screen).toBe(87);
    expect(screen).toMatch(
      /The same without questions: PIXCTL_BASE_URL=\S+ pixctl withdraw --amount 100 --to maria@example\.com --type EMAIL --idempotency-key [0-9a-f-]{36} --yes/,
    );
  });

  it.each<[string[], [string, string][], RegExp]>([
    [
      [
        'webhook',
        'add',
        '--url',
        'https://example.com/hooks',
        '--url-field',
        'callback',
        '--secret-file',
        '/nowhere/a b',
      ],
      [['Events to subscribe to', '\r']],
      / --events [A-Z_,]+ --secret-file '\/nowhere\/a b' --url-field callback\s/,
    ],
    [
      ['charge', 'create', '--wait', '--timeout', '1s', '--no-qr', '-o', 'ndjson', '--fields', 'id'],
      [
        ['Amount', '10,50\r'],
        ['Description', '\r'],
        ['Customer', '\r'],
      ],
      /pixctl charge create --amount 10,50 --no-qr --wait -o ndjson --fields id --timeout 1s\s/,
    ],
    [
      [
        'withdraw',
        '--wait',
        '--timeout',
        '5m',
        '--if-busy',
        'wait',
        '--max-amount',
        '2,00',
        '--allow-duplicate',
      ],
      [
        ['To which PIX key', 'maria@example.com\r'],
        ['Amount', '1,00\r'],
        ['Send it?', 'n\r'],
      ],
      // Not --allow-duplicate: in a line that is kept it would pay twice for good.
      / --yes --wait --if-busy wait --max-amount 2,00 --timeout 5m\s/,
    ],
  ])('that line of %j has the flags that it needs too', async (args, answers, line) => {
    const { screen } = await at(args, answers);
    expect(screen).toMatch(line);
  });

  it('withdraw names a profile in that line, and in every other that it tells', async () => {
    const home = emptyHome();
    const keyFile = join(home, 'key');
    writeFileSync(keyFile, sandbox.apiKey, { mode: 0o600 });
    const login = ['login', '--profile', 'shop', '--base-url', sandbox.url, '--key-file', keyFile, '--yes'];
    expect(await run(login, { home })).toMatchObject({ code: 0 });
    const { code, screen } = await at(
      ['withdraw', '--amount', '1,00'],
      [
        ['To which PIX key', 'maria@example.com\r'],
        ['Send it?', 'n\r'],
      ],
      {},
      home,
    );
    expect(code, screen).toBe(87);
    expect(screen).toContain('pixctl withdraw --amount 100 --profile shop --to maria@example.com');
    for (const amount of ['100', '200'])
      await run(['charge', 'create', '-a', amount, '-p', 'shop'], { home });
    const first = await run(['charge', 'list', '--limit', '1', '--profile', 'shop'], { home });
    const more = /More: pixctl (.+)/.exec(first.stderr)?.[1]?.split(' ') ?? [];
    expect(more.slice(0, 4)).toEqual(['--profile', 'shop', 'charge', 'list']);
    expect(await run(more, { home })).toMatchObject({ code: 0 });
  });

  it.each([
    ['n\r', 87],
    ['y\r', 0],
    ['\u0003', 130],
  ])('api POST asks before it sends; %j ends with %i', async (typed, expected) => {
    const posts = () => sandbox.requests().filter(({ method }) => method === 'POST').length;
    const before = posts();
    const { code, screen } = await at(
      ['api', 'POST', '/transparents/create', '-f', 'method=PIX', '-F', 'amount=1050'],
      [['Send POST /transparents/create', typed]],
    );
    expect(code, screen).toBe(expected);
    expect(posts() - before).toBe(expected === 0 ? 1 : 0);
  });
});
