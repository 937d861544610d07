/** One thing is said in one way, and ends with one code, whichever command says it. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { converse } from '../support/converse.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';
import { noPty, skipped } from '../support/platform.ts';
import { emptyHome, run } from '../support/run.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const home = emptyHome();
const secret = join(home, 'secret');
writeFileSync(secret, 'whsec_of_a_test_that_is_long_enough');
const pixctl = (...args: string[]) =>
  run(args, { home, env: { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey } });

describe('a named file that does not exist ends with 64', () => {
  it.each([
    [['reconcile', '--orders', 'none.csv']],
    [['withdrawal', 'batch', 'none.csv', '--yes']],
    [['api', 'POST', '/customers', '--input', 'none.csv']],
    [['api', 'POST', '/customers', '-F', 'name=@none.csv']],
    [['webhook', 'sign', '--payload-file', 'none.csv', '--secret-file', secret]],
    [['webhook', 'sign', '--payload-file', secret, '--secret-file', 'none.csv']],
    [['webhook', 'trigger', 'CHARGE_PAID', '--data', '@none.csv']],
    [['sandbox', 'emit', 'CHECKOUT_PAID', '--data', '@none.csv']],
    [['sandbox', 'restore', 'none.csv']],
  ])('%j', async (args) => {
    const { code, stdout, stderr } = await pixctl(...args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain('none.csv cannot be read: there is no such file. Nothing was sent.');
  });
});

describe('an argument or a flag that an unset variable left empty ends with 64', () => {
  it.each([
    [['charge', 'get', ''], '<id>'],
    [['charge', 'refund', ' ', '--yes'], '<id>'],
    [['customer', 'get', ''], '<id>'],
    [['withdrawal', 'get', ''], '<id>'],
    [['webhook', 'deliveries', ''], '<endpoint id>'],
    [['sandbox', 'pay', ''], '<charge>'],
    [['sandbox', 'fault', 'clear', ''], '<id>'],
    [['charge', 'list', '--customer', ''], '--customer'],
    [['withdrawal', 'batch', 'pay.csv', '--result', '', '--yes'], '--result'],
  ])('%j', async (args, name) => {
    expect(await pixctl(...args)).toMatchObject({
      code: 64,
      stderr: expect.stringContaining(`${name} is empty. Nothing was sent.`),
    });
  });
});

it('an id read with its line break is distinguished from one that no record has', async () => {
  const { id } = JSON.parse((await pixctl('charge', 'create', '-a', '1000', '-o', 'json')).stdout);
  const { code, stderr } = await pixctl('charge', 'get', `${id}\n`);
  expect({ code, stderr }).toEqual({
    code: 64,
    stderr: `error: <id> "${id}\\n" begins or ends with a space or a line break. Nothing was sent.\n  No id does. Without it: ${id}.\n`,
  });
});

describe('a confirmation that nobody can give ends with 64', () => {
  it.each([
    [['profile', 'remove', 'shop'], 'changed'],
    [['destination', 'remove', 'rent'], 'changed'],
    [['destination', 'add', 'rent', '--key', 'other@example.com'], 'changed'],
    [['withdraw', '--amount', '1000', '--to', 'rent', '-k', 'k1'], 'sent'],
    [['withdrawal', 'batch', 'pay.csv'], 'sent'],
  ])('%j', async (args, nothing) => {
    await run(['login', '-p', 'shop', '--key-stdin'], {
      home,
      input: sandbox.apiKey,
      env: { PIXCTL_BASE_URL: sandbox.url },
    });
    await pixctl('destination', 'add', 'rent', '--key', 'ana@example.com', '--yes');
    const file = join(home, 'pay.csv');
    writeFileSync(file, 'idempotency_key,amount,pix_key,pix_key_type\nk2,1000,ana@example.com,EMAIL\n');
    expect(await pixctl(...args.map((word) => (word === 'pay.csv' ? file : word)))).toMatchObject({
      code: 64,
      stderr: expect.stringContaining(`Missing: --yes. There is nobody to ask, so nothing was ${nothing}.`),
    });
  });
});

describe('an amount that cannot be read names its flag, its reading and how to write one', () => {
  const flags: [string[], string][] = [
    [['charge', 'create'], '--amount'],
    [['withdraw', '-t', 'ana@example.com', '-k', 'k', '--yes'], '--amount'],
    [['withdraw', '-a', '1000', '-t', 'ana@example.com', '-k', 'k', '--yes'], '--max-amount'],
    [['charge', 'list'], '--min-amount'],
    [['withdrawal', 'list'], '--max-amount'],
    [['sandbox', 'merchant', 'set'], '--fee'],
  ];
  it.each([
    ['R$ 10', '"R$ 10" could mean R$ 10,00 (write 10,00) or R$ 0,10 (write 10)'],
    ['10.005', '"10.005" could mean R$ 10.005,00 (write 10005,00) or a fraction of a cent'],
    ['-0', '"-0" is negative'],
    ['1e3', '"1e3" has an exponent'],
  ])('%j', async (amount, says) => {
    for (const [args, flag] of flags) {
      const { code, stdout, stderr } = await pixctl(...args, flag, amount);
      expect({ args, code, stdout }).toEqual({ args, code: 64, stdout: '' });
      expect(stderr).toContain(`error: ${flag}: ${says}`);
      expect(stderr).toContain('Nothing was sent.\n  A whole number is cents (1050), two decimals are reais');
    }
  });
});

describe('a filter that no list could satisfy is refused', () => {
  it.each([
    [['charge', 'list', '--since', '2026-02-01', '--until', '2026-01-01'], 'is after --until'],
    [['withdrawal', 'list', '--since', '1h', '--until', '2h'], 'is after --until'],
    [['webhook', 'inbox', '--since', '1h', '--until', '2h'], 'is after --until'],
    [['charge', 'list', '--min-amount', '500', '--max-amount', '100'], 'is more than --max-amount'],
    [['webhook', 'inbox', '--all', '--limit', '3'], '--limit and --all contradict each other'],
    [['withdrawal', 'list', '--all', '-n', '3'], '--limit and --all contradict each other'],
  ])('%j', async (args, says) => {
    const { code, stdout, stderr } = await pixctl(...args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).toContain('Nothing was sent.');
  });
});

describe('what was done is a sentence for people, and an item for machines', () => {
  it.each([
    [['config', 'set', 'timeout', '10s'], 'timeout is now 10s.', { name: 'timeout', value: '10s' }],
    [['config', 'unset', 'timeout'], 'timeout is no longer set.', { name: 'timeout', value: null }],
    [
      ['sandbox', 'seed', '--charges', '1', '--customers', '1'],
      'Created 1 charge and 1 customer.',
      { charges: 1, customers: 1 },
    ],
    [['sandbox', 'fault', 'clear'], '0 faults cleared.', { cleared: 0 }],
  ])('%j', async (args, sentence, item) => {
    const people = await pixctl(...args);
    expect(people).toMatchObject({ code: 0, stdout: '' });
    expect(people.stderr).toContain(sentence);
    const machine = await pixctl(...args, '-o', 'json', '-q');
    expect({ ...machine, stdout: JSON.parse(machine.stdout) }).toEqual({
      code: 0,
      signal: null,
      stdout: item,
      stderr: '',
    });
    expect((await pixctl(...args, '--fields', 'nonsense')).code).toBe(64);
  });

  it('a profile is used, logged out of and removed', async () => {
    await run(['login', '-p', 'shop', '--key-stdin'], {
      home,
      input: sandbox.apiKey,
      env: { PIXCTL_BASE_URL: sandbox.url },
    });
    const told = async (...args: string[]) =>
      JSON.parse((await run([...args, '-o', 'json'], { home })).stdout);
    const shop = { name: 'shop', baseUrl: sandbox.url, merchant: 'shop' };
    expect(await told('profile', 'use', 'shop')).toEqual({ ...shop, keySource: 'file', current: true });
    expect(await told('logout', '-p', 'shop')).toEqual({ ...shop, keySource: 'none', current: true });
    expect(await told('profile', 'remove', 'shop', '--yes')).toEqual({
      ...shop,
      keySource: 'none',
      current: false,
    });
  });
});

describe('what prints a script or tells a story takes no format', () => {
  it.each([
    [['completion', 'bash', '-o', 'json'], '-o, --fields and --jq do not apply'],
    [['completion', 'fish', '--fields', 'id'], '-o, --fields and --jq do not apply'],
    [['completion', 'bash', 'zsh'], 'A second word is allowed only after install'],
    [['completion', 'bash', 'zsh'], 'pixctl completion install zsh\n'],
  ])('%j', async (args, says) => {
    const { code, stdout, stderr } = await pixctl(...args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(says);
  });
});

describe('a picture that cannot be written', () => {
  it('is told before a charge is created', async () => {
    const { code, stdout, stderr } = await pixctl(
      'charge',
      'create',
      '--amount',
      '1050',
      '--png',
      '/nowhere/qr.png',
    );
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(
      '/nowhere/qr.png cannot be written: there is no such directory. Nothing was sent.',
    );
  });
});

describe.skipIf(noPty !== null)(skipped('what to type next, at a terminal', noPty), () => {
  it.each([
    [{}, /^ {2}pixctl charge wait/m],
    [{ npm_lifecycle_script: 'pixctl' }, /^ {2}npx pixctl charge wait/m],
    [{ npm_lifecycle_script: 'node bin/pixctl.js' }, /^ {2}npx pixctl charge wait/m],
  ])('is what works where it was started (%j)', async (from, next) => {
    const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey, ...from };
    expect((await converse(['charge', 'create', '--amount', '1050'], [], { home, env })).screen).toMatch(
      next,
    );
  });

  it('in a sandbox, where no bank will ever pay, is how to; the log of a script has none of it', async () => {
    const profile = emptyHome();
    const login = ['login', '--profile', 'sandbox', '--base-url', sandbox.url, '--key-stdin'];
    expect((await run(login, { home: profile, input: sandbox.apiKey })).code).toBe(0);
    const create = ['charge', 'create', '--amount', '1050'];
    const { screen } = await converse(create, [], { home: profile });
    expect(screen).toMatch(/Next:\r\n {2}pixctl sandbox pay chg_\w+ +as a customer's bank does\r\n/);
    const { stderr } = await run(create, { home: profile });
    expect(stderr).toMatch(/^Charge of R\$ 10,50, profile sandbox \(\S+\)\n$/);
  });
});

describe('a read that is answered with another record', () => {
  it.each(['get', 'wait'])('withdrawal %s does not take it for the one asked for', async (verb) => {
    const server = createServer((_, answer) => {
      answer.setHeader('content-type', 'application/json');
      answer.end(
        '{"data":{"id":"wd_other","amount":1000,"fee":0,"pixKey":"ana@example.com","pixKeyType":"EMAIL","status":"COMPLETED"},"error":null,"success":true}',
      );
    });
    const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
    const { code, stdout, stderr } = await run(['withdrawal', verb, 'wd_mine', '-o', 'json'], {
      home,
      env: { PIXCTL_BASE_URL: url, PIXCTL_API_KEY: 'svc_test' },
    });
    server.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('Asked for wd_mine, and the service answered with wd_other.');
  });
});

it('a charge whose answer was lost says where to look for it', async () => {
  const server = createServer((_, answer) => {
    answer.writeHead(500, { 'content-type': 'application/json' });
    answer.end('{"error":"INTERNAL_ERROR","message":"no","success":false}');
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const { code, stderr } = await run(['charge', 'create', '--amount', '1050'], {
    home,
    env: { PIXCTL_BASE_URL: url, PIXCTL_API_KEY: 'svc_test' },
  });
  server.close();
  expect(code).toBe(81);
  expect(stderr).toContain(
    'To look for it: pixctl charge list --since 10m --min-amount 1050 --max-amount 1050.',
  );
});

it('a refused withdrawal says once that no money moved', async () => {
  const { code, stderr } = await pixctl(
    ...['withdraw', '--amount', '9000,00', '--to', 'ana@example.com', '-k', 'poor', '--yes'],
  );
  expect(code).toBe(80);
  expect(stderr.match(/no money moved/gi)).toHaveLength(1);
});

it('events that nothing fits are nothing to replay, and no fault of the call', async () => {
  const { code, stdout, stderr } = await pixctl('webhook', 'replay', '--failed', '-f', '3000', '-o', 'json');
  expect({ code, stdout: JSON.parse(stdout) }).toEqual({ code: 0, stdout: [] });
  expect(stderr).toContain('No event matches. Nothing was sent.');
});

it('a misspelt event is doubted by a replay as by every other command that takes one', async () => {
  const { code, stderr } = await pixctl('webhook', 'replay', '--since', '1h', '--event', 'CHARGE_PAYD');
  expect(code).toBe(0);
  expect(stderr).toContain(
    'CHARGE_PAYD is not a documented event; it is used as it is. Did you mean CHARGE_PAID?',
  );
});
