/** What counts as told (86): the words have to be out before `--allow-duplicate` may pass what they name. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment, node, programPath } from '../../../support/run.ts';
import { type Bench, openHurriedBench as openBench, payArgs } from '../../../support/withdrawal-bench.ts';

const killedAtWords = fileURLToPath(new URL('../../../support/killed-at-words.cjs', import.meta.url));
const pay = payArgs('rent', 1_050);
const allowed = payArgs('rent', 1_050, '--allow-duplicate');

/** The key was refused, and now the list shows a withdrawal that this send may have made. */
async function openHeldUp(): Promise<Bench> {
  const bench = await openBench({ merchant: { available: 100_000, withdrawalLimit: 1_000 } });
  expect((await bench.run(pay)).code).toBe(80);
  bench.sandbox.setMerchant({ withdrawalLimit: 1_000_000 });
  await fetch(`${bench.sandbox.url}/withdrawals`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bench.sandbox.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 1_050, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' }),
  });
  return bench;
}

function batchOf({ home }: Bench): string[] {
  const file = join(home, 'march.csv');
  writeFileSync(file, 'idempotency_key,amount,pix_key,pix_key_type\nrent,1050,maria@example.com,EMAIL\n');
  return ['withdrawal', 'batch', file, '--yes', '--json', '--quiet'];
}

/** The flag passes nothing until a run has told, to its end. */
async function expectUntold(bench: Bench): Promise<void> {
  const sent = bench.proxy.posts().length;
  expect((await bench.run(allowed)).code).toBe(86);
  expect(bench.proxy.posts()).toHaveLength(sent);
  expect((await bench.run(pay)).code).toBe(86);
  expect((await bench.run(allowed)).code).toBe(0);
  expect(await bench.listed()).toHaveLength(2);
}

describe.concurrent('a possible duplicate', () => {
  it.each([
    ['withdraw', 'before', false],
    ['withdraw', 'after', true],
    ['withdrawal batch', 'before', false],
  ])('was not reported by a %s that was killed just %s its words', async (command, at, isSaid) => {
    await using bench = await openHeldUp();
    const killed = await bench.run(command === 'withdraw' ? pay : batchOf(bench), {
      NODE_OPTIONS: `${bench.env.NODE_OPTIONS} --require ${JSON.stringify(killedAtWords)}`,
      KILLED_AT: at,
    });
    expect([killed.signal, killed.stderr.includes('POSSIBLE_DUPLICATE')]).toEqual(['SIGKILL', isSaid]);
    await expectUntold(bench);
  });

  it.skipIf(!existsSync('/dev/full'))(
    'was not reported by a run whose words could not be written',
    async () => {
      await using bench = await openHeldUp();
      const child = spawn(node, [programPath(), ...pay], {
        env: cleanEnvironment(bench.home, bench.env),
        stdio: ['ignore', 'ignore', openSync('/dev/full', 'w')],
      });
      expect(await once(child, 'exit')).toEqual([86, null]);
      await expectUntold(bench);
    },
  );

  it('was reported by a batch that said so', async () => {
    await using bench = await openHeldUp();
    expect((await bench.run(batchOf(bench))).code).toBe(86);
    expect((await bench.run(allowed)).code).toBe(0);
  });
});
