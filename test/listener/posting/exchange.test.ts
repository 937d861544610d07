import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { runExchange } from '../../../src/listener/posting/exchange.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('an exchange with a longer limit than a timer can wait is not given up at once', async () => {
  vi.useFakeTimers();
  const ended = vi.fn();
  const carried = { reached: () => true, begun: () => false, leave: () => {} };
  void runExchange(systemClock, { timeoutMs: 30 * 86_400_000 }, () => carried).then(ended);
  await vi.advanceTimersByTimeAsync(2 ** 31 - 2);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalledOnce();
});
