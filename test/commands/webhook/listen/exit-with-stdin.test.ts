/** `pixctl webhook listen --exit-with-stdin`: a listener that never outlives the program that started it. */
import { afterEach, describe, expect, it } from 'vitest';
import { deliver, eventBody } from '../../../support/delivery.ts';
import { freePort } from '../../../support/free-port.ts';
import { homeWithSecret, type Listening, listen } from '../../../support/listen.ts';
import { noSignals } from '../../../support/platform.ts';
import { run } from '../../../support/run.ts';

let running: Listening[] = [];
afterEach(() => {
  for (const { child } of running) child.kill('SIGKILL');
  running = [];
});
const started = async (...args: readonly string[]) => {
  const home = homeWithSecret();
  const flags = ['--port', '0', '--secret-file', `${home}/secret`, '--exit-with-stdin'];
  const it = await listen(home, [...flags, ...args]);
  running.push(it);
  return it;
};

describe('pixctl webhook listen --exit-with-stdin', () => {
  it('listens while stdin is open, tells all that came, and says why it stops', async () => {
    const listener = await started();
    listener.child.stdin?.write('what comes is not read as anything\n');
    await deliver(listener.url, eventBody('evt_1', 'CHARGE_PAID'));
    listener.child.stdin?.end();
    expect(await listener.exited).toBe(0);
    expect(listener.lines.map(({ type, id }) => id ?? type)).toEqual(['ready', 'evt_1']);
    expect(listener.stderr()).toMatch(/^stdin has ended, so the listener stops\.$/m);
  });

  it('says what is still owed to an application', async () => {
    const listener = await started('--forward-to', String(await freePort()));
    await deliver(listener.url, eventBody('evt_1', 'CHARGE_PAID'));
    await listener.line(({ type }) => type === 'event');
    listener.child.stdin?.end();
    expect(await listener.exited).toBe(0);
    expect(listener.stderr()).toContain('Stopped: 1 event stored and not yet accepted by your application');
  });

  it('ends with 82 if it waited for more events', async () => {
    const listener = await started('--exit-after', '2');
    await deliver(listener.url, eventBody('evt_1', 'CHARGE_PAID'));
    listener.child.stdin?.end();
    expect(await listener.exited).toBe(82);
    expect(listener.stderr()).toContain('1 of 2 events had come when stdin ended');
  });

  it('says nothing of stdin where all that it waited for has come', async () => {
    const listener = await started('--exit-after', '1');
    await deliver(listener.url, eventBody('evt_1', 'CHARGE_PAID'));
    expect(await listener.exited).toBe(0);
    expect(listener.stderr()).not.toContain('stdin');
  });

  it.skipIf(noSignals !== null)('ends at a signal while stdin is still open', async () => {
    const listener = await started();
    expect(await listener.stop('SIGTERM')).toBe(143);
    expect(listener.stderr()).not.toContain('stdin');
  });

  it.each([['--secret-stdin'], ['--secret-file', '-'], ['--secret-file', '/dev/stdin']])(
    'is refused with a secret from stdin, which it would have to read to its end: %s %s',
    async (...secret) => {
      const { code, stderr } = await run(['webhook', 'listen', '--exit-with-stdin', ...secret]);
      expect([code, stderr]).toEqual([
        64,
        expect.stringContaining('--exit-with-stdin cannot be given with a secret from stdin'),
      ]);
    },
  );
});
