import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock, timerDelay, yieldToEventLoop } from '../src/clock.ts';

afterEach(() => {
  vi.useRealTimers();
});

const day = 86_400_000;

describe('a sleep longer than a timer can take (nearly 25 days)', () => {
  it('lasts that long', async () => {
    vi.useFakeTimers();
    const woken = vi.fn();
    void systemClock.sleep(60 * day).then(woken);
    await vi.advanceTimersByTimeAsync(60 * day - 1);
    expect(woken).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(woken).toHaveBeenCalledOnce();
  });

  it('ends when it is aborted, in whichever piece, and leaves no timer', async () => {
    vi.useFakeTimers();
    const ending = new AbortController();
    const woken = vi.fn();
    void systemClock.sleep(60 * day, ending.signal).then(woken);
    await vi.advanceTimersByTimeAsync(30 * day);
    expect(woken).not.toHaveBeenCalled();
    ending.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(woken).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('caps a limit at what a timer can take', () => {
  expect([0, 30_000, 24 * day, 30 * day].map(timerDelay)).toEqual([0, 30_000, 24 * day, 2 ** 31 - 1]);
});

it('lets two turns of the event loop pass: one to take a connection, one to answer it', async () => {
  const done: string[] = [];
  setImmediate(() => {
    done.push('taken');
    setImmediate(() => done.push('answered'));
  });
  await yieldToEventLoop();
  expect(done).toEqual(['taken', 'answered']);
});
