/**
 * Starts what waits in the lanes: a bounded number at once to each address, and only one during a rush of deliveries.
 */
import type { OwedEvent } from '../store.ts';
import type { Lane, Lanes } from './lanes.ts';

export interface PumpOptions {
  readonly lanes: Lanes;
  /** Forwards at once to each address. */
  readonly concurrency: number;
  readonly processEvent: (lane: Lane, owed: OwedEvent) => Promise<void>;
  /** Called when a lane is nearly empty while the store has more. */
  readonly onRunningLow: (lane: Lane) => Promise<void>;
  readonly onTrouble: (cause: unknown) => void;
}

export interface Pump {
  accepts(): boolean;
  /** Starts what a lane has a place for. */
  pump(lane: Lane): void;
  /**
   * Runs `work` in a place of the lane. The place is free again at the answer, so several outcomes are written
   * together.
   */
  runInSlot<T>(lane: Lane, work: () => Promise<T>): Promise<T>;
  /** Counts a delivery that waits for its answer, until `deliveryFinished`. A rush of them goes first. */
  deliveryStarted(): void;
  deliveryFinished(): void;
  /** Starts nothing more of what waits here; the store has it. */
  close(): void;
  /** Resolves once everything started so far has ended. */
  waitUntilIdle(): Promise<unknown>;
}

/** How many deliveries waiting at once make a rush. During one, events are forwarded one at a time to each address. */
const rushThreshold = 16;
/**
 * How many outcomes of a lane may wait to be written. With more, forwarding would take time from answering deliveries,
 * which comes first.
 */
const maxUnwrittenOutcomes = 10;

/** Makes a pump. It starts nothing by itself: it is told of a lane that got something, and goes on from there. */
export function createPump({ lanes, concurrency, processEvent, onRunningLow, onTrouble }: PumpOptions): Pump {
  let accepting = true;
  let arriving = 0;

  function pump(lane: Lane): void {
    const most = Math.max(concurrency, maxUnwrittenOutcomes);
    const atOnce = arriving < rushThreshold ? concurrency : 1;
    while (accepting && lane.busy < atOnce && lane.active.size < most) {
      const owed = lane.ready.shift();
      if (owed === undefined) return;
      const run: Promise<void> = processEvent(lane, owed)
        .catch(onTrouble)
        .finally(() => {
          lane.active.delete(run);
          pump(lane);
          if (lanes.isRunningLow(lane)) onRunningLow(lane).catch(onTrouble);
        });
      lane.active.add(run);
    }
  }

  return {
    accepts: () => accepting,
    pump,
    async runInSlot(lane, work) {
      lane.busy += 1;
      try {
        return await work();
      } finally {
        lane.busy -= 1;
        pump(lane);
      }
    },
    deliveryStarted() {
      arriving += 1;
    },
    deliveryFinished() {
      arriving -= 1;
      if (arriving === rushThreshold - 1) for (const lane of lanes.all()) pump(lane);
    },
    close() {
      accepting = false;
    },
    waitUntilIdle: () => Promise.all(lanes.all().flatMap((lane) => [...lane.active])),
  };
}
