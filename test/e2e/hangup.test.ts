/** What comes from outside while a run asks or waits: its terminal goes away, SIGUSR1. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { converse, hangUp } from '../support/converse.ts';
import { noPty, skipped } from '../support/platform.ts';
import { emptyHome, hurried, start } from '../support/run.ts';
import { openBench, payArgs } from '../support/withdrawal-bench.ts';

/** Where one sees that a signal has been taken. */
const hasProc = existsSync('/proc/self/status');
const nobody = { PIXCTL_BASE_URL: 'http://127.0.0.1:9', PIXCTL_API_KEY: 'svc_test' };

describe.skipIf(noPty !== null)(skipped('a terminal that goes away', noPty), () => {
  it.each([
    ['an amount', ['charge', 'create'], nobody, 'Amount'],
    ['a masked key', ['login', '--base-url', 'http://127.0.0.1:9'], {}, 'API key'],
  ])('ends a question for %s with 143', async (_title, args, env, asked) => {
    const ended = await converse(args, [[asked, hangUp]], { home: emptyHome(), env });
    expect(ended).toMatchObject({ code: 143, signal: 0 });
  });

  it.runIf(hasProc)(
    'does not cut off a withdrawal in flight, also when the shell tells of it too',
    async () => {
      await using bench = await openBench();
      const hold = bench.holdAnswer();
      const go = async (terminal: Parameters<typeof hangUp>[0]) => {
        await hold.arrived;
        hangUp(terminal);
        const status = () => readFileSync(`/proc/${terminal.pid}/status`, 'utf8');
        await expect.poll(status).toMatch(/^ShdPnd:\s+0+$/m);
        process.kill(terminal.pid, 'SIGHUP');
        await expect.poll(status).toMatch(/^ShdPnd:\s+0+$/m);
        hold.release();
      };
      const args = ['withdraw', '--amount', '1050', '--to', 'maria@example.com', '--yes'];
      const ended = await converse(
        [...args, '--idempotency-key', 'k-1'],
        [['10,50', (it) => void go(it)]],
        bench,
      );
      expect(ended).toMatchObject({ code: 0, signal: 0 });
      const status = await bench.run(['withdrawal', 'status', 'k-1', '--json']);
      expect(JSON.parse(status.stdout)).toMatchObject({ moneyMoved: 'yes', state: 'COMPLETED' });
      expect(bench.proxy.posts()).toHaveLength(1);
    },
  );
});

describe.skipIf(process.platform === 'win32')('a run that has told how it ended', () => {
  const keepSending = (child: ReturnType<typeof start>, name: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null && child.kill(name))
      setImmediate(keepSending, child, name);
  };
  const endOf = (child: ReturnType<typeof start>) =>
    new Promise((resolve) => child.once('exit', (...how) => resolve(how)));

  it('ends like that, however often SIGHUP comes', async () => {
    for (let round = 0; round < 3; round++) {
      const child = start(['withdrawal', 'status', 'k-1'], { home: emptyHome(), env: nobody });
      const ended = endOf(child);
      await new Promise((resolve) => child.stderr.once('data', resolve));
      keepSending(child, 'SIGHUP');
      expect(await ended).toEqual([88, null]);
    }
  });

  it('after a first SIGINT ends like that also after a second', async () => {
    await using bench = await openBench();
    const args = payArgs('k-1', 1050);
    bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
    expect((await bench.run(args, hurried)).code).toBe(81);
    for (let round = 0; round < 5; round++) {
      const child = bench.start(args);
      const ended = endOf(child);
      let said = '';
      child.stderr.on('data', (text: Buffer) => {
        if (said === '') child.kill('SIGINT');
        said += text.toString();
        if (said.includes('OUTCOME_UNKNOWN')) keepSending(child, 'SIGINT');
      });
      expect(await ended).toEqual([81, null]);
    }
  });
});

it.runIf(hasProc)('SIGUSR1 opens no debugger', async () => {
  const child = start(['sandbox', 'start', '--no-profile', '-o', 'json'], { home: emptyHome() });
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const code = new Promise((resolve) => child.once('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGUSR1');
  const status = () => readFileSync(`/proc/${child.pid}/status`, 'utf8');
  await expect.poll(status).toMatch(/^ShdPnd:\s+0+$/m);
  child.kill('SIGTERM');
  expect(await code).toBe(0);
  expect(stderr).not.toMatch(/debugger|inspector/i);
});
