/** Begins what waits in the lanes: to each address a bounded number at once, and one only while a crowd arrives. */
import type { Owed } from '../store.ts';
import type { Lane, Lanes } from './lanes.ts';

export interface PumpOptions {
  readonly lanes: Lanes;
  /** To each address. */
  readonly concurrency: number;
  readonly carry: (lane: Lane, owed: Owed) => Promise<void>;
  /** A lane is nearly empty, while the store has more. */
  readonly onDry: (lane: Lane) => Promise<void>;
  readonly onTrouble: (cause: unknown) => void;
}

export interface Pump {
  accepts(): boolean;
  /** Begins of a lane what has a place. */
  pump(lane: Lane): void;
  /** The next one goes as soon as this one has its answer; the outcomes of several are then written together. */
  inPlace<T>(lane: Lane, work: () => Promise<T>): Promise<T>;
  /** A delivery waits for its answer until it is `stored`, or could not be: a crowd of them goes first. */
  arrived(): void;
  stored(): void;
  /** Begins nothing more of what waits here; the store has it. */
  close(): void;
  /** What was begun by now has ended. */
  ended(): Promise<unknown>;
}

/** So many deliveries that wait at once are a crowd. Meanwhile events are forwarded one at a time to each address. */
const crowd = 16;
/**
 * So many outcomes of a lane may wait to be written. With more, forwarding would take time from answering deliveries,
 * which comes first.
 */
const company = 10;

/** Begins nothing by itself: it is told of a lane that got something, and goes on from there. */
export function createPump({ lanes, concurrency, carry, onDry, onTrouble }: PumpOptions): Pump {
  let accepting = true;
  let arriving = 0;

  function pump(lane: Lane): void {
    const most = Math.max(concurrency, company);
    const atOnce = arriving < crowd ? concurrency : 1;
    while (accepting && lane.busy < atOnce && lane.active.size < most) {
      const owed = lane.ready.shift();
      if (owed === undefined) return;
      const run: Promise<void> = carry(lane, owed)
        .catch(onTrouble)
        .finally(() => {
          lane.active.delete(run);
          pump(lane);
          if (lanes.runsDry(lane)) onDry(lane).catch(onTrouble);
        });
      lane.active.add(run);
    }
  }

  return {
    accepts: () => accepting,
    pump,
    async inPlace(lane, work) {
      lane.busy += 1;
      try {
        return await work();
      } finally {
        lane.busy -= 1;
        pump(lane);
      }
    },
    arrived() {
      arriving += 1;
    },
    stored() {
      arriving -= 1;
      if (arriving === crowd - 1) for (const lane of lanes.all()) pump(lane);
    },
    close() {
      accepting = false;
    },
    ended: () => Promise.all(lanes.all().flatMap((lane) => [...lane.active])),
  };
}
