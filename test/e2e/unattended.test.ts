/** Every command that can ask, with nobody to answer: it ends at once, with what is missing, and sends nothing. */
import { spawn, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { converse } from '../support/converse.ts';
import { noPty, noShell, skipped } from '../support/platform.ts';
import { cleanEnvironment, emptyHome, programPath } from '../support/run.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** Through a shell, which can close a stream before the program starts. */
function through(
  redirections: string,
  words: readonly string[],
  env: Record<string, string>,
  by: readonly string[] = [],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const line = `exec ${[...by, process.execPath, programPath(), ...words].map(quoted).join(' ')} ${redirections}`;
  const child = spawn('/bin/sh', ['-c', line], { env, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] });
  // Stdin stays open and silent: whoever reads it for an answer hangs, and the test with it.
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      child.stdin.destroy();
      resolve({ code, stdout, stderr });
    });
  });
}

const service = () => ({ PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey });
const circumstances: readonly (readonly [string, string, () => Record<string, string>])[] = [
  ['in a pipe', '', () => ({ ...cleanEnvironment(emptyHome()), ...service() })],
  ['with stdin closed', '<&-', () => ({ ...cleanEnvironment(emptyHome()), ...service() })],
  ['with stdout closed', '>&-', () => ({ ...cleanEnvironment(emptyHome()), ...service() })],
  [
    'with all streams closed but stderr',
    '<&- >&-',
    () => ({ ...cleanEnvironment(emptyHome()), ...service() }),
  ],
  [
    "in cron's environment, without HOME and TERM",
    '</dev/null',
    () => ({
      PATH: '/usr/bin:/bin',
      PIXCTL_CONFIG_DIR: emptyHome(),
      PIXCTL_STATE_DIR: emptyHome(),
      ...service(),
    }),
  ],
];

const asks: readonly (readonly [words: string[], missing: RegExp])[] = [
  [['charge', 'create'], /--amount/],
  [['withdraw'], /--to|--amount/],
  [['withdraw', '--amount', '100', '--to', 'maria@example.com'], /--idempotency-key/],
  [['withdraw', '--amount', '100', '--to', 'maria@example.com', '--idempotency-key', 'k'], /--yes/],
  [['webhook', 'add'], /--url/],
  [['webhook', 'add', '--url', 'https://example.com/x'], /--events/],
  [['sandbox', 'customer', 'add'], /--name/],
  [['login'], /--base-url|--key-stdin/],
  [['destination', 'add', 'maria'], /--key/],
  [['charge', 'refund'], /id/],
  [['withdrawal', 'resolve', 'k'], /--withdrawal|--not-sent/],
];

describe.skipIf(noShell !== null).each(circumstances)(skipped('%s', noShell), (_title, redirections, env) => {
  it.each(asks)('%j says what is missing, with 64', async (words, missing) => {
    const before = sandbox.requests().filter(({ method }) => method === 'POST').length;
    const { code, stdout, stderr } = await through(redirections, words, env());
    expect({ code, stdout }, stderr).toEqual({ code: 64, stdout: '' });
    expect(stderr).toMatch(missing);
    expect(sandbox.requests().filter(({ method }) => method === 'POST')).toHaveLength(before);
  });

  it('a charge is created all the same when nothing is missing', async () => {
    const { code, stdout, stderr } = await through(
      redirections,
      ['charge', 'create', '--amount', '1050', '--no-qr', '--json'],
      env(),
    );
    expect(code, stderr).toBe(0);
    // Node puts /dev/null in the place of a stdout that is closed, as the shell was asked to.
    if (!redirections.includes('>&-')) expect(JSON.parse(stdout)).toMatchObject({ amount: 1050 });
  });
});

describe.skipIf(noPty !== null)(skipped('at the terminal that a pipeline gives its jobs', noPty), () => {
  const at = (words: readonly string[], env: Record<string, string> = {}) =>
    converse(words, [], { home: emptyHome(), env: { CI: 'true', ...service(), ...env } });
  const told = 'CI is set, so nothing is asked.';
  const posts = () => sandbox.requests().filter(({ method }) => method === 'POST').length;

  it.each(asks)('%j says what is missing, with 64, and why it does not ask', async (words, missing) => {
    const before = posts();
    const { code, screen } = await at(words);
    expect(code, screen).toBe(64);
    expect(screen).toContain(told);
    expect(screen).toMatch(missing);
    expect(posts()).toBe(before);
  });

  it('a call of the API needs --yes as well, unless --no-input says that nobody is there', async () => {
    const call = ['api', 'POST', '/transparents/create', '-f', 'method=PIX', '-F', 'amount=1050'];
    const before = posts();
    const unasked = await at(call);
    expect({ code: unasked.code, sent: posts() - before }, unasked.screen).toEqual({ code: 64, sent: 0 });
    expect(unasked.screen).toContain('Missing: --yes.');
    expect((await at([...call, '--yes'])).code).toBe(0);
    expect((await at([...call, '--no-input'])).code).toBe(0);
  });

  it('a refund, which cannot be taken back, needs --yes: somebody may have CI set in their own shell', async () => {
    const created = await at(['charge', 'create', '--amount', '1050', '--no-qr', '--jq', '.id']);
    const [id = ''] = /chg_\w+/.exec(created.screen) ?? [];
    sandbox.pay(id);
    const unasked = await at(['charge', 'refund', id]);
    expect(unasked.code, unasked.screen).toBe(64);
    expect(unasked.screen).toContain('Missing: --yes.');
    expect((await at(['charge', 'refund', id, '--yes'])).code).toBe(0);
  });

  it('says nothing of it where there is nothing to ask, nor with --quiet', async () => {
    expect((await at(['charge', 'list'])).screen).not.toContain(told);
    expect((await at(['charge', 'get', '--quiet'])).screen).not.toContain(told);
  });
});

/** The password file has no entry for it, and so no home. */
const asNobody = ['setpriv', '--reuid=4242', '--regid=4242', '--clear-groups'];
const noNobody =
  process.geteuid?.() === 0 &&
  spawnSync('setpriv', [...asNobody.slice(1), 'test', '-r', programPath()]).status === 0
    ? null
    : 'root alone becomes a user without a home';

it.skipIf(noNobody !== null)(
  skipped(
    'without a home, as in a container, only what needs one is refused, and says what names one',
    noNobody,
  ),
  async () => {
    const at = (...words: string[]) =>
      through('</dev/null', words, { PATH: '/usr/bin:/bin', ...service() }, asNobody);
    expect(await at('charge', 'list')).toMatchObject({ code: 0, stderr: '' });
    const order = ['--amount', '100', '--to', 'maria@example.com', '--idempotency-key', 'k', '--yes'];
    expect(await at('withdraw', ...order)).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('Set HOME, or PIXCTL_'),
    });
    expect(await at('config', 'set', 'timeout', '5s')).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('Set HOME, or PIXCTL_CONFIG_DIR to a directory of your own.'),
    });
  },
);

it.skipIf(noShell !== null)(
  skipped('a description in another encoding is refused: the payer would read A\ufffda\ufffd', noShell),
  async () => {
    const before = sandbox.requests().length;
    const { code, stderr } = await through(
      `--description "$(printf 'A\\347a\\355')"`,
      ['charge', 'create', '--amount', '1050'],
      { ...cleanEnvironment(emptyHome()), ...service() },
    );
    expect([code, stderr.split('\n')[0], sandbox.requests().length - before]).toEqual([
      64,
      'error: --description is not UTF-8 text: some of its characters would be lost. Nothing was sent.',
      0,
    ]);
  },
);
