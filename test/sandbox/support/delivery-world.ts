/** A world with nothing but events, deliveries and jobs, on a machine clock that a test sets. */
import { systemClock } from '../../../src/clock.ts';
import { startMachinery } from '../../../src/sandbox/machinery.ts';
import { openStore } from '../../../src/sandbox/store/store.ts';
import { defaultSettings, type Settings } from '../../../src/sandbox/world/settings.ts';
import { openStoredClock } from '../../../src/sandbox/world/stored-clock.ts';
import { createWorld } from '../../../src/sandbox/world/world.ts';

export const start = Date.parse('2026-01-02T03:04:05.000Z');
export const secret = 'whsec_test_0123456789abcdef';
export const merchant = 'mer_1';

export interface WorldOptions {
  /** Where an endpoint wh_1 for CHARGE_PAID receives. */
  readonly to?: string;
  readonly file?: string | null;
  readonly settings?: Partial<Settings>;
  readonly timeoutMs?: number | undefined;
  readonly patienceMs?: number;
  /** Runs on the machine's own clock. */
  readonly real?: boolean;
}

export function deliveryWorld(options: WorldOptions = {}) {
  const { to, file = null, settings, timeoutMs, patienceMs, real } = options;
  const machine = { now: start };
  const machineNow = real ? systemClock.now : () => machine.now;
  const failures: unknown[] = [];
  const store = openStore(file);
  const world = createWorld({
    store,
    clock: openStoredClock(store, machineNow),
    settings: { ...defaultSettings, ...settings },
  });
  store.run(
    `INSERT OR IGNORE INTO merchants VALUES (?, 'Loja', 'Recife', 1, NULL, 100, 1000, 1, 1000, 100, 0)`,
    merchant,
  );
  if (!real) world.clock.freeze();
  const machinery = startMachinery(world, {
    machine: { now: machineNow, monotonic: systemClock.monotonic },
    deliveryTimeoutMs: timeoutMs,
    patienceMs,
    failed: (error) => failures.push(error),
  });
  const { faults, jobs, deliveries: sent } = machinery;
  const endpoint = (id: string, url: string, events: string[] = ['CHARGE_PAID']) => {
    store.run(
      'INSERT INTO endpoints (id, merchant_id, url, events, secret, created_at) VALUES (?, ?, ?, ?, ?, 0)',
      id,
      merchant,
      url,
      JSON.stringify(events),
      secret,
    );
  };
  if (to !== undefined) endpoint('wh_1', to);
  return {
    world,
    machine,
    store,
    faults,
    jobs,
    failures,
    sent,
    machinery,
    endpoint,
    emit: (event = 'CHARGE_PAID', data: Record<string, unknown> = { id: 'chg_0001', amount: 12345 }) =>
      store.transaction(() => world.emit(merchant, event, data)),
    advance: (seconds: number) => jobs.advance(seconds * 1_000),
    async [Symbol.asyncDispose]() {
      await machinery.close();
      store.close();
    },
  };
}
