/**
 * Senders that cannot see each other: containers of one machine that share a state directory through a
 * volume have one boot id and pids of their own. Held before the first byte, suspended, killed, called off.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ageSends } from '../../support/age-ledger.ts';
import { noBootId, noSignals, skipped } from '../../support/platform.ts';
import { cleanEnvironment, programPath } from '../../support/run.ts';
import { slowHandshake } from '../../support/slow-handshake.ts';
import { type Bench, openBench, payArgs, printed } from '../../support/withdrawal-bench.ts';

/** Why there are no pid namespaces, for a visible skip; null when there are. */
const missing = (() => {
  try {
    execFileSync('unshare', ['--pid', '--fork', '--mount-proc', '--kill-child', 'true'], { stdio: 'ignore' });
    execFileSync('pgrep', ['-V'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'this user may not make a pid namespace, or there is no pgrep';
  }
})();

/** Starts the program in a pid namespace of its own, as pid 1; `signal` reaches the program itself. */
function startInContainer(bench: Bench, args: readonly string[], env: Record<string, string>) {
  const words = ['--pid', '--fork', '--mount-proc', '--kill-child', process.execPath, programPath(), ...args];
  const child = spawn('unshare', words, { env: cleanEnvironment(bench.home, { ...bench.env, ...env }) });
  const closed = once(child, 'close');
  let stderr = '';
  child.stdout.resume();
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const signal = (name: string) => {
    const inside = execFileSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' }).trim();
    execFileSync('kill', [`-${name}`, inside]);
  };
  return { closed: closed.then(([code]) => ({ code, stderr })), signal };
}

const age = ({ home }: Bench, seconds: number) => ageSends(join(home, 'state/ledger.sqlite'), seconds);

/** A bench whose POST is held before its first byte: SENDING is on the disk, the departure is not marked. */
async function heldBench() {
  const bench = await openBench();
  const front = await slowHandshake(bench.proxy.url);
  return {
    bench,
    front,
    env: { ...front.env, PIXCTL_BASE_URL: front.url },
    pay: () => bench.run(payArgs('k-1', 1_050), { ...front.env, PIXCTL_BASE_URL: front.url }),
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

describe('a process of this machine, before its first byte', () => {
  it.skipIf(noBootId !== null)(
    skipped('killed: the next run knows that nothing left, and sends', noBootId),
    async () => {
      await using held = await heldBench();
      const arrived = held.front.hold(1);
      const child = held.bench.start(payArgs('k-1', 1_050), held.env);
      await arrived;
      child.kill('SIGKILL');
      await once(child, 'close');
      for (const key of ['k-1', 'k-2']) {
        const rehearsed = await held.bench.run([...payArgs(key, 1_050), '--dry-run'], held.env);
        expect(rehearsed).toMatchObject({ code: 0 });
        expect(printed(rehearsed)).toMatchObject({ code: 'WOULD_SEND', state: 'NOT_SENT', moneyMoved: 'no' });
      }
      expect(await held.pay()).toMatchObject({ code: 0 });
      expect(held.bench.proxy.posts()).toHaveLength(1);
    },
  );

  it.skipIf(noSignals !== null)(
    skipped('suspended: the next run waits for it, and it goes on when it is woken in time', noSignals),
    async () => {
      await using held = await heldBench();
      const arrived = held.front.hold(1);
      const child = held.bench.start(payArgs('k-1', 1_050), held.env);
      const closed = once(child, 'close');
      await arrived;
      child.kill('SIGSTOP');
      const other = await held.pay();
      expect(other).toMatchObject({
        code: 75,
        stderr: expect.stringContaining('being sent by another process;'),
      });
      expect(held.bench.proxy.posts()).toHaveLength(0);
      held.front.release();
      child.kill('SIGCONT');
      expect((await closed)[0]).toBe(0);
      expect(held.bench.proxy.posts()).toHaveLength(1);
    },
  );

  it.skipIf(noSignals !== null)(
    skipped('suspended for longer than it may take to leave: what it had begun does not leave', noSignals),
    async () => {
      await using held = await heldBench();
      const arrived = held.front.hold(1);
      // Longer than the pause, so that it is not the limit of the exchange that ends this send.
      const child = held.bench.start([...payArgs('k-1', 1_050), '--timeout', '7s'], held.env);
      const closed = once(child, 'close');
      await arrived;
      child.kill('SIGSTOP');
      await sleep(5_500);
      held.front.release();
      child.kill('SIGCONT');
      expect((await closed)[0]).toBe(0);
      const status = printed(await held.bench.run(['withdrawal', 'status', 'k-1', '--json'], held.env));
      expect((status?.events as object[] | undefined)?.slice(0, 4)).toMatchObject(
        ['planned', 'sending', 'not-sent', 'sending'].map((what) => ({ what })),
      );
      expect(held.bench.proxy.posts()).toHaveLength(1);
    },
  );
});

describe.skipIf(missing !== null)(
  `containers that share a state directory${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    it('do not take one another for gone: 75, and until when', async () => {
      await using held = await heldBench();
      const arrived = held.front.hold(1);
      const inside = startInContainer(held.bench, payArgs('k-1', 1_050), held.env);
      await arrived;
      const outside = await held.pay();
      expect(outside.code).toBe(75);
      expect(outside.stderr).toContain('on another host or in another container');
      expect(printed(outside)).toMatchObject({ state: 'SENDING', moneyMoved: 'maybe' });
      held.front.release();
      expect((await inside.closed).code).toBe(0);
      expect(held.bench.proxy.posts()).toHaveLength(1);
    });

    it('one suspended before its first byte and called off by another cannot send when it wakes', async () => {
      await using held = await heldBench();
      const arrived = held.front.hold(1);
      const inside = startInContainer(held.bench, payArgs('k-1', 1_050), held.env);
      await arrived;
      inside.signal('STOP');
      age(held.bench, 66);
      expect(await held.pay()).toMatchObject({ code: 0 });
      expect(held.bench.proxy.posts()).toHaveLength(1);
      held.front.release();
      inside.signal('CONT');
      // It finds its send called off, looks again, and tells what the other one did.
      expect(await inside.closed).toMatchObject({ code: 0 });
      expect(held.bench.proxy.posts()).toHaveLength(1);
      expect(await held.bench.listed()).toHaveLength(1);
    });

    it('one killed with its request on its way is found by another, from the list', async () => {
      await using bench = await openBench();
      const held = bench.holdAnswer();
      const inside = startInContainer(bench, payArgs('k-1', 1_050), {});
      await held.arrived;
      inside.signal('KILL');
      await inside.closed;
      held.release();
      await expect.poll(() => bench.listed()).toHaveLength(1);
      expect((await bench.pay('k-1', 1_050)).code).toBe(75);
      age(bench, 66);
      const found = await bench.pay('k-1', 1_050);
      expect(printed(found)).toMatchObject({ exitCode: 0, inferred: true });
      expect(bench.proxy.posts()).toHaveLength(1);
    });
  },
);
