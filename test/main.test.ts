import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { cleanEnvironment, emptyHome, node, programPath, run } from './support/run.ts';

it.each([
  [['--json']],
  [['-o', 'ndjson']],
  [['-ojson']],
  [['--output=json']],
  [['--output', 'json']],
  [['-qo', 'json']],
  [['-qyojson']],
])('tells an error as JSON to whoever asked for it, with %j', async (flags) => {
  const { code, stderr } = await run(['charge', 'get', 'chg_1', ...flags]);
  expect([code, JSON.parse(stderr)]).toMatchObject([78, { error: { code: 'NO_PROFILE', exitCode: 78 } }]);
});

it('shows where an error comes from only to whoever asks for it with --debug', async () => {
  const told = async (...flags: string[]) => (await run(['charge', 'get', 'chg_1', ...flags])).stderr;
  expect(await told()).not.toMatch(/^ +at /m);
  expect(await told('--debug')).toMatch(/^ +at .*\.cjs/m);
});

it('tells people what is wrong in words', async () => {
  expect((await run(['charge', 'get', 'chg_1', '-qo', 'csv'])).stderr).toMatch(
    /^error: The address of the service is not known/,
  );
});

it.each([
  [['charge', 'list', '--since'], '--since: "x{100}\\.\\.\\." is not a moment\\. Nothing was sent\\.'],
  [['charge', 'list', '--limit'], '--limit takes a whole number from 1 to 10000, not "x{100}\\.\\.\\."'],
  [['whoami', '--profile'], 'There is no profile "x{100}\\.\\.\\."'],
])('repeats of a long value that %j is refused for only its beginning', async (words, said) => {
  const value = 'x'.repeat(5_000);
  for (const { stderr } of [
    await run([...words, value]),
    await run([...words.slice(0, -1), `${words.at(-1)}=${value}`]),
  ])
    expect(stderr).toMatch(new RegExp(`^error: ${said}`));
});

it.each([[['--help', 'charge', 'create']], [['charge', '--help', 'create']], [['-h', 'charge', 'create']]])(
  'shows the help of the command that is named, also where it is named behind %j',
  async (words) => {
    const { code, stdout } = await run(words);
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'Usage: pixctl charge create [flags]']);
  },
);

it.each([
  [['--help', 'charge', 'create', '--amount', '1050', '--description'], '--description'],
  [['--help', 'withdraw', '--amount', '1050', '--yes', '--idempotency-key'], '--idempotency-key'],
  [['withdraw', '--amount', '1050', '--yes', '--idempotency-key', '--help'], '--idempotency-key'],
])('does nothing but say so where a flag could take a --help for its value: %j', async (words, flag) => {
  const { code, stderr } = await run(words);
  expect([code, stderr]).toEqual([64, expect.stringMatching(`^error: ${flag} needs a value`)]);
});

it('never ends with 0 because a library lost a call: here, a port from which pg never returns', async () => {
  const env = {
    PIXCTL_BASE_URL: 'http://127.0.0.1:9',
    PIXCTL_API_KEY: 'svc_sandbox_none',
    PIXCTL_LEDGER_URL: 'postgres://me@127.0.0.1/db',
    PGPORT: '99999999',
  };
  const status = ['withdrawal', 'status', 'rent'];
  const [told, forPrograms] = await Promise.all([
    run(status, { env }),
    run([...status, '-o', 'json'], { env }),
  ]);
  expect([told.code, told.stdout, told.stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/^error: pixctl ended before it had finished/),
  ]);
  expect(JSON.parse(forPrograms.stderr)).toMatchObject({ error: { code: 'ENDED_TOO_SOON', exitCode: 1 } });
});

it.skipIf(process.platform === 'win32')(
  'a relative --state below a removed working directory is reported, and not as a bug',
  () => {
    const home = emptyHome();
    const line =
      'mkdir gone; cd gone; rmdir ../gone; exec "$0" "$1" sandbox start --port 0 --state world.sqlite';
    const { status, stderr } = spawnSync('sh', ['-c', line, node, programPath()], {
      cwd: home,
      env: cleanEnvironment(home),
      encoding: 'utf8',
      timeout: 15_000,
    });
    expect([status, stderr]).toEqual([
      78,
      expect.stringContaining('a working directory that no longer exists'),
    ]);
  },
);
