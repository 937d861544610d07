/** Tunnels as real programs, whose addresses tell their pids: which of them is left, whatever they do. */
import { expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.ts';
import {
  type KeptTunnel,
  type KeptTunnelOptions,
  keepTunnel,
} from '../../../src/listener/tunnel/keep-tunnel.ts';
import type { TunnelPlan } from '../../../src/listener/tunnel/plan.ts';
import { startTunnel } from '../../../src/listener/tunnel/start-tunnel.ts';
import { noShell, skipped } from '../../support/platform.ts';

const address = 'echo http://127.0.0.1:$$';
const running = 'exec sleep 1000';
const plan = (script: string): TunnelPlan => ({
  ...{ program: 'sh', args: ['-c', script], allowedVariables: /^$/, address: null, install: '' },
  readAddress: (line) => (line.startsWith('http') ? line : null),
});
const environment = { PATH: process.env.PATH };
/** Waits no time at all for that many milliseconds. */
const hasty = (...hurried: number[]): Clock => ({
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(hurried.includes(ms) ? 0 : ms, signal),
});
const signal = new AbortController().signal;
const pidOf = (at: string): number => Number(at.replace('http://127.0.0.1:', ''));
const isGone = (pid: number): boolean => {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
};

/** Kept up, the first one having ended by itself; `leadsHere` judges those after it. */
async function keptAfterTheFirst(leadsHere: (at: string, tunnel: KeptTunnel) => Promise<boolean>) {
  const back = Promise.withResolvers<string>();
  const others: number[] = [];
  const endings: string[] = [];
  const options: KeptTunnelOptions = {
    ...{ plan: () => plan(`${address}; ${running}`), environment, clock: hasty(1_000, 2_000, 4_000), signal },
    onEnded: (last) => endings.push(last),
    onBack: back.resolve,
    leadsHere(at) {
      others.push(pidOf(at));
      return leadsHere(at, tunnel);
    },
  };
  const tunnel = await keepTunnel(options);
  process.kill(pidOf(tunnel.address), 'SIGKILL');
  return { tunnel, others, endings, back: back.promise };
}

it.skipIf(noShell !== null)(
  skipped(
    'goes on from one that leads elsewhere and one that ends while it is looked at, and leaves neither behind',
    noShell,
  ),
  async () => {
    const { tunnel, others, endings, back } = await keptAfterTheFirst(async (at) => {
      if (others.length === 1) return false;
      if (others.length > 2) return true;
      process.kill(pidOf(at), 'SIGKILL');
      return new Promise(() => {});
    });
    expect(pidOf(await back)).toBe(others[2]);
    expect(others.map(isGone)).toEqual([true, true, false]);
    await tunnel.stop();
    expect(others.map(isGone)).toEqual([true, true, true]);
    // Only the one that was in use, and not by being stopped.
    expect(endings).toEqual([tunnel.address]);
  },
);

it.skipIf(noShell !== null).each([
  ['comes back and does not stay is asked for less and less often', 59_999, [1_000, 2_000, 4_000, 8_000]],
  ['has stayed for a minute is asked for again at once', 60_000, [1_000, 1_000, 1_000, 1_000]],
])('that %s', async (_, stayedMs, pauses) => {
  const paused: number[] = [];
  const enough = Promise.withResolvers<void>();
  let now = 0;
  const clock: Clock = {
    ...systemClock,
    monotonic: () => (now += stayedMs),
    async sleep(ms, until) {
      if (ms === 45_000 || ms === 500) return systemClock.sleep(ms, until);
      if (paused.push(ms) < pauses.length) return;
      enough.resolve();
      await systemClock.sleep(2 ** 40, until);
    },
  };
  const told = { onEnded: () => {}, onBack: () => {}, leadsHere: async () => true };
  const tunnel = await keepTunnel({ ...told, plan: () => plan(address), environment, signal, clock });
  await enough.promise;
  expect(paused).toEqual(pauses);
  await tunnel.stop();
});

it.skipIf(noShell !== null)(
  skipped('that comes back as it is stopped is not left behind', noShell),
  async () => {
    const stopped = Promise.withResolvers<void>();
    const { others } = await keptAfterTheFirst(async (_, tunnel) => {
      stopped.resolve(tunnel.stop());
      return true;
    });
    await stopped.promise;
    expect(others.map(isGone)).toEqual([true]);
  },
);

it.skipIf(noShell !== null)(
  skipped('is stopped also while the next one comes up, which tells no address', noShell),
  async () => {
    const asked: (string | null)[] = [];
    const second = Promise.withResolvers<void>();
    const forEver = 2 ** 40;
    const tunnel = await keepTunnel({
      ...{ environment, signal, onEnded: () => {}, onBack: () => {}, leadsHere: async () => true },
      clock: {
        ...systemClock,
        sleep: (ms, signal) =>
          systemClock.sleep(ms === 1_000 ? 0 : ms === 45_000 && asked.length > 1 ? forEver : ms, signal),
      },
      plan(before) {
        if (asked.push(before) > 1) second.resolve();
        return plan(`${before === null ? address : ':'}; ${running}`);
      },
    });
    process.kill(pidOf(tunnel.address), 'SIGKILL');
    await second.promise;
    await tunnel.stop();
    expect(asked).toEqual([null, tunnel.address]);
  },
);

it.skipIf(noShell !== null)(skipped('is not started again once it is stopped', noShell), async () => {
  const asked: (string | null)[] = [];
  const ended = Promise.withResolvers<string>();
  const tunnel = await keepTunnel({
    ...{ environment, signal, onEnded: ended.resolve, onBack: () => {}, leadsHere: async () => true },
    clock: systemClock,
    plan(before) {
      asked.push(before);
      return plan(`${address}; ${running}`);
    },
  });
  process.kill(pidOf(tunnel.address), 'SIGKILL');
  await ended.promise;
  await tunnel.stop();
  expect(asked).toEqual([null]);
});

it.skipIf(noShell !== null)(
  skipped('is told to end, and no timer goes on after it, which would keep our program from ending', noShell),
  async () => {
    let timers = 0;
    const clock: Clock = {
      ...systemClock,
      async sleep(ms, until) {
        timers += 1;
        await systemClock.sleep(ms, until);
        timers -= 1;
      },
    };
    const script = `trap "echo told; exit" TERM; ${address}; while :; do sleep 0.01; done`;
    const tunnel = await startTunnel({ plan: plan(script), environment, clock, signal });
    await tunnel.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect([await tunnel.ended, timers]).toEqual([expect.stringContaining('told'), 0]);
  },
);

it.skipIf(noShell !== null)(
  skipped('is killed where it does not end when it is told to', noShell),
  async () => {
    const options = { plan: plan(`trap "" TERM; ${address}; ${running}`), environment, clock: hasty(2_000) };
    const tunnel = await startTunnel({ ...options, signal });
    await tunnel.stop();
    expect(isGone(pidOf(tunnel.address))).toBe(true);
  },
);

it.skipIf(noShell !== null)(
  skipped('that is given up before it has told its address is not left behind', noShell),
  async () => {
    let pid = 0;
    const told = {
      ...plan(`echo $$; ${running}`),
      readAddress(line: string) {
        pid = Number(line);
        return null;
      },
    };
    const gaveUp = new AbortController();
    const started = startTunnel({ plan: told, environment, clock: systemClock, signal: gaveUp.signal });
    await expect.poll(() => pid).toBeGreaterThan(0);
    gaveUp.abort();
    await expect(started).rejects.toThrow('it gave no public address within 45 s');
    expect(isGone(pid)).toBe(true);
  },
);

it.skipIf(noShell !== null)(
  skipped('names, where it did not start, the command that a shell reads as it was', noShell),
  async () => {
    const started = startTunnel({ plan: plan('echo no; exit 3'), environment, clock: systemClock, signal });
    await expect(started).rejects.toMatchObject({
      hint: expect.stringContaining("Run sh -c 'echo no; exit 3' by hand"),
    });
  },
);
