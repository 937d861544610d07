/**
 * What goes to one address is a lane, so that an application that hangs or is down uses up only its own places in
 * memory and its own posts under way.
 */
import type { Targets } from '../posting/targets.ts';
import type { OwedEvent } from '../store.ts';

export interface Lane {
  readonly url: string;
  /** Claimed and waiting to be sent. */
  readonly ready: OwedEvent[];
  readonly active: Set<Promise<void>>;
  /** Posts under way plus outcomes that could not be written. Posts begin only while it is below `concurrency`. */
  busy: number;
  /** Whether the store had more than there was room for. */
  hasMore: boolean;
}

export interface Lanes {
  all(): readonly Lane[];
  /** Returns the lane of an event, by its name or by an address of its own (a replay). */
  of(event: string, target: string | null): Lane;
  /** Returns how many more events may be claimed; none for an application that is down. */
  remainingCapacity(lane: Lane): number;
  /** Whether it is nearly empty while the store has more. */
  isRunningLow(lane: Lane): boolean;
}

/** How many events one lane holds in memory, with their bodies. */
export const laneCapacity = 256;

export function createLanes(targets: Targets, isDown: (url: string) => boolean): Lanes {
  const lanes = new Map(targets.all.map((url) => [url, newLane(url)]));
  const room = ({ url, ready }: Lane) => (isDown(url) ? 0 : laneCapacity - ready.length);
  return {
    all: () => [...lanes.values()],
    of(event, target) {
      const url = target ?? targets.forEvent(event);
      if (url === null) throw new TypeError(`${event} goes nowhere in this run and must not be claimed`);
      const known = lanes.get(url);
      if (known !== undefined) return known;
      const lane = newLane(url);
      lanes.set(url, lane);
      return lane;
    },
    remainingCapacity: room,
    isRunningLow: (lane) => lane.hasMore && lane.ready.length < laneCapacity / 4 && room(lane) > 0,
  };
}

const newLane = (url: string): Lane => ({ url, ready: [], active: new Set(), busy: 0, hasMore: false });
