/**
 * On 80 columns a list has a line a record, with an id that can be copied, a history a line an event, and help is
 * broken between words.
 */
import { generateCpf } from '@brazilian-utils/brazilian-utils/generate-cpf';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { converse } from '../support/converse.ts';
import { noPty, skipped } from '../support/platform.ts';
import { emptyHome, run } from '../support/run.ts';

const home = emptyHome();
let sandbox: Sandbox;
let env: Record<string, string>;
beforeAll(async () => {
  sandbox = await startSandbox({ withdrawals: 'immediate', merchant: { available: 1_000_000 } });
  env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
});
afterAll(() => sandbox.close());

/** The id of what a command made. */
async function made(...args: string[]): Promise<string> {
  const { stdout } = await run([...args, '-o', 'json'], { home, env });
  const shown = JSON.parse(stdout) as { id?: string; withdrawal?: { id: string } };
  return shown.id ?? shown.withdrawal?.id ?? '';
}

async function listed(noun: string, flags: readonly string[] = [], columns = 80): Promise<string[]> {
  const { code, screen } = await converse([noun, 'list', ...flags], [], { home, env, columns });
  expect(code).toBe(0);
  return screen.trimEnd().split(/\r?\n/);
}

describe.skipIf(noPty !== null)(skipped('a list on a terminal of 80 columns', noPty), () => {
  it('of charges has a line for each, and no column for customers where there are none', async () => {
    const id = await made('charge', 'create', '--amount', '12,34', '--no-qr');
    const lines = await listed('charge');
    expect(lines[1]).toMatch(/^│ ID +│ +Amount │ Status +│ Created +│$/);
    expect(lines[3]).toMatch(new RegExp(`^│ ${id} │ R\\$ 12,34 │ PENDING │ [-\\d]{10} [:\\d]{8} │$`));
    expect(lines).toHaveLength(5);
  });

  it('of charges has straight borders and whole names, in whatever letters', async () => {
    const names = ['สมชาย ใจดีมาก', 'अनिल कुमार', '日本 太郎', '🫡 Loja', 'Ana'];
    for (const name of names) {
      const { id } = sandbox.addCustomer({ name, email: 'a@example.com', taxId: generateCpf() });
      await made('charge', 'create', '--amount', '1,00', '--no-qr', '--customer', id);
    }
    const lines = await listed('charge', ['--fields', 'amount,customer']);
    expect([...new Set(lines.map((line) => stringWidth(line)))]).toHaveLength(1);
    for (const name of names) expect(lines.join('\n')).toContain(name);
  });

  it('of withdrawals has a line for each, and names what it has no room for', async () => {
    const pay = ['withdraw', '-a', '12,34', '-t', 'maria@example.com', '-k', 'k-1', '--yes', '--wait'];
    const id = await made(...pay);
    const lines = await listed('withdrawal');
    expect(lines[1]).toMatch(/^│ ID +│ Status +│ +Amount │ Created +│$/);
    expect(lines[3]).toMatch(new RegExp(`^│ ${id} │ COMPLETED │ R\\$ 12,34 │ [-\\d]{10} [:\\d]{8} │$`));
    expect(lines.slice(5)).toEqual([
      'Too narrow here for: Fee, PIX key, Type. --fields chooses columns, -o json has',
      'all.',
    ]);
    const status = await converse(['withdrawal', 'status', 'k-1'], [], { home, env, columns: 80 });
    const time = '[-\\d]{10} [:\\d]{8}';
    expect(status.screen).toMatch(
      new RegExp(`^History +${time} {2}planned: PLANNED\r?\n {27}${time} {2}sending: SENDING\r?\n`, 'm'),
    );
    expect((await listed('withdrawal', ['--fields', 'id,pixKey,fee']))[3]).toContain('m***@example.com');
  });
});

describe.skipIf(noPty !== null)(skipped('a terminal of 60 columns', noPty), () => {
  it('has the ids of a list whole, and names the columns that gave way', async () => {
    const charge = await made('charge', 'create', '--amount', '7,77', '--no-qr');
    const pay = ['withdraw', '-a', '7,77', '-t', 'maria@example.com', '-k', 'k-2', '--yes', '--wait'];
    const withdrawal = await made(...pay);
    const charges = await listed('charge', ['--limit', '1'], 60);
    expect(charges[3]).toMatch(new RegExp(`^│ ${charge} │ +R\\$ 7,77 │ PENDING │$`));
    expect(charges.slice(5)).toEqual([
      'Too narrow here for: Created. --fields chooses columns,',
      '-o json has all.',
      'More:',
      expect.stringMatching(/^pixctl charge list --limit 1 --after \S+$/),
      '--all shows every charge.',
    ]);
    const withdrawals = await listed('withdrawal', ['--limit', '1'], 60);
    expect(withdrawals[3]).toMatch(new RegExp(`^│ ${withdrawal} │ COMPLETED │ +R\\$ 7,77 │$`));
  });

  it('has a question between words', async () => {
    const pay = ['withdraw', '-a', '7,77', '-t', 'maria@example.com', '-k', 'k-3'];
    const { code, screen } = await converse(pay, [['Send it?', 'n\r']], { home, env, columns: 60 });
    expect(code).toBe(87);
    expect(screen).toMatch(
      /\? Withdraw R\$ 7,77 to m\*\*\*@example\.com \(EMAIL\); the\r?\n {2}service adds/,
    );
  });

  it('has an error between words and its command whole; a dumb one has borders of ASCII', async () => {
    const { code, screen } = await converse(['charge', 'get', 'chg_none'], [], { home, env, columns: 60 });
    expect(code).toBe(88);
    expect(screen).toMatch(/^error: .{1,53}\r\n {7}\S/);
    const dumb = { home, env: { ...env, TERM: 'dumb' }, columns: 60 };
    const listing = await converse(['charge', 'list', '--limit', '1'], [], dumb);
    expect(listing.screen).toMatch(/^\+-+\+-+\+-+\+\r\n\| ID /);
    expect(listing.screen).not.toMatch(/[─│┌└]/);
  });
});

describe.skipIf(noPty !== null)(skipped('the help of the program on a terminal of 60 columns', noPty), () => {
  it('ends with commands to copy, each on one line', async () => {
    const { screen } = await converse(['--help'], [], { home, env, columns: 60 });
    expect(screen).toMatch(/Help on one command, with examples:\r\npixctl help charge create\r\n/);
    expect(screen.split(/\r?\n/).filter((line) => line.length > 60)).toEqual([]);
  });
});

describe.skipIf(noPty !== null)(skipped('a help topic on a terminal of 80 columns', noPty), () => {
  it.each([
    ['exit-codes', '      a charge may exist)'],
    ['environment', '                         symbolic link'],
    ['amounts', 'readings are shown. A command'],
    ['output', '          without colour'],
  ])('%s is broken between words', async (topic, continued) => {
    const { code, screen } = await converse(['help', topic], [], { home, env, columns: 80 });
    expect(code).toBe(0);
    expect(screen).toContain(continued);
    expect(screen.split(/\r?\n/).filter((line) => line.length > 80)).toEqual([]);
  });
});
