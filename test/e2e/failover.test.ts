/** The shared ledger's server dies and its replica takes over, with and without the last commits. */
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts';
import { type Replica, startReplica } from '../support/replica.ts';
import { openBench, payArgs, printed } from '../support/withdrawal-bench.ts';

describe.skipIf(postgresMissing !== null)(
  `a failover${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`,
  () => {
    let primary: Postgres;
    let replica: Replica;
    let url: string;
    const servers = async () => {
      primary = await startPostgres();
      url = await primary.createDatabase();
      replica = await startReplica(url);
    };
    afterEach(async () => {
      await replica.stop();
      await primary.stop();
    });
    const on = (ledger: string) => ({ PIXCTL_LEDGER_URL: ledger, PIXCTL_MERCHANT: 'acme' });

    it('to a synchronous replica in mid-flight loses nothing: the next run finds the withdrawal', async () => {
      await servers();
      primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'replica'");
      primary.sql('SELECT pg_reload_conf()');
      await using bench = await openBench();
      expect((await bench.run(payArgs('k-0', 4_000), on(url))).code).toBe(0);
      const held = bench.holdAnswer();
      const child = bench.start(payArgs('k-1', 5_000), on(url));
      let stderr = '';
      child.stdout.resume();
      child.stderr.on('data', (chunk) => (stderr += chunk));
      const closed = once(child, 'close');
      await held.arrived;
      await primary.crash();
      replica.promote();
      held.release();
      // It has its answer and nowhere to write it.
      expect([(await closed)[0], stderr]).toEqual([81, expect.stringContaining('keep this line')]);
      const again = await bench.run(payArgs('k-1', 5_000), on(replica.over(url)));
      expect(printed(again)).toMatchObject({ exitCode: 0, inferred: true });
      expect(bench.proxy.posts()).toHaveLength(2);
      expect(await bench.listed()).toHaveLength(2);
    });

    it('to an asynchronous replica that missed a payment: it is not paid again, and the audit shows it', async () => {
      await servers();
      await using bench = await openBench();
      expect((await bench.run(payArgs('k-0', 4_000), on(url))).code).toBe(0);
      const accepted = "SELECT count(*) FROM ledger_intents WHERE state IN ('ACCEPTED', 'COMPLETED')";
      await expect.poll(() => replica.sql(accepted, replica.over(url))).toBe('1');
      // A standby may be behind: nothing is told from one, not even what only needs reading.
      const early = await bench.run(['withdrawal', 'status', 'k-0'], on(replica.over(url)));
      expect([early.code, early.stderr]).toEqual([74, expect.stringContaining('is read-only')]);
      await replica.crash();
      expect((await bench.run(payArgs('k-1', 5_000), on(url))).code).toBe(0);
      await primary.crash();
      await replica.start();
      replica.promote();
      const again = await bench.run(payArgs('k-1', 5_000), on(replica.over(url)));
      expect([again.code, printed(again)?.moneyMoved], again.stderr).toEqual([86, 'maybe']);
      const audit = await bench.run(['withdrawal', 'audit', '--json'], on(replica.over(url)));
      expect([audit.code, audit.stdout]).toEqual([86, expect.stringContaining('UNCLAIMED')]);
      expect(bench.proxy.posts()).toHaveLength(2);
      expect(await bench.listed()).toHaveLength(2);
    });
  },
);
