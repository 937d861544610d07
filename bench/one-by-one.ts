/** Events sent one at a time: the next when the application has got the last and the sender has its answer. */
import { median } from './measure.ts';

export interface OneByOne {
  readonly perSecond: number;
  /** From sent to the whole event being with the application, in the median. Milliseconds. */
  readonly reachedMs: number;
}

/** Sends the event of a number, and resolves with its answer. */
export type Send = (number: number) => Promise<void>;

export async function oneByOne(
  events: number,
  send: Send,
  /** Resolves when the application has got the next event. */
  arrival: () => Promise<void>,
): Promise<OneByOne> {
  const times: number[] = [];
  const begun = performance.now();
  for (let number = 0; number < events; number++) {
    const at = performance.now();
    const arrived = arrival().then(() => times.push(performance.now() - at));
    await Promise.all([arrived, send(number)]);
  }
  return { perSecond: events / ((performance.now() - begun) / 1000), reachedMs: median(times) };
}
