/** Sends events one at a time: the next once the application has the last one and the sender has its answer. */
import { median } from './measure.ts';

export interface OneByOneResult {
  readonly perSecond: number;
  /** Median time from sent until the application has the whole event. Milliseconds. */
  readonly reachedMs: number;
}

/** Sends the event with this number, and resolves with its answer. */
export type Send = (number: number) => Promise<void>;

export async function measureOneByOne(
  events: number,
  send: Send,
  /** Resolves when the application has the next event. */
  arrival: () => Promise<void>,
): Promise<OneByOneResult> {
  const times: number[] = [];
  const begun = performance.now();
  for (let number = 0; number < events; number++) {
    const at = performance.now();
    const arrived = arrival().then(() => times.push(performance.now() - at));
    await Promise.all([arrived, send(number)]);
  }
  return { perSecond: events / ((performance.now() - begun) / 1000), reachedMs: median(times) };
}
