/** How many connections there may be; what becomes of them is tested with the listener that they come to. */
import { expect, it } from 'vitest';
import { connectionLimitsFor } from '../../src/plain/connection-limiter.ts';

it.each([
  [1_000, 1_000, 900],
  [496.5, 496, 446],
  [8, 8, 7],
  [-20, 8, 7],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
])('for at most %s: %s, and strangers make room from %s on', (most, maxConnections, evictionThreshold) => {
  expect(connectionLimitsFor(most)).toMatchObject({ maxConnections, evictionThreshold });
});
