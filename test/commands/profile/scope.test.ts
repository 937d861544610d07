/**
 * A profile that is given another label or address: what was sent under the old ones must not be sent again unawares.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { skipped } from '../../support/platform.ts';
import { postgresMissing, startPostgres } from '../../support/postgres.ts';
import { hurried, run } from '../../support/run.ts';
import { type Bench, openHurriedBench as openBench, payArgs } from '../../support/withdrawal-bench.ts';

/** Runs as the profile, with nothing of it in the environment. */
const as = ({ home, env }: Bench, args: readonly string[], input = '', more = {}) => {
  const { PIXCTL_CONFIG_DIR = '', PIXCTL_STATE_DIR = '' } = env;
  return run(args, { home, env: { ...hurried, PIXCTL_CONFIG_DIR, PIXCTL_STATE_DIR, ...more }, input });
};
const login = (bench: Bench, ...flags: string[]) =>
  as(bench, ['login', '--profile', 'acme', '--key-stdin', ...flags], bench.sandbox.apiKey);
const pay = (bench: Bench, ...flags: string[]) => as(bench, payArgs('rent', 1_050, ...flags));
const merchant = async (bench: Bench) =>
  JSON.parse((await as(bench, ['whoami', '--offline', '-o', 'json'])).stdout).merchant;

async function shop() {
  const bench = await openBench();
  expect((await login(bench, '--base-url', bench.proxy.url)).code).toBe(0);
  return bench;
}

/**
 * At the first request that is no payment a withdrawal is sent whose answer is lost: the key is being tried meanwhile.
 */
function payUnknownWhileTried(bench: Bench): void {
  let tried = false;
  bench.proxy.intercept = async ({ method }) => {
    if (method === 'POST') return { kind: 'reset', when: 'before' };
    if (tried) return null;
    tried = true;
    expect((await pay(bench)).code).toBe(81);
    return null;
  };
}

/** The answer to the payment is lost, and these settings forget the ledger that knows it. */
async function leaveUnknown(bench: Bench, env: Record<string, string> = {}) {
  bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
  expect((await as(bench, payArgs('rent', 1_050), '', env)).code).toBe(81);
  bench.proxy.intercept = () => null;
  expect((await as(bench, ['config', 'unset', 'ledger.id', '--yes'])).code).toBe(0);
}

async function expectRefused(bench: Bench, env: Record<string, string>) {
  const args = ['login', '--profile', 'acme', '--key-stdin', '--merchant', 'other'];
  const told = await as(bench, args, bench.sandbox.apiKey, env);
  expect(told).toMatchObject({ code: 84, stdout: '' });
  expect(told.stderr).toContain('withdrawal of acme (key rent, R$ 10,50) is unknown');
  expect(await merchant(bench)).toBe('acme');
}

