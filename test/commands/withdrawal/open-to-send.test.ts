/** One service with two names: what was sent under one, paid or not heard of again, is not sent under the other. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../../src/sandbox/index.ts';
import { type Intercept, startChaosProxy } from '../../support/chaos-proxy.ts';
import { run } from '../../support/run.ts';
import { openHurriedBench as openBench, payArgs } from '../../support/withdrawal-bench.ts';

const neverSeen = ({ method }: { method: string }) =>
  method === 'POST' ? ({ kind: 'reset', when: 'before' } as const) : null;

/** Two addresses of one service whose keys are not a sandbox's. */
async function twoAddresses(options: SandboxOptions, atFirst?: Intercept) {
  const bench = await openBench(options);
  const one = await startChaosProxy(bench.sandbox.url, atFirst, bench.sandbox.apiKey);
  const two = await startChaosProxy(bench.sandbox.url, undefined, bench.sandbox.apiKey);
  const key = { PIXCTL_API_KEY: 'svc_live_made_up' };
  const at = (address: string, args: readonly string[], env = {}) =>
    bench.run(args, { ...key, PIXCTL_BASE_URL: address, ...env });
  return {
    bench,
    one,
    two,
    at,
    async [Symbol.asyncDispose]() {
      await Promise.all([one.close(), two.close()]);
      await bench[Symbol.asyncDispose]();
    },
  };
}

/** At the first, `rent` has no known outcome. */
async function twoNames() {
  const names = await twoAddresses({}, neverSeen);
  expect((await names.at(names.one.url, payArgs('rent', 1_050))).code).toBe(81);
  return names;
}

describe.concurrent('an unknown outcome at another address', () => {
  it('holds up the same order under the same key, in a rehearsal and a file too', async () => {
    await using names = await twoNames();
    const { bench, one, two, at } = names;
    const told = await at(two.url, payArgs('rent', 1_050));
    expect(told).toMatchObject({ code: 78, stdout: '' });
    expect(told.stderr).toContain(
      `the outcome of this same withdrawal (key rent, R$ 10,50, UNKNOWN) at another address, ${one.url}, is not known`,
    );
    expect(told.stderr).toContain(
      `Settle it first with PIXCTL_MERCHANT=default: pixctl withdrawal reconcile rent --base-url ${one.url}.`,
    );
    expect((await at(two.url, payArgs('rent', 1_050, '--dry-run'))).code).toBe(78);
    const named = await at(two.url, payArgs('rent', 1_050), { PIXCTL_MERCHANT: 'default' });
    expect(named.code).toBe(78);
    expect(named.stderr).toContain(
      `Settle it first: pixctl withdrawal reconcile rent --base-url ${one.url}.`,
    );
    const file = join(bench.home, 'march.csv');
    writeFileSync(
      file,
      'idempotency_key,amount,pix_key,pix_key_type\nnew,777,a@example.com,EMAIL\nrent,1050,maria@example.com,EMAIL\n',
    );
    expect((await at(two.url, ['withdrawal', 'batch', file, '--yes'])).code).toBe(78);
    expect(two.posts()).toHaveLength(0);
    expect(await bench.listed()).toEqual([]);
  });

  it('holds up nothing else: another key, another order, another label that is named', async () => {
    await using names = await twoNames();
    const { two, at } = names;
    expect((await at(two.url, payArgs('water', 1_050))).code).toBe(0);
    expect((await at(two.url, payArgs('rent', 2_000))).code).toBe(0);
    const other = { PIXCTL_MERCHANT: 'other' };
    expect((await at(two.url, payArgs('rent', 1_050, '--allow-duplicate'), other)).code).toBe(0);
  });

  it('holds it up under any label where nobody named one', async () => {
    await using names = await twoNames();
    const { bench, two, at } = names;
    const one = names.one.url;
    const login = ['login', '--profile', 'acme', '--base-url', two.url, '--key-stdin'];
    const env = { ...bench.env, PIXCTL_BASE_URL: '', PIXCTL_API_KEY: '' };
    expect((await run(login, { home: bench.home, env, input: 'svc_live_made_up' })).code).toBe(0);
    const told = await run(payArgs('rent', 1_050), { home: bench.home, env });
    expect(told.code).toBe(78);
    expect(told.stderr).toContain(
      `Settle it first with PIXCTL_MERCHANT=default: pixctl withdrawal reconcile rent --base-url ${one}.`,
    );
    expect(two.posts()).toHaveLength(0);
    // Named, it is believed: two merchants may use one key.
    expect((await at(two.url, payArgs('rent', 1_050), { PIXCTL_MERCHANT: 'acme' })).code).toBe(0);
  });

  it('at this very address, under another label, is not said to be at another', async () => {
    await using names = await twoAddresses({}, neverSeen);
    const { one, at } = names;
    expect((await at(one.url, payArgs('rent', 1_050), { PIXCTL_MERCHANT: 'acme' })).code).toBe(81);
    const told = await at(one.url, payArgs('rent', 1_050));
    expect(told.code).toBe(78);
    expect(told.stderr).toContain(
      'the ledger has this same withdrawal (key rent, R$ 10,50, UNKNOWN) under the merchant label acme at this address',
    );
    expect(one.posts()).toHaveLength(1);
  });

  it('does not hold up what a sandbox is asked for', async () => {
    await using names = await twoNames();
    expect((await names.bench.pay('rent', 1_050)).code).toBe(0);
  });
});

