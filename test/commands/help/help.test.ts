import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { environmentVariables } from '../../src/commands/help/environment.ts';
import { emptyHome, run } from '../support/run.ts';

describe('help', () => {
  it('is where messages point to: the package has no docs/', () => {
    const source = fileURLToPath(new URL('../../src/', import.meta.url));
    const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => readFileSync(join(source, name), 'utf8').split('\n'))
      .filter((line) => /docs\/[\w-]+\.md/.test(line) && !/^\s*(\*|\/\*|\/\/)/.test(line));
    expect(texts).toEqual([]);
  });

  it('prints the exit codes for people and for scripts from one table', async () => {
    const { stdout } = await run(['help', 'exit-codes']);
    expect(stdout).toMatch(/^ {2}81 {2}OUTCOME UNKNOWN: it may have happened/m);
    expect(stdout).toContain('is always safe, whatever the code.');
    expect(stdout).toContain('All but 1 stay clear of 1 to 13');
    const { stdout: csv } = await run(['help', 'exit-codes', '-o', 'csv', '--fields', 'exit']);
    expect(csv.trim().split('\n').slice(1).map(Number)).toEqual([
      0, 1, 64, 65, 74, 75, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 130, 143,
    ]);
  });

  it('lists every command in one look, and for programs with flags, fields and exit codes', async () => {
    const { stdout } = await run(['help', 'commands']);
    expect(stdout).toMatch(/^pixctl withdrawal batch\tpay the lines of a CSV/m);
    expect(stdout).not.toMatch(/^pixctl complete\t/m);
    const rows = JSON.parse((await run(['-o', 'json', 'help', 'commands'])).stdout) as { command: string }[];
    expect(rows.find(({ command }) => command === 'pixctl charge qr')).toEqual({
      command: 'pixctl charge qr',
      does: "draw a charge's QR code; piped, only the copy-and-paste code",
      usage: '[flags] <id>',
      flags: [{ flag: '--png <file>', does: 'write the QR code as a PNG file' }],
      fields: [],
      examples: [
        'pixctl charge qr chg_1',
        'pixctl charge qr chg_1 | xclip',
        'pixctl charge qr chg_1 --png order-42.png',
      ],
      exits: [0, 75, 77, 88],
    });
  });

  it.each([
    ['environment', 'PIXCTL_API_KEY_FILE'],
    ['amounts', '1.050,00'],
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
  });

  it.each([
    [['charge'], 'pixctl charge needs a command: create, get, qr, wait, refund, resolve, list.'],
    [['sandbox', 'merchant'], 'pixctl sandbox merchant needs a command: get, set, add.'],
  ])('%j alone did nothing, and says so with 64', async (args, says) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(says);
  });

  it.each([
    [['help', 'exit-code'], 'did you mean "exit-codes"?'],
    [['help', 'profile', 'usee'], 'did you mean "use"?'],
    [['profle'], 'did you mean pixctl profile?'],
    [['profile', 'lst'], 'did you mean pixctl profile list?'],
    [['login', '--key-stdn'], 'did you mean --key-stdin?'],
  ])('%j says what was meant, with 64', async (args, says) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(64);
    expect(stderr).toContain(says);
  });
});

describe('config', () => {
  it('keeps what makes sense, and gives it back', async () => {
    const home = emptyHome();
    expect((await run(['config', 'set', 'timeout', '10s'], { home })).code).toBe(0);
    expect((await run(['config', 'get', 'timeout'], { home })).stdout).toBe('10s\n');
    expect((await run(['config', 'list', '-o', 'ndjson'], { home })).stdout).toBe(
      '{"name":"timeout","value":"10s"}\n',
    );
    expect((await run(['config', 'unset', 'timeout'], { home })).code).toBe(0);
    expect((await run(['config', 'get', 'timeout', '-o', 'json'], { home })).stdout).toBe(
      '{"name":"timeout","value":null}\n',
    );
    expect((await run(['config', 'path'], { home })).stdout).toContain(`${home}/.config/pixctl/config.json`);
  });

  it.each([
    ['timeout', 'soon', 'is not a duration'],
    ['timeout', '0', 'The setting timeout takes a duration longer than 0, not "0".'],
    ['timeZone', 'Mars/Olympus', 'is not a time zone'],
    ['keychain', 'maybe', 'neither on nor off'],
    ['timout', '5s', 'did you mean "timeout"?'],
    ['__proto__', 'x', 'There is no setting "__proto__" that config changes. Nothing was changed.'],
    ['policy.maxAmount', '1', 'pixctl policy set'],
  ])('refuses %s = %s', async (name, value, says) => {
    const { code, stderr } = await run(['config', 'set', name, value]);
    expect(code).toBe(64);
    expect(stderr).toContain(says);
  });

  it('a kept timeout of 0 is named, rather than the network, and how to set another', async () => {
    const home = emptyHome();
    await run(['config', 'set', 'timeout', '10s'], { home });
    const path = join(home, '.config/pixctl/config.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('10s', '0'));
    const env = { PIXCTL_API_KEY: 'svc_sandbox_x', PIXCTL_BASE_URL: 'http://127.0.0.1:9' };
    const { code, stderr } = await run(['charge', 'list'], { home, env });
    expect(code).toBe(64);
    expect(stderr).toContain('The setting timeout takes a duration longer than 0, not "0".');
    expect(stderr).toContain('pixctl config set timeout 30s');
  });
});

describe('config get', () => {
  it('of a name that nothing has is a mistake, not an empty answer', async () => {
    const { code, stdout, stderr } = await run(['config', 'get', 'timout']);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain('There is no setting "timout"; did you mean "timeout"?\n');
    expect(stderr).toContain('Settings: timeout, timeZone, keychain.');
  });
});

describe('help environment', () => {
  it('knows every variable that the program reads', () => {
    const source = fileURLToPath(new URL('../../src/', import.meta.url));
    const read = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => readFileSync(join(source, name), 'utf8').match(/\bPIXCTL_[A-Z_]*[A-Z]\b/g) ?? []);
    const told = environmentVariables.map(({ name }) => name);
    expect([...new Set(read)].filter((name) => !told.includes(name))).toEqual([]);
  });
});
