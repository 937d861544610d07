import { expect, it } from 'vitest';
import { Countdown, formatDuration, Moment } from '../../src/page/moment.tsx';

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1.0 s'],
  [1_550, '1.6 s'],
  [59_999, '60.0 s'],
  [60_000, '1 min'],
  [3_599_999, '60 min'],
  [3_600_000, '1 h'],
  [172_799_999, '48 h'],
  [172_800_000, '2 d'],
])('%i milliseconds are said as %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});

it.each([
  [2_000, 'in 2.0 s'],
  [1, 'in 1 ms'],
  [0, 'now'],
  [-1, 'now'],
])('what is due %i milliseconds from now is counted down as "%s"', (left, words) => {
  expect(String(Countdown({ until: 86_400_000 + left, now: 86_400_000 }))).toContain(`>${words}</time>`);
});

it('a moment is shown in UTC to the second, and whole where somebody points at it', () => {
  expect(String(Moment({ at: Date.UTC(2026, 0, 2, 3, 4, 5, 678) }))).toBe(
    '<time datetime="2026-01-02T03:04:05.678Z" title="2026-01-02T03:04:05.678Z">2026-01-02 03:04:05</time>',
  );
});
