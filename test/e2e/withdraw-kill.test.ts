/**
 * Real processes of the built program, killed with SIGKILL at moments that a seed chooses, while the network
 * loses answers after the effect; then run again as cron would. What counts is what the service has.
 */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fault, randomFaults } from '../support/chaos-proxy.ts';
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts';
import { type Bench, openBench, payArgs, printed } from '../support/withdrawal-bench.ts';
import { type Random, randomFrom } from '../withdrawal/simulation/random.ts';

const lossy: Fault[] = [
  { kind: 'reset', when: 'after' },
  { kind: 'truncate', when: 'after' },
  { kind: 'status', when: 'after', status: 500 },
  { kind: 'conflict', when: 'after' },
];

/**
 * Starts the program and kills it: at a random request that passes the proxy, or after a random while. Whether it was.
 */
async function startAndKill(
  bench: Bench,
  random: Random,
  args: readonly string[],
  env = {},
): Promise<boolean> {
  const child = bench.start(args, env);
  child.stdout.resume();
  child.stderr.resume();
  const closed = once(child, 'close');
  const kill = () => child.kill('SIGKILL');
  const { intercept } = bench.proxy;
  let requests = random.int(1, 3);
  const timer = random.chance(0.4) ? setTimeout(kill, random.int(60, 220)) : undefined;
  bench.proxy.intercept = (seen) => {
    if (timer === undefined && --requests === 0) {
      const wait = random.pick([0, 0, 1, 2, 4]);
      if (wait === 0) kill();
      else setTimeout(kill, wait);
    }
    return intercept(seen);
  };
  const [, signal] = await closed;
  clearTimeout(timer);
  bench.proxy.intercept = intercept;
  return signal === 'SIGKILL';
}

const sent = (bench: Bench, amount: number) =>
  bench.proxy.posts().filter(({ body }) => (JSON.parse(body) as { amount: number }).amount === amount).length;
const listed = async (bench: Bench, amount: number) =>
  (await bench.listed()).filter((one) => one.amount === amount).length;

describe('killed at random moments', () => {
  it.each([11, 12, 13, 14])('one withdrawal a key, and no exit 0 without one (seed %i)', async (seed) => {
    await using bench = await openBench();
    const random = randomFrom(seed);
    bench.proxy.intercept = randomFaults(seed, 0.3, { kinds: lossy });
    let killed = 0;
    for (let at = 0; at < 4; at++) {
      const [key, amount] = [`k-${at}`, 3_000 + at];
      // A ledger of its own: were one to end unknown, which it may, the others still have something to prove.
      const env = {
        PIXCTL_STATE_DIR: join(bench.home, key),
        PIXCTL_CONFIG_DIR: join(bench.home, `${key}-config`),
      };
      for (let kills = random.int(1, 3); kills > 0; kills--)
        if (await startAndKill(bench, random, payArgs(key, amount), env)) killed++;
      const last = await bench.run(payArgs(key, amount, '--if-busy', 'wait'), env);
      const has = await listed(bench, amount);
      expect(has, last.stderr).toBeLessThanOrEqual(1);
      // The service may have refused a copy that never got in, and only then was it sent again.
      if (last.code === 0) {
        expect(has, last.stderr).toBe(1);
        const [one] = (await bench.listed()).filter((it) => it.amount === amount);
        expect(printed(last)).toMatchObject({ withdrawal: { id: one?.id } });
      } else {
        expect([last.code, has], last.stderr).toEqual([81, 0]);
        expect(sent(bench, amount)).toBeLessThanOrEqual(1);
      }
    }
    expect(killed).toBeGreaterThan(0);
  });

  it('a batch that is killed over and over pays each line once, and its result file tells the truth', async () => {
    await using bench = await openBench();
    const random = randomFrom(21);
    const lines = Array.from({ length: 30 }, (_, at) => `b-${at},${4_000 + at},maria@example.com,EMAIL`);
    const file = join(bench.home, 'pay.csv');
    writeFileSync(file, `idempotency_key,amount,pix_key,pix_key_type\n${lines.join('\n')}\n`);
    const args = ['withdrawal', 'batch', file, '--yes'];
    let killed = 0;
    for (let kills = 0; kills < 25; kills++) if (await startAndKill(bench, random, args)) killed++;
    // Those that began when all was paid end by themselves.
    expect(killed).toBeGreaterThan(10);
    const last = await bench.run(args);
    const all = await bench.listed();
    expect(new Set(all.map(({ amount }) => amount)).size).toBe(all.length);
    const results = readFileSync(join(bench.home, 'pay.result.csv'), 'utf8');
    for (const { id } of all) expect(results, last.stderr).toContain(id);
    if (last.code === 0) expect(all.length).toBe(30);
    else expect([last.code, /UNKNOWN/.test(results)], last.stderr).toEqual([81, true]);
  });
});

describe.skipIf(postgresMissing !== null)(
  `hosts that share a PostgreSQL${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`,
  () => {
    let server: Postgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());

    it('send one key once, though one of them is killed in the middle', async () => {
      await using bench = await openBench();
      const url = await server.createDatabase();
      const env = (host: string) => ({
        PIXCTL_LEDGER_URL: url,
        PIXCTL_STATE_DIR: join(bench.home, host),
        PIXCTL_CONFIG_DIR: join(bench.home, `${host}-config`),
      });
      const held = bench.holdAnswer();
      const killed = bench.start(payArgs('k-1', 5_000), env('a'));
      const closed = once(killed, 'close');
      await held.arrived;
      killed.kill('SIGKILL');
      await closed;
      held.release();
      // The proxy heard the request before the service did.
      await expect.poll(() => bench.listed()).toHaveLength(1);
      const runs = await Promise.all(
        ['b', 'c', 'd', 'e'].map((host) => bench.run(payArgs('k-1', 5_000), env(host))),
      );
      for (const { code, stderr } of runs) expect([0, 75], stderr).toContain(code);
      const last = await bench.run(payArgs('k-1', 5_000), env('b'));
      expect(printed(last)).toMatchObject({ exitCode: 0, inferred: true });
      expect(bench.proxy.posts()).toHaveLength(1);
      expect(await bench.listed()).toHaveLength(1);
    });

    it('keep merchants apart by their labels, and say so where there is none', async () => {
      await using bench = await openBench();
      const env = { PIXCTL_LEDGER_URL: await server.createDatabase() };
      const nobodys = await bench.run(payArgs('rent', 5_000), env);
      expect(nobodys).toMatchObject({ code: 0, stderr: expect.stringContaining('Set PIXCTL_MERCHANT.') });
      const acme = await bench.run(payArgs('rent', 6_000), { ...env, PIXCTL_MERCHANT: 'acme' });
      expect(acme).toMatchObject({ code: 0, stderr: expect.not.stringContaining('PIXCTL_MERCHANT') });
      const again = await bench.run(payArgs('rent', 6_000), env);
      expect(again.code).toBe(85);
      expect((await bench.listed()).map(({ amount }) => amount).sort()).toEqual([5_000, 6_000]);
    });
  },
);