describe.concurrent('login with another label or address', () => {
  it('is refused while a withdrawal of the old one is unknown, and names the command that settles it', async () => {
    await using bench = await shop();
    bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
    expect((await pay(bench)).code).toBe(81);
    bench.proxy.intercept = () => null;
    for (const flags of [
      ['--merchant', 'other'],
      ['--base-url', bench.sandbox.url],
      ['--merchant', 'other', '--dry-run'],
    ]) {
      const told = await login(bench, ...flags);
      expect(told).toMatchObject({ code: 84, stdout: '' });
      expect(told.stderr).toContain('withdrawal of acme (key rent, R$ 10,50) is unknown');
      const [, line = ''] = /Settle it first: pixctl (.*)/.exec(told.stderr) ?? [];
      expect(line).toBe(`withdrawal reconcile rent --profile acme --base-url ${bench.proxy.url}`);
      expect((await as(bench, line.split(' '))).code).toBe(81);
    }
    expect(await merchant(bench)).toBe('acme');
    expect(bench.proxy.posts()).toHaveLength(1);
    // A new key for the same scope is no change of it.
    expect((await login(bench)).code).toBe(0);
    const removed = await as(bench, ['profile', 'remove', 'acme']);
    expect(removed.stderr).toContain('withdrawal of acme (key rent, R$ 10,50) is unknown');
  });

  it('of a new profile at the same address: refused with the same key, warned of with another', async () => {
    await using bench = await shop();
    bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
    expect((await pay(bench)).code).toBe(81);
    bench.proxy.intercept = () => null;
    const asOther = (key: string, ...flags: string[]) =>
      as(bench, [...newOne, '--base-url', `${bench.proxy.url}/`, ...flags], key);
    const newOne = ['login', '--profile', 'other', '--key-stdin', '--no-check'];
    const told = await asOther(bench.sandbox.apiKey);
    expect(told).toMatchObject({ code: 84, stdout: '' });
    expect(told.stderr).toContain('withdrawal of acme (key rent, R$ 10,50) is unknown');
    expect(await merchant(bench)).toBe('acme');
    const sameLabel = await asOther(bench.sandbox.apiKey, '--merchant', 'acme');
    expect(sameLabel.code).toBe(0);
    expect(sameLabel.stderr).not.toContain('is unknown');
    // The same command under the new profile asks for the same withdrawal, and does not send.
    expect((await pay(bench)).code).toBe(81);
    expect((await as(bench, ['profile', 'remove', 'other', '--yes'])).code).toBe(0);
    const another = await asOther('svc_sandbox_another_key_of_the_merchant');
    expect(another.code).toBe(0);
    expect(another.stderr).toContain('If other is the same merchant');
    expect(another.stderr).toMatch(/use the same label, --merchant acme$/m);
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it('of a profile that there is: refused with the key of another label, not warned of with its own', async () => {
    await using bench = await shop();
    const own = 'svc_sandbox_of_another_merchant';
    const other = (key: string) =>
      as(
        bench,
        ['login', '--profile', 'other', '--base-url', bench.proxy.url, '--key-stdin', '--no-check'],
        key,
      );
    expect((await other(own)).code).toBe(0);
    expect((await as(bench, ['profile', 'use', 'acme'])).code).toBe(0);
    bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
    expect((await pay(bench)).code).toBe(81);
    bench.proxy.intercept = () => null;
    expect(await other(bench.sandbox.apiKey)).toMatchObject({ code: 84, stdout: '' });
    const renewed = await other(own);
    expect(renewed.code).toBe(0);
    expect(renewed.stderr).not.toContain('is unknown');
  });

  it('of a new profile is refused too where a withdrawal of the key became unknown while it was tried', async () => {
    await using bench = await shop();
    payUnknownWhileTried(bench);
    const args = ['login', '--profile', 'other', '--base-url', bench.proxy.url, '--key-stdin'];
    expect(await as(bench, args, bench.sandbox.apiKey)).toMatchObject({ code: 84, stdout: '' });
    expect(await merchant(bench)).toBe('acme');
  });

  it('of a new profile with the same key is warned of, where the old label has paid', async () => {
    await using bench = await shop();
    expect((await pay(bench)).code).toBe(0);
    const told = await as(
      bench,
      ['login', '--profile', 'other', '--base-url', bench.proxy.url, '--key-stdin'],
      bench.sandbox.apiKey,
    );
    expect(told.code).toBe(0);
    expect(told.stderr).toContain('The profile acme has this same key, under the label acme');
    expect(told.stderr).toMatch(/To keep them: --merchant acme$/m);
  });

  it('is refused too where that became so while the key was typed or tried', async () => {
    await using bench = await shop();
    payUnknownWhileTried(bench);
    const told = await login(bench, '--merchant', 'other');
    expect(told).toMatchObject({ code: 84, stdout: '' });
    expect(told.stderr).toContain('withdrawal of acme (key rent, R$ 10,50) is unknown');
    expect(await merchant(bench)).toBe('acme');
  });

  it('is warned of where the ledger knows what was sent under the old one', async () => {
    await using bench = await shop();
    expect((await pay(bench)).code).toBe(0);
    expect((await login(bench)).stderr).not.toContain('The ledger knows');
    const told = await login(bench, '--merchant', 'other');
    expect(told.code).toBe(0);
    expect(told.stderr).toContain(`The ledger knows withdrawals or charges of acme at ${bench.proxy.url}`);
    expect(told.stderr).toContain('these keys are new: the same command would send again.');
    expect(await merchant(bench)).toBe('other');
  });

  it('of the same label at another address says that what was paid is held up there', async () => {
    await using bench = await shop();
    expect((await pay(bench)).code).toBe(0);
    const told = await login(bench, '--base-url', bench.sandbox.url);
    expect(told.code).toBe(0);
    expect(told.stderr).toContain(
      'would create a charge again. A withdrawal that was paid is held up (86), unless',
    );
  });

  it('is warned of when the last profile of a label that has paid is removed, and names the label to keep', async () => {
    await using bench = await shop();
    expect((await as(bench, ['profile', 'remove', 'acme'])).stderr).not.toContain('The ledger knows');
    expect((await pay(bench)).code).toBe(0);
    const twin = ['login', '--profile', 'twin', '--base-url', bench.proxy.url, '--key-stdin'];
    expect((await as(bench, [...twin, '--merchant', 'acme'], bench.sandbox.apiKey)).code).toBe(0);
    const first = await as(bench, ['profile', 'remove', 'acme', '--yes']);
    expect(first).toMatchObject({ code: 0, stderr: 'Removed the profile acme and its key.\n' });
    const told = await as(bench, ['profile', 'remove', 'twin', '--yes']);
    expect(told.code).toBe(0);
    expect(told.stderr).toContain(`The ledger knows withdrawals or charges of acme at ${bench.proxy.url}`);
    const [, flags = ''] = /log in to this merchant with (--merchant \S+)/.exec(told.stderr) ?? [];
    const renamed = ['login', '--profile', 'renamed', '--base-url', bench.proxy.url, '--key-stdin'];
    expect((await as(bench, [...renamed, ...flags.split(' ')], bench.sandbox.apiKey)).code).toBe(0);
    expect((await pay(bench)).stderr).toContain('Nothing was sent in this run');
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it.each<[string, (home: string) => Record<string, string>]>([
    [
      'that these settings have not used yet',
      (home) => ({
        PIXCTL_LEDGER_URL: join(home, 'state', 'ledger.sqlite'),
        PIXCTL_STATE_DIR: join(home, 'elsewhere'),
      }),
    ],
    ['whose id these settings have lost', () => ({})],
  ])('is refused too where the ledger is one %s', async (_, env) => {
    await using bench = await shop();
    await leaveUnknown(bench);
    await expectRefused(bench, env(bench.home));
  });

  it.skipIf(postgresMissing !== null)(
    skipped('is refused too where hosts share a PostgreSQL that these settings do not know', postgresMissing),
    async () => {
      const server = await startPostgres();
      try {
        await using bench = await shop();
        const shared = { PIXCTL_LEDGER_URL: await server.createDatabase() };
        await leaveUnknown(bench, shared);
        await expectRefused(bench, shared);
      } finally {
        await server.stop();
      }
    },
  );

  it('makes no ledger, and is not held up by one that cannot be read', async () => {
    await using bench = await shop();
    const file = join(bench.home, 'state', 'ledger.sqlite');
    const first = await login(bench, '--merchant', 'second');
    expect({ code: first.code, warned: first.stderr.includes('ledger'), made: existsSync(file) }).toEqual({
      code: 0,
      warned: false,
      made: false,
    });
    expect((await pay(bench)).code).toBe(0);
    rmSync(file);
    const told = await login(bench, '--merchant', 'third');
    expect(told.code).toBe(0);
    expect(told.stderr).toContain('The ledger could not be read');
    const args = ['login', '--profile', 'fourth', '--base-url', bench.proxy.url, '--key-stdin'];
    const beside = await as(bench, args, bench.sandbox.apiKey);
    expect(beside.code).toBe(0);
    expect(beside.stderr).toContain('so an unknown withdrawal of third');
    expect(existsSync(file)).toBe(false);
  });
});
