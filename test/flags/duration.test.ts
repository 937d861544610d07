import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../src/flags/duration.ts';

describe('durations', () => {
  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['30d', 2_592_000_000],
    ['45', 45_000],
    ['0', 0],
    [' 5s ', 5_000],
  ])('%j is %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', 's', '1.5h', '-5s', '5 s', '1h30m', '5w', '5S', '٥s', '1e3', 'Infinity', '99999999999s'])(
    '%j is refused, with the rule',
    (text) => {
      expect(() => parseDuration(text)).toThrow(/is not a duration\. Nothing was sent\./);
    },
  );
});
