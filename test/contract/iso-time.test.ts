import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseIsoTime } from '../../src/contract/iso-time.ts';

beforeEach(() => {
  vi.stubEnv('TZ', 'Asia/Kathmandu');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const meant = Date.UTC(2026, 0, 2, 3, 4, 5, 123);

it.each([
  ['2026-01-02T03:04:05.123Z', meant],
  ['2026-01-02T03:04:05.123456Z', meant],
  ['2026-01-02T00:04:05.123-03:00', meant],
  ['2026-01-02T03:04:05.123', meant],
  ['2026-01-02 03:04:05.123456', meant],
  ['2026-01-02 00:04:05.123 -0300', meant],
  ['2026-01-02 00:04:05.123-03', meant],
  ['2026-01-02 03:04:05.123456+00', meant],
  ['2026-01-02t03:04:05.123z', meant],
  ['2026-01-02', Date.UTC(2026, 0, 2)],
  ['05/12/2026 10:00', Number.NaN],
  ['2026-1-2 03:04:05', Number.NaN],
  ['Jan 2 2026 03:04', Number.NaN],
  ['2026-02-30T99:00', Number.NaN],
  ['2026-01-02T03:04:05.123Z or later', Number.NaN],
  ['2026-01-02 or later', Number.NaN],
  ['on 2026-01-02', Number.NaN],
  ['soon', Number.NaN],
  [null, Number.NaN],
  [undefined, Number.NaN],
  [1_767_323_045, Number.NaN],
])('%s is that moment in every time zone', (value, ms) => {
  expect(new Date(meant).getTimezoneOffset()).toBe(-345);
  expect(parseIsoTime(value)).toBe(ms);
});
