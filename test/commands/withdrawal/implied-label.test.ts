/** A cron job that names address and key, and no label: a login beside it must not make its keys new ones. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../support/run.ts';
import { openHurriedBench as openBench, payArgs, printed } from '../../support/withdrawal-bench.ts';

const acme = ['login', '--profile', 'acme', '--key-stdin'];

describe.concurrent('a label that nothing names', () => {
  it('is refused what another label at the address has paid under the key, until it is named', async () => {
    await using bench = await openBench();
    expect((await bench.pay('rent', 1_050)).code).toBe(0);
    expect((await bench.pay('water', 3_000)).code).toBe(0);
    const { home, env, sandbox, proxy } = bench;
    expect((await run(acme, { home, env, input: sandbox.apiKey })).code).toBe(0);

    const told = await bench.pay('rent', 1_050);
    expect(told).toMatchObject({ code: 78, stdout: '' });
    expect(told.stderr).toContain('(key rent, R$ 10,50, ACCEPTED) under the merchant label default');
    const hint =
      'If it is the same merchant, set PIXCTL_MERCHANT=default. If it is another one, set PIXCTL_MERCHANT=acme.';
    expect(told.stderr).toContain(hint);
    expect((await bench.pay('rent', 1_050, '--dry-run')).code).toBe(78);
    const file = join(home, 'march.csv');
    writeFileSync(
      file,
      'idempotency_key,amount,pix_key,pix_key_type\nnew,777,a@example.com,EMAIL\nrent,1050,maria@example.com,EMAIL\n',
    );
    const batch = await bench.run(['withdrawal', 'batch', file, '--yes']);
    expect(batch).toMatchObject({ code: 78, stdout: '' });
    expect(batch.stderr).toContain(hint);
    expect(proxy.posts()).toHaveLength(2);

    const named = await bench.run(payArgs('rent', 1_050), { PIXCTL_MERCHANT: 'default' });
    expect(JSON.parse(named.stdout)).toMatchObject({ exitCode: 0, replayed: true, state: 'COMPLETED' });
    // A person who names the other one is believed: the service's list is what holds it up then.
    const twin = await bench.run(payArgs('rent', 1_050), { PIXCTL_MERCHANT: 'acme' });
    expect(twin.code).toBe(86);
    expect(twin.stderr).toMatch(
      /lists (wd_\w+) with the same amount and PIX key; this ledger has \1 under the merchant label default \(key rent\); nothing was sent/,
    );
    expect(twin.stderr).toContain(
      'If both labels are this same merchant: run it with PIXCTL_MERCHANT=default.',
    );
    const dry = await bench.run(payArgs('rent', 1_050, '--dry-run'), { PIXCTL_MERCHANT: 'acme' });
    expect([dry.code, dry.stderr]).toMatchObject([
      86,
      expect.stringContaining('under the merchant label default (key rent); nothing was sent'),
    ]);
    const audit = await bench.run(['withdrawal', 'audit', '--json'], { PIXCTL_MERCHANT: 'acme' });
    expect(audit.code).toBe(86);
    expect(audit.stdout).toContain(
      'is that of rent under the merchant label default in this ledger: if both labels are this same merchant, use only one of them',
    );
    expect((await bench.run(payArgs('rent', 1_050, '--profile', 'acme'))).code).toBe(86);
    expect(proxy.posts()).toHaveLength(2);
    // Another order under the key is most likely another merchant's.
    expect((await bench.pay('water', 2_000)).code).toBe(0);
  });

  it('is refused that as well where it is the current profile, and `profile use` has changed it', async () => {
    await using bench = await openBench();
    const { home, sandbox, proxy } = bench;
    const go = (args: string[], input = '', env = {}) => run(args, { home, env, input });
    for (const name of ['one', 'two'])
      expect(
        (await go(['login', '--profile', name, '--base-url', proxy.url, '--key-stdin'], sandbox.apiKey)).code,
      ).toBe(0);
    await go(['profile', 'use', 'one']);
    expect((await go(payArgs('rent', 1_050))).code).toBe(0);
    await go(['profile', 'use', 'two']);

    const told = await go(payArgs('rent', 1_050));
    expect(told.code).toBe(78);
    expect(told.stderr).toContain('(key rent, R$ 10,50, ACCEPTED) under the merchant label one');
    expect(proxy.posts()).toHaveLength(1);
    expect((await go(payArgs('rent', 1_050), '', { PIXCTL_MERCHANT: 'one' })).code).toBe(0);
    expect(proxy.posts()).toHaveLength(1);
    // What one merchant waits for does not hold up another.
    proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
    expect((await go(payArgs('power', 2_000))).code).toBe(81);
    proxy.intercept = () => null;
    await go(['profile', 'use', 'one']);
    expect((await go(payArgs('water', 3_000))).code).toBe(0);
  });

  it('is refused it after this label was refused it once, and where the address is named by a flag', async () => {
    await using bench = await openBench();
    const { home, env, sandbox, proxy } = bench;
    expect((await bench.pay('rent', 1_050)).code).toBe(0);
    expect((await run(acme, { home, env, input: sandbox.apiKey })).code).toBe(0);
    sandbox.setMerchant({ withdrawalsEnabled: false });
    const refused = payArgs('rent', 1_050, '--allow-duplicate');
    expect((await bench.run(refused, { PIXCTL_MERCHANT: 'acme' })).code).toBe(77);
    sandbox.setMerchant({ withdrawalsEnabled: true });
    expect((await bench.pay('rent', 1_050)).code).toBe(78);
    // With the stored key: the profile is the one that is current today.
    const { PIXCTL_API_KEY: _key, PIXCTL_BASE_URL: _url, ...stored } = env;
    const byFlag = await run(payArgs('rent', 1_050, '--base-url', proxy.url), { home, env: stored });
    expect(byFlag.code).toBe(78);
    expect(byFlag.stderr).toContain('PIXCTL_MERCHANT=default');
  });

  it('is refused while another label at the address has an unknown outcome', async () => {
    await using bench = await openBench();
    bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
    expect((await bench.pay('rent', 1_050)).code).toBe(81);
    const { home, env, sandbox, proxy } = bench;
    proxy.intercept = () => null;
    expect((await run(acme, { home, env, input: sandbox.apiKey })).code).toBe(0);

    const told = await bench.pay('power', 2_000);
    expect(told).toMatchObject({ code: 78, stdout: '' });
    expect(told.stderr).toContain(
      'a withdrawal whose outcome is not known (key rent, R$ 10,50, UNKNOWN) under the merchant label default',
    );
    expect(told.stderr).toContain('PIXCTL_MERCHANT=default. If it is another one, set PIXCTL_MERCHANT=acme.');
    expect((await bench.run(payArgs('power', 2_000), { PIXCTL_MERCHANT: 'default' })).code).toBe(84);
    expect(proxy.posts()).toHaveLength(1);
    expect((await bench.run(payArgs('power', 2_000), { PIXCTL_MERCHANT: 'acme' })).code).toBe(0);
    // What this label has paid is answered as before: nothing is sent for it.
    expect(printed(await bench.pay('power', 2_000))).toMatchObject({ exitCode: 0, replayed: true });
  });

  it('is not held up by what another label is sending this moment', async () => {
    await using bench = await openBench();
    const held = bench.holdAnswer();
    const child = bench.start(payArgs('rent', 1_050), { PIXCTL_MERCHANT: 'filial' });
    const closed = once(child, 'close');
    child.stdout.resume();
    child.stderr.resume();
    await held.arrived;
    bench.proxy.intercept = () => null;
    expect((await bench.pay('power', 2_000)).code).toBe(0);
    held.release();
    expect((await closed)[0]).toBe(0);
  });

  it('does not begin the day of the policy anew', async () => {
    await using bench = await openBench();
    expect((await bench.run(['policy', 'set', '--max-day', '30,00', '--yes'])).code).toBe(0);
    expect((await bench.pay('rent', 1_050)).code).toBe(0);
    const { home, env, sandbox, proxy } = bench;
    expect((await run(acme, { home, env, input: sandbox.apiKey })).code).toBe(0);

    const told = await bench.pay('power', 2_000);
    expect(told.code).toBe(78);
    expect(told.stderr).toContain(
      'the daily limit (R$ 30,00) would be exceeded together with R$ 10,50 paid out today under the merchant label default',
    );
    expect((await bench.run(payArgs('power', 2_000), { PIXCTL_MERCHANT: 'default' })).code).toBe(87);
    expect(proxy.posts()).toHaveLength(1);
    // With the other label's sum it still is within the cap.
    expect((await bench.pay('power', 1_950)).code).toBe(0);
    expect((await bench.pay('gas', 50)).code).toBe(78);
    expect((await bench.run(payArgs('water', 1_000), { PIXCTL_MERCHANT: 'acme' })).code).toBe(0);
  });
});
