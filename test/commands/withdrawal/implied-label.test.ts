/** A cron job that names address and key, and no label: a login beside it must not make its keys new ones. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../support/run.ts';
import { openBench, payArgs } from '../../support/withdrawal-bench.ts';

const acme = ['login', '--profile', 'acme', '--key-stdin'];

describe('a label that nothing names', () => {
  it('is refused what another label at the address has paid under the key, until it is named', async () => {
    await using bench = await openBench();
    expect((await bench.pay('rent', 1_050)).code).toBe(0);
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
    expect(proxy.posts()).toHaveLength(1);

    const named = await bench.run(payArgs('rent', 1_050), { PIXCTL_MERCHANT: 'default' });
    expect(JSON.parse(named.stdout)).toMatchObject({ exitCode: 0, replayed: true, state: 'COMPLETED' });
    // A person who names the other one is believed: the service's list is what holds it up then.
    expect((await bench.run(payArgs('rent', 1_050), { PIXCTL_MERCHANT: 'acme' })).code).toBe(86);
    expect((await bench.run(payArgs('rent', 1_050, '--profile', 'acme'))).code).toBe(86);
    expect(proxy.posts()).toHaveLength(1);
    // Another order under the key is most likely another merchant's.
    expect((await bench.pay('rent', 2_000)).code).toBe(0);
  });
});
