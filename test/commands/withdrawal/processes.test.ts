/** Several processes at once, and processes that are stopped, killed or suspended in the middle. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { noSignals, skipped } from '../../support/platform.ts';
import { type Bench, openBench, openHurriedBench, payArgs, printed } from '../../support/withdrawal-bench.ts';

/** Holds the first POST at the proxy: `arrived` resolves when it is there, `release` lets it go on. */
function holdFirstPost({ proxy }: Bench, when: 'before' | 'after') {
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  proxy.intercept = ({ method }) => {
    if (method !== 'POST' || proxy.posts().length !== 1) return null;
    arrived.resolve();
    return { kind: 'hang', when, until: release.promise };
  };
  return { arrived: arrived.promise, release: () => release.resolve() };
}

async function ended(child: ReturnType<Bench['start']>) {
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (text.stdout += chunk));
  child.stderr.on('data', (chunk) => (text.stderr += chunk));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, ...text };
}

/** Resolves once it has said that it waits for the answer. */
const toldOfInterrupt = (child: ReturnType<Bench['start']>) =>
  new Promise<void>((resolve) =>
    child.stderr.on('data', (chunk) => String(chunk).includes('Interrupted') && resolve()),
  );

/** Pays under k-1, is interrupted once while its answer is awaited, and gets it then. */
async function payInterrupted(bench: Bench, signal: 'SIGINT' | 'SIGTERM') {
  const hold = holdFirstPost(bench, 'after');
  const child = bench.start(payArgs('k-1', 1_050));
  const end = ended(child);
  await hold.arrived;
  const warned = toldOfInterrupt(child);
  child.kill(signal);
  await warned;
  hold.release();
  return end;
}

describe('processes at once', () => {
  it('eight with one key send it once', async () => {
    await using bench = await openBench();
    const runs = await Promise.all(Array.from({ length: 8 }, () => bench.pay('k-1', 1_050)));
    for (const { code } of runs) expect([0, 75]).toContain(code);
    expect((await bench.pay('k-1', 1_050)).code).toBe(0);
    expect(bench.proxy.posts()).toHaveLength(1);
    expect(await bench.listed()).toHaveLength(1);
  });

  it('eight with eight keys, each waiting its turn, send each once', async () => {
    await using bench = await openBench();
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, n) => bench.pay(`k-${n}`, 1_000 + n, '--if-busy', 'wait')),
    );
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect((await bench.listed()).map(({ amount }) => amount).sort()).toEqual([
      1_000, 1_001, 1_002, 1_003, 1_004, 1_005, 1_006, 1_007,
    ]);
  });

  it('nobody is asked for a word about a request that may still leave', async () => {
    await using bench = await openBench();
    const hold = holdFirstPost(bench, 'before');
    const end = ended(bench.start(payArgs('k-1', 1_050)));
    await hold.arrived;
    // Without a terminal and --yes, the question itself would be refused (64).
    const word = await bench.run(['withdrawal', 'resolve', 'k-1', '--not-sent']);
    expect(word.stderr).toContain('It is being sent by another process');
    expect(word.code).toBe(75);
    hold.release();
    expect((await end).code).toBe(0);
  });

  it('one that finds another in flight ends with 75, quietly with --if-busy skip', async () => {
    await using bench = await openBench({ withdrawals: 'manual' });
    expect((await bench.pay('k-1', 1_050)).code).toBe(0);
    const failed = await bench.pay('k-2', 1_060, '--quiet');
    expect(failed.code).toBe(75);
    expect(JSON.parse(failed.stderr).error).toMatchObject({
      code: 'BUSY',
      message: expect.stringContaining('No money moved.'),
      hint: 'Run again later, or wait for it with --if-busy wait.',
    });
    const skipped = await bench.pay('k-2', 1_060, '--if-busy', 'skip', '--quiet');
    expect(skipped).toMatchObject({ code: 75, stderr: '' });
    expect(printed(skipped)).toMatchObject({ state: 'NOT_SENT', code: 'BUSY', exitCode: 75 });
    expect(bench.proxy.posts()).toHaveLength(1);
  });
});

it('--if-busy skip keeps quiet about another one in flight, and about nothing else', async () => {
  await using bench = await openBench();
  bench.sandbox.setMerchant({ withdrawalsEnabled: false });
  const refused = await bench.pay('k-1', 1_050, '--if-busy', 'skip', '--quiet');
  expect(refused.code).toBe(77);
  expect(refused.stderr).toContain('No money moved.');
});

