/** A world with nothing but events, deliveries and jobs, on a machine clock that a test sets. */
import { sandboxClock } from '../../../src/sandbox/clock.ts';
import { deliveries } from '../../../src/sandbox/deliveries/deliveries.ts';
import { faultSet } from '../../../src/sandbox/faults/faults.ts';
import { jobRunner } from '../../../src/sandbox/jobs/runner.ts';
import { defaultSettings, type Settings } from '../../../src/sandbox/settings.ts';
import { openStore } from '../../../src/sandbox/store.ts';
import { createWorld } from '../../../src/sandbox/world.ts';

export const start = Date.parse('2026-01-02T03:04:05.000Z');
export const secret = 'whsec_test_0123456789abcdef';
export const merchant = 'mer_1';

export interface WorldOptions {
  readonly file?: string | null;
  readonly settings?: Partial<Settings>;
  readonly timeoutMs?: number;
  readonly patienceMs?: number;
}

export function deliveryWorld({ file = null, settings, timeoutMs, patienceMs }: WorldOptions = {}) {
  const machine = { now: start };
  const failures: unknown[] = [];
  const store = openStore(file);
  const world = createWorld({
    store,
    clock: sandboxClock(() => machine.now),
    settings: { ...defaultSettings, ...settings },
  });
  const faults = faultSet(() => world.clock.now());
  const sent = deliveries(world, {
    faults,
    machine: { now: () => machine.now, monotonic: () => performance.now() },
    timeoutMs,
  });
  const jobs = jobRunner(world, {
    failed: (_, error) => failures.push(error),
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
  store.run(
    `INSERT OR IGNORE INTO merchants VALUES (?, 'Loja', 'Recife', 1, NULL, 100, 1000, 1, 1000, 100, 0)`,
    merchant,
  );
  sent.recover();
  world.clock.freeze();
  jobs.start();
  return {
    world,
    machine,
    store,
    faults,
    jobs,
    failures,
    sent,
    endpoint(id: string, url: string, events: string[] = ['CHARGE_PAID']) {
      store.run(
        'INSERT INTO endpoints (id, merchant_id, url, events, secret, created_at) VALUES (?, ?, ?, ?, ?, 0)',
        id,
        merchant,
        url,
        JSON.stringify(events),
        secret,
      );
    },
    emit: (event = 'CHARGE_PAID', data: Record<string, unknown> = { id: 'chg_0001', amount: 12345 }) =>
      store.transaction(() => world.emit(merchant, event, data, world.clock.now())),
    advance: (seconds: number) => jobs.advance(seconds * 1_000),
    async [Symbol.asyncDispose]() {
      sent.close();
      await jobs.stop();
      store.close();
    },
  };
}
