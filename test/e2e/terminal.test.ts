/**
 * Prompts on a real terminal, with the real sandbox behind them; the prompts of withdraw and charge have tests of their
 * own.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { noPty, skipped } from '../support/platform.ts';
import { cleanEnvironment, emptyHome, programPath, run } from '../support/run.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const environment = () => ({
  ...cleanEnvironment(emptyHome()),
  PIXCTL_BASE_URL: sandbox.url,
  PIXCTL_API_KEY: sandbox.apiKey,
  TERM: 'xterm',
});

/** Types each answer once its question is on the screen, after what was there when the last one was given. */
const converse = (
  args: readonly string[],
  answers: readonly (readonly [question: string, typed: string])[],
  env: Record<string, string> = environment(),
): Promise<{ code: number; screen: string }> =>
  new Promise((resolve) => {
    const terminal = spawn(process.execPath, [programPath(), ...args], { cols: 250, rows: 20, env });
    let written = '';
    let from = 0;
    // Taken together: one piece may end in the middle of a control sequence.
    const screen = (since = 0) => stripVTControlCharacters(written.slice(since));
    const waiting = [...answers];
    terminal.onData((text) => {
      written += text;
      const [next] = waiting;
      if (next === undefined || !screen(from).includes(next[0])) return;
      waiting.shift();
      from = written.length;
      terminal.write(next[1]);
    });
    terminal.onExit(({ exitCode }) => resolve({ code: exitCode, screen: screen() }));
  });

describe.skipIf(noPty !== null)(skipped('on a terminal', noPty), () => {
  it('webhook add asks for address and events, refuses a wrong address as it is typed, and tells the line', async () => {
    const { code, screen } = await converse(
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
    const { code, screen } = await converse(['charge'], []);
    expect(code).toBe(64);
    expect(screen).toMatch(/^Usage: pixctl charge <command> \[flags\]/);
    expect(screen).toMatch(/^ {2}refund <id> +refund a paid charge, always in full/m);
    expect(screen).toMatch(
      /\r\n\r\nerror: pixctl charge needs a command\. Nothing was sent\.\r\n {2}\S.+\r\n$/,
    );
    const { screen: json } = await converse(['charge', '--json'], []);
    expect(JSON.parse(json)).toMatchObject({ error: { code: 'USAGE', exitCode: 64 } });
  });

  it('sandbox customer add asks for what is missing only', async () => {
    const { code, screen } = await converse(
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
    const { code, screen } = await converse(['charge', 'create', '--amount', '10,50'], [], {
      ...environment(),
      ...term,
    });
    expect(code, screen).toBe(0);
    expect(screen).toContain(note);
    expect(screen.includes('▀')).toBe(term.TERM !== 'dumb');
    expect(screen).toContain('PIX copy and paste:');
  });

  it('login masks the key, and tells the line without it', async () => {
    const { PIXCTL_API_KEY: key, PIXCTL_BASE_URL: url, ...env } = environment();
    const { code, screen } = await converse(
      ['login', '--profile', 'shop'],
      [
        ['Address of the service', `${url}\r`],
        ['API key', `${key}\r`],
      ],
      env,
    );
    expect(code, screen).toBe(0);
    expect(screen).not.toContain(key);
    expect(screen).toContain(
      `The same without questions: pixctl login --profile shop --base-url ${url} --merchant shop --key-file <file>`,
    );
  });

  it('withdraw tells the line that asks nothing, with its key', async () => {
    const { code, screen } = await converse(
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
    const { screen } = await converse(args, answers);
    expect(screen).toMatch(line);
  });

  it('withdraw names a profile in that line, and in every other that it tells', async () => {
    const home = emptyHome();
    const keyFile = join(home, 'key');
    writeFileSync(keyFile, sandbox.apiKey, { mode: 0o600 });
    const login = ['login', '--profile', 'shop', '--base-url', sandbox.url, '--key-file', keyFile, '--yes'];
    expect(await run(login, { home })).toMatchObject({ code: 0 });
    const { code, screen } = await converse(
      ['withdraw', '--amount', '1,00'],
      [
        ['To which PIX key', 'maria@example.com\r'],
        ['Send it?', 'n\r'],
      ],
      { ...cleanEnvironment(home), TERM: 'xterm' },
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
    const { code, screen } = await converse(
      ['api', 'POST', '/transparents/create', '-f', 'method=PIX', '-F', 'amount=1050'],
      [['Send POST /transparents/create', typed]],
    );
    expect(code, screen).toBe(expected);
    expect(posts() - before).toBe(expected === 0 ? 1 : 0);
  });
});