describe('a process that ends in the middle', () => {
  it('killed while its request is on its way: the next run finds the withdrawal', async () => {
    await using bench = await openBench({ withdrawals: 'manual' });
    const hold = holdFirstPost(bench, 'after');
    const child = bench.start(payArgs('k-1', 1_050));
    await hold.arrived;
    child.kill('SIGKILL');
    await once(child, 'close');
    hold.release();
    // The proxy heard the request before the service did.
    await expect.poll(() => bench.listed()).toHaveLength(1);
    const rerun = await bench.pay('k-1', 1_050);
    expect(rerun.code).toBe(0);
    expect(printed(rerun)).toMatchObject({ state: 'ACCEPTED', inferred: true });
    expect(bench.proxy.posts()).toHaveLength(1);
    expect(await bench.listed()).toHaveLength(1);
  });

  it('blocks other keys until its outcome is known', async () => {
    await using bench = await openBench();
    const hold = holdFirstPost(bench, 'before');
    const child = bench.start(payArgs('k-1', 1_050));
    await hold.arrived;
    child.kill('SIGKILL');
    await once(child, 'close');
    const other = await bench.pay('k-2', 1_060);
    expect(other.code).toBe(84);
    expect(other.stderr).toContain('withdrawal reconcile k-1');
    const status = await bench.run(['withdrawal', 'status', 'k-1', '--json']);
    expect(status.code).toBe(81);
    expect(printed(status)).toMatchObject({ state: 'UNKNOWN', moneyMoved: 'maybe' });
    const early = await bench.run(['withdrawal', 'resolve', 'k-1', '--not-sent', '--yes']);
    expect(early.code).toBe(75);
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it('killed while its request is on its way: status says what a rerun would, not that it is being sent', async () => {
    await using bench = await openBench();
    const hold = holdFirstPost(bench, 'before');
    const child = bench.start(payArgs('k-1', 1_050));
    await hold.arrived;
    const status = () => bench.run(['withdrawal', 'status', 'k-1', '--json']);
    const meanwhile = await status();
    expect([meanwhile.code, printed(meanwhile)?.code]).toEqual([75, 'BUSY']);
    child.kill('SIGKILL');
    await once(child, 'close');
    const afterwards = await status();
    expect(afterwards.code).toBe(81);
    expect(printed(afterwards)).toMatchObject({
      state: 'UNKNOWN',
      reason: 'OWNER_GONE',
      moneyMoved: 'maybe',
    });
    expect(afterwards.stderr).not.toContain('being sent');
    expect((await bench.pay('k-1', 1_050)).code).toBe(81);
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it.skipIf(noSignals !== null)(
    skipped('interrupted once, hears the answer, records it and tells it', noSignals),
    async () => {
      await using bench = await openBench();
      const { code, stdout } = await payInterrupted(bench, 'SIGINT');
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ state: 'ACCEPTED', inferred: false });
      expect(await bench.listed()).toHaveLength(1);
    },
  );

  it.skipIf(noSignals !== null)(
    skipped('interrupted once, and refused: the list that must agree is read all the same', noSignals),
    async () => {
      await using bench = await openBench({ merchant: { available: 0 } });
      const { code, stdout } = await payInterrupted(bench, 'SIGTERM');
      expect(code).toBe(80);
      expect(JSON.parse(stdout)).toMatchObject({ state: 'REFUSED', moneyMoved: 'no' });
      expect((await bench.pay('k-1', 1_050)).code).toBe(80);
    },
  );

  it.skipIf(noSignals !== null)(
    skipped('interrupted once while that list is read, says that it waits', noSignals),
    async () => {
      await using bench = await openHurriedBench({ merchant: { available: 0 } });
      const warned = Promise.withResolvers<void>();
      bench.proxy.intercept = ({ method }) => {
        if (method === 'POST' || bench.proxy.posts().length === 0) return null;
        child.kill('SIGTERM');
        return { kind: 'hang', when: 'before', until: warned.promise };
      };
      const child = bench.start(payArgs('k-1', 1_050));
      const end = ended(child);
      await toldOfInterrupt(child);
      bench.proxy.intercept = () => null;
      warned.resolve();
      const { code, stdout } = await end;
      expect(code).toBe(80);
      expect(JSON.parse(stdout)).toMatchObject({ state: 'REFUSED', moneyMoved: 'no' });
    },
  );

  it.skipIf(noSignals !== null)(
    skipped('interrupted twice, is gone at once, and the next run finds out', noSignals),
    async () => {
      await using bench = await openBench();
      const hold = holdFirstPost(bench, 'after');
      const child = bench.start(payArgs('k-1', 1_050));
      const end = ended(child);
      await hold.arrived;
      const warned = toldOfInterrupt(child);
      child.kill('SIGINT');
      await warned;
      child.kill('SIGINT');
      const { code, stdout, stderr } = await end;
      // Not by the signal: a shell would say 130, which is "nothing was sent".
      expect(code).toBe(81);
      expect(stdout).toBe('');
      expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toEqual({
        error: {
          code: 'OUTCOME_UNKNOWN',
          message:
            'Stopped at once by a second SIGINT, before the outcome was known: what was sent may have taken effect.',
          hint: 'Run the same command again, with the same idempotency key or file: it finds out what happened, and never sends twice.',
          exitCode: 81,
        },
      });
      hold.release();
      await expect.poll(() => bench.listed()).toHaveLength(1);
      const rerun = await bench.pay('k-1', 1_050);
      expect(rerun.code).toBe(0);
      expect(bench.proxy.posts()).toHaveLength(1);
      expect(await bench.listed()).toHaveLength(1);
    },
  );

  it.skipIf(noSignals !== null).each([
    ['its money went', false],
    ['an earlier run sent it', true],
  ] as const)(
    skipped('interrupted twice after %s does not end as if nothing had been sent', noSignals),
    async (_, isSent) => {
      await using bench = await openBench();
      if (isSent) expect((await bench.pay('k-1', 1_050)).code).toBe(0);
      const ledger = join(bench.home, 'state/ledger.sqlite');
      let holder: DatabaseSync | null = null;
      // Once the end is read, it cannot be written down: the run is at it for 20 s.
      bench.proxy.intercept = ({ method, path }) => {
        if (method !== 'GET' || !/^\/withdrawals\/\w/.test(path) || holder !== null) return null;
        holder = new DatabaseSync(ledger);
        holder.exec('BEGIN IMMEDIATE');
        return null;
      };
      const child = bench.start(payArgs('k-1', 1_050, '--wait'));
      const end = ended(child);
      await new Promise<void>((resolve) =>
        child.stderr.on('data', (chunk) => String(chunk).includes('COMPLETED') && resolve()),
      );
      child.kill('SIGINT');
      // Two at once would be one.
      const status = () => readFileSync(`/proc/${child.pid}/status`, 'utf8');
      await expect.poll(status).toMatch(/^ShdPnd:\s+0+$/m);
      child.kill('SIGINT');
      const { code, signal } = await end;
      (holder as DatabaseSync | null)?.close();
      expect([code, signal]).toEqual([81, null]);
      expect((await bench.pay('k-1', 1_050, '--wait')).code).toBe(0);
      expect(bench.proxy.posts()).toHaveLength(1);
    },
  );

  it('whose reader has gone away still records the outcome', async () => {
    await using bench = await openBench();
    const hold = holdFirstPost(bench, 'after');
    const child = bench.start(payArgs('k-1', 1_050));
    const closed = once(child, 'close');
    await hold.arrived;
    child.stdout.destroy();
    child.stderr.destroy();
    hold.release();
    expect((await closed)[0]).toBe(0);
    const status = await bench.run(['withdrawal', 'status', 'k-1', '--json']);
    expect(printed(status)).toMatchObject({ inferred: false });
    expect(['ACCEPTED', 'COMPLETED']).toContain(printed(status)?.state);
  });
});

describe('processes suspended for longer than the guard', () => {
  it.skipIf(noSignals !== null)(
    skipped('between the list and the send, or later: each key is paid once', noSignals),
    async () => {
      const suspended = await Promise.all(
        [0, 3, 6, 10, 15, 25].map(async (delayMs) => {
          const bench = await openBench();
          const { proxy } = bench;
          const child = bench.start(payArgs('k-1', 1_050, '--timeout', '5s'));
          const end = ended(child);
          const stopped = Promise.withResolvers<void>();
          let isAsked = false;
          proxy.intercept = ({ method }) => {
            if (method === 'GET' && !isAsked) {
              isAsked = true;
              setTimeout(() => {
                child.kill('SIGSTOP');
                stopped.resolve();
              }, delayMs);
            }
            return null;
          };
          await stopped.promise;
          await new Promise((resolve) => setTimeout(resolve, 6_000));
          child.kill('SIGCONT');
          const { code } = await end;
          proxy.intercept = () => null;
          const rerun = await bench.pay('k-1', 1_050);
          return { bench, code, rerun };
        }),
      );
      for (const { bench, code, rerun } of suspended) {
        expect([0, 75, 81]).toContain(code);
        expect(rerun.code).toBe(0);
        expect(bench.proxy.posts()).toHaveLength(1);
        expect(await bench.listed()).toHaveLength(1);
        await bench[Symbol.asyncDispose]();
      }
    },
  );
});
