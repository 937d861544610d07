/** Puts together the events and deliveries of one world. */
import type { Clock } from '../../clock.ts';
import { webhookLimits } from '../../contract/webhook.ts';
import type { Faults } from '../faults/faults.ts';
import type { World } from '../world/world.ts';
import { type Delivery, type DeliveryFilter, listDeliveries } from './delivery-list.ts';
import { createDeliveryEngine, deliveryJob } from './engine.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { fanOut } from './fan-out.ts';
import { type ReplayMode, replay, replayEdited } from './replay.ts';

export interface Deliveries {
  readonly events: EventLog;
  /** Newest first, each with its attempts. */
  list(filter?: DeliveryFilter): Delivery[];
  /** Sends a delivery again. Null: there is none with this number. `unsigned`: see `replay.ts`. */
  replay(delivery: number, how: ReplayMode): Delivery | null | 'unsigned';
  /**
   * Delivers another event of the same name, with this JSON, to its endpoint. Returns that event's id, or null if there
   * is no such delivery.
   */
  replayEdited(delivery: number, data: string): string | null;
  /** Takes up what a killed sandbox left. Call it before jobs run, and after a state was restored. */
  recover(): void;
  /** Ends attempts under way, because the caller is about to forget their records. */
  abandon(): void;
  /** Ends attempts under way. The next start takes them up. */
  close(): void;
}

interface DeliveriesOptions {
  readonly faults: Faults;
  readonly machine: Pick<Clock, 'now' | 'monotonic'>;
  /** Bound on an attempt, real milliseconds: 10 seconds (document: "Retry policy") unless a test wants less. */
  readonly timeoutMs?: number | undefined;
  /** Told why the end of an attempt could not be written. It is written as soon as possible. */
  readonly failed: (error: unknown) => void;
}

export function createDeliveries(
  world: World,
  { faults, machine, timeoutMs, failed }: DeliveriesOptions,
): Deliveries {
  let underWay = new AbortController();
  const events = createEventLog(world.store);
  const engine = createDeliveryEngine(world, {
    faults,
    machine,
    timeoutMs: timeoutMs ?? webhookLimits.timeoutMs,
    signal: () => underWay.signal,
    failed,
  });
  world.handlers.set(deliveryJob, engine.handler);
  world.onEvent = (event, seq) => {
    fanOut(world, faults, event, seq);
    world.store.afterCommit(events.wake);
  };
  return {
    events,
    list: (filter) => listDeliveries(world.store, filter),
    replay(delivery, how) {
      const made = replay(world, delivery, how);
      if (typeof made !== 'number') return made;
      return listDeliveries(world.store, { before: made + 1, limit: 1 })[0] ?? null;
    },
    replayEdited(delivery, data) {
      const id = replayEdited(world, delivery, data);
      events.wake();
      return id;
    },
    recover: engine.recover,
    abandon() {
      underWay.abort();
      underWay = new AbortController();
    },
    close: () => underWay.abort(),
  };
}
