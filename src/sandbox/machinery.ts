/** What makes a world go: its faults, its deliveries, and the runner of everything due. */
import type { Clock } from '../clock.ts';
import { createDeliveries, type Deliveries } from './deliveries/deliveries.ts';
import { createFaults, type Faults } from './faults/faults.ts';
import { createJobRunner, type JobRunner } from './jobs/runner.ts';
import { restoreSnapshot, takeSnapshot } from './world/snapshot.ts';
import type { World } from './world/world.ts';

export interface Machinery {
  readonly world: World;
  readonly faults: Faults;
  readonly deliveries: Deliveries;
  readonly jobs: JobRunner;
  /** Returns the world as bytes: a state that a sandbox can be started from. */
  snapshot(): Uint8Array;
  /**
   * Replaces the world. Throws `dataError` (65) for bytes that are no snapshot; nothing has changed then.
   * @param replaced called before anything happens in the new one
   */
  restore(bytes: Uint8Array, replaced?: () => void): Promise<void>;
  /** Ends what is under way; the next start takes it up. The store stays open. */
  close(): Promise<void>;
}

interface MachineryOptions {
  readonly machine: Pick<Clock, 'now' | 'monotonic'>;
  /** Bound on a delivery attempt, real milliseconds; 10 seconds unless a test wants less. */
  readonly deliveryTimeoutMs?: number | undefined;
  /** Longest wait of an advance of the clock. Real milliseconds. */
  readonly patienceMs?: number | undefined;
  /** Told about a job whose handler threw (a bug of ours), and about what could not be written or read. */
  readonly failed: (error: unknown) => void;
}

/** Takes up what an earlier run left, and starts. Handlers of other jobs may be registered before or after. */
export function startMachinery(
  world: World,
  { machine, deliveryTimeoutMs, patienceMs, failed }: MachineryOptions,
): Machinery {
  const faults = createFaults(() => world.clock.now());
  const deliveries = createDeliveries(world, { faults, machine, timeoutMs: deliveryTimeoutMs, failed });
  const jobs = createJobRunner(world, { failed, patienceMs });
  deliveries.recover();
  jobs.start();
  return {
    world,
    faults,
    deliveries,
    jobs,
    snapshot: () => takeSnapshot(world),
    restore: (bytes, replaced) =>
      jobs.pause(() => {
        restoreSnapshot(world, bytes);
        deliveries.recover();
        replaced?.();
        deliveries.events.notifyReplaced();
      }),
    async close() {
      deliveries.close();
      await jobs.stop();
    },
  };
}
