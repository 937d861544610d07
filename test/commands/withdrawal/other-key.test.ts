/** A key of the environment that is not the one its profile keeps: the ledger would take two merchants for one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../support/run.ts';
import {
  type Bench,
  openHurriedBench as openBench,
  payArgs,
  printed,
} from '../../support/withdrawal-bench.ts';

const warning = /warning: the key of PIXCTL_API_KEY is not the one stored in the profile acme/;

const as = ({ home, env }: Bench, args: readonly string[], more: Record<string, string> = {}, input = '') => {
  const { PIXCTL_CONFIG_DIR = '', PIXCTL_STATE_DIR = '' } = env;
  return run(args, { home, env: { PIXCTL_CONFIG_DIR, PIXCTL_STATE_DIR, ...more }, input });
};

async function shop() {
  const bench = await openBench();
  const login = ['login', '--profile', 'acme', '--base-url', bench.proxy.url, '--key-stdin'];
  expect((await as(bench, login, {}, bench.sandbox.apiKey)).code).toBe(0);
  return bench;
}

it('is warned of, with the label that is used and how to name another', async () => {
  await using bench = await shop();
  expect((await as(bench, payArgs('rent', 1_050))).stderr).not.toContain('warning');
  const env = { PIXCTL_API_KEY: bench.sandbox.addMerchant().apiKey };
  const told = await as(bench, payArgs('rent', 1_050), env);
  expect(printed(told)).toMatchObject({ replayed: true });
  expect(told.stderr).toMatch(warning);
  expect(told.stderr).toContain('under the merchant label of that profile, acme');
  expect(told.stderr).toContain('PIXCTL_MERCHANT');
  expect((await as(bench, payArgs('rent', 1_050, '--quiet', '--dry-run'), env)).stderr).toMatch(warning);
  const csv = join(bench.home, 'march.csv');
  writeFileSync(csv, 'idempotency_key,amount,pix_key,pix_key_type\nrent,1050,maria@example.com,EMAIL\n');
  expect((await as(bench, ['withdrawal', 'batch', csv, '--yes', '--timeout', '1s'], env)).stderr).toMatch(
    warning,
  );
  expect(bench.proxy.posts()).toHaveLength(1);
});

it('is not, where it is the same key, says whose it is, or has no stored profile', async () => {
  await using bench = await shop();
  const { apiKey } = bench.sandbox;
  const other = bench.sandbox.addMerchant().apiKey;
  for (const env of [
    { PIXCTL_API_KEY: apiKey },
    { PIXCTL_API_KEY: other, PIXCTL_MERCHANT: 'padaria' },
    { PIXCTL_API_KEY: other, PIXCTL_BASE_URL: bench.sandbox.url },
  ])
    expect((await as(bench, payArgs('rent', 1_050, '--dry-run'), env)).stderr).not.toContain('warning');
  // The profile that the flag names is taken whole: its own key is used.
  const named = ['--profile', 'acme', ...payArgs('rent', 1_050, '--dry-run')];
  expect((await as(bench, named, { PIXCTL_API_KEY: other })).stderr).not.toContain('warning');
  expect((await bench.pay('ci', 1_050)).stderr).not.toContain('warning');
});

it('is told apart by the label in the line before a send, once there are several profiles', async () => {
  await using bench = await shop();
  const order = payArgs('rent', 1_050, '--dry-run');
  const { url } = bench.proxy;
  expect((await as(bench, order)).stderr).toContain(`Profile "acme" at ${url}`);
  const login = ['login', '--profile', 'second', '--merchant', 'padaria', '--base-url', url, '--key-stdin'];
  expect((await as(bench, login, {}, bench.sandbox.addMerchant().apiKey)).code).toBe(0);
  expect((await as(bench, order)).stderr).toContain(`Profile "second" (merchant label padaria) at ${url}`);
});