describe.concurrent('a payment at another address', () => {
  it('is not made again where the list does not show it, in a file neither, whose other lines are paid', async () => {
    // So the list never holds it up, as it no longer would after a day.
    await using names = await twoAddresses({ assume: { 'withdrawal-list-scope': 'in-flight' } });
    const { bench, one, two, at } = names;
    expect((await at(one.url, payArgs('rent', 1_050, '--wait'))).code).toBe(0);
    expect(await bench.listed()).toEqual([]);
    const told = await at(two.url, payArgs('rent', 1_050));
    expect(told.code).toBe(86);
    expect(JSON.parse(told.stderr.trim().split('\n').at(-1) ?? '').error.message).toContain(
      `was paid at another address, ${one.url} (`,
    );
    expect((await at(two.url, payArgs('rent', 1_050, '--dry-run'))).code).toBe(86);
    const file = join(bench.home, 'march.csv');
    const lines = ['rent,1050,maria@example.com,EMAIL', 'new,777,a@example.com,EMAIL'];
    writeFileSync(file, ['idempotency_key,amount,pix_key,pix_key_type', ...lines, ''].join('\n'));
    const batch = ['withdrawal', 'batch', file, '--yes'];
    const stopped = await at(two.url, batch);
    expect(stopped.code).toBe(86);
    const id = /\((wd_[^)]*|[^()]*)\); nothing was sent/.exec(stopped.stderr)?.[1] ?? '';
    const resolve = ['withdrawal', 'resolve', 'rent', '--withdrawal', id];
    expect(stopped.stderr).toContain(`If both addresses are one service: pixctl ${resolve.join(' ')}`);
    expect(two.posts()).toHaveLength(0);
    expect((await at(two.url, [...batch, '--continue-on-failed'])).code).toBe(86);
    expect(two.posts().map(({ body }) => JSON.parse(body).amount)).toEqual([777]);
    // Followed to the letter, the hint ends it.
    expect((await at(two.url, [...resolve, '--yes'])).code).toBe(0);
    expect((await at(two.url, batch)).code).toBe(0);
    expect((await at(two.url, payArgs('rent', 1_050))).code).toBe(0);
    expect(two.posts()).toHaveLength(1);
  });

  it('is made again where that is allowed', async () => {
    await using names = await twoAddresses({ assume: { 'withdrawal-list-scope': 'in-flight' } });
    const { one, two, at } = names;
    expect((await at(one.url, payArgs('rent', 1_050, '--wait'))).code).toBe(0);
    expect((await at(two.url, payArgs('rent', 1_050))).code).toBe(86);
    expect((await at(two.url, payArgs('rent', 1_050, '--allow-duplicate'))).code).toBe(0);
    expect(two.posts()).toHaveLength(1);
  });
});
