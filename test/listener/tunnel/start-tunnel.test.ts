/** Tunnels as real programs: what each gives as its address, and why one did not start. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.ts';
import type { TunnelPlan } from '../../../src/listener/tunnel/plan.ts';
import { startTunnel, tunnelEnvironment } from '../../../src/listener/tunnel/start-tunnel.ts';
import { onWindows } from '../../support/platform.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const signal = new AbortController().signal;
const plan = (script: string, more: Partial<TunnelPlan> = {}): TunnelPlan => ({
  ...{
    program: 'sh',
    args: ['-c', script],
    allowedVariables: /^OWN_/,
    address: null,
    install: 'Install it.',
  },
  readAddress: (line) => /\S+:\/\/\S+/.exec(line)?.[0] ?? null,
  ...more,
});
const start = (of: TunnelPlan, onMoved: (address: string) => void = () => {}, clock: Clock = systemClock) =>
  startTunnel({ plan: of, environment: { PATH: process.env.PATH }, clock, signal, onMoved });

describe.skipIf(onWindows)('a tunnel', () => {
  it.each([
    ['stdout', ''],
    ['stderr', ' >&2'],
  ])('has the address that its program shows first on %s, and tells each other one', async (_, to) => {
    const lines = ['starting', 'http://a.example', 'http://a.example', '\\033[1mhttps://b.example\\033[0m'];
    const moved = Promise.withResolvers<void>();
    const others: string[] = [];
    const tunnel = await start(plan(`printf '${lines.join('\\n')}\\n'${to}; exec sleep 1000`), (address) => {
      others.push(address);
      moved.resolve();
    });
    await moved.promise;
    await tunnel.stop();
    expect([tunnel.address, others]).toEqual(['http://a.example', ['https://b.example']]);
    expect(await tunnel.ended).toBe('starting / http://a.example / http://a.example / https://b.example');
  });

  it('has the address that was known before', async () => {
    const tunnel = await start(plan('exec sleep 1000', { address: 'http://known.example:80' }));
    expect(tunnel.address).toBe('http://known.example:80');
    await tunnel.stop();
    expect(await tunnel.ended).toBe('it ended with SIGTERM');
  });

  it('that gives no address in its time is stopped', async () => {
    const clock: Clock = { ...systemClock, sleep: (ms, at) => systemClock.sleep(ms === 45_000 ? 0 : ms, at) };
    await expect(start(plan('exec sleep 1000'), undefined, clock)).rejects.toMatchObject({
      exit: 75,
      message: 'The sh tunnel did not start: it gave no public address within 45 s',
    });
  });

  it.each([
    ['echo tcp://a.example:1; exec sleep 1000', 'it gave tcp://a.example:1, where no deliveries can be sent'],
    ['echo no account; exit 3', 'no account'],
    ['exit 3', 'it ended with 3'],
    ['printf "1\\n2\\n3\\n4\\n5\\n6\\n"', '2 / 3 / 4 / 5 / 6'],
  ])('whose program does %j did not start', async (script, why) => {
    await expect(start(plan(script))).rejects.toMatchObject({
      exit: 75,
      message: `The sh tunnel did not start: ${why}`,
      hint: expect.stringContaining('Run sh -c '),
    });
  });

  it('sees nothing of what this process was given', async () => {
    vi.stubEnv('PIXCTL_API_KEY', 'svc_x');
    await expect(start(plan('echo "key:$PIXCTL_API_KEY."; exit 3'))).rejects.toMatchObject({
      message: 'The sh tunnel did not start: key:.',
    });
  });

  it.each([
    ['stdout', '2>/dev/null'],
    ['stderr', '>/dev/null'],
  ])('is over with its program, though one that this left behind holds its %s', async (_, other) => {
    const left = Promise.withResolvers<number>();
    const readAddress = (line: string) => {
      left.resolve(Number(line));
      return null;
    };
    // Its last words have come by then.
    const sleep: Clock['sleep'] = async (ms, at) =>
      ms === 500 ? void (await left.promise) : systemClock.sleep(ms, at);
    const of = plan(`sleep 1000 ${other} & echo $! >&2; exit 3`, { readAddress });
    const started = start(of, undefined, { ...systemClock, sleep });
    const pid = await left.promise;
    await expect(started).rejects.toMatchObject({ message: `The sh tunnel did not start: ${pid}` });
    expect(process.kill(pid, 'SIGKILL')).toBe(true);
  });

  it.each([
    ['pixctl-no-such-program', 'is not on PATH'],
    [process.cwd(), 'cannot be run (it is not executable, or a directory in PATH is not accessible)'],
  ])('whose program cannot be started says why: %s', async (program, why) => {
    await expect(start(plan('', { program }))).rejects.toMatchObject({
      exit: 78,
      code: 'NO_TUNNEL_PROGRAM',
      message: `The program ${program} ${why}, so no tunnel was started.`,
      hint: 'Install it. Or give the address of your own tunnel as --public-url.',
    });
  });
});

it('a tunnel program sees what is harmless and its own settings, nothing of ours', () => {
  const environment = {
    ...{ PATH: '/bin', LC_ALL: 'C', https_proxy: 'http://p', SYSTEMROOT: 'C:\\Windows', OWN_TOKEN: 't' },
    ...{
      PIXCTL_API_KEY: 'svc_x',
      PIXCTL_WEBHOOK_SECRET: 'whsec_x',
      AWS_SECRET: 's',
      OTHER_OWN_: 'o',
      HOME: undefined,
    },
  };
  expect(tunnelEnvironment(environment, /^OWN_/)).toEqual({
    ...{ PATH: '/bin', LC_ALL: 'C', https_proxy: 'http://p', SYSTEMROOT: 'C:\\Windows', OWN_TOKEN: 't' },
  });
});
