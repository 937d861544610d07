/** How long ago a refusal certainly was: how soon a refused order may be sent again hangs on it. */
import { expect, it } from 'vitest';
import { msSinceRefusal, refusalDetails } from '../../src/sending/refusal-timing.ts';
import { type Measured, measured, self, sentAt } from './measured.ts';

const refused = (details: Record<string, unknown>) => [
  { what: 'refused', at: 0, details: { boot: self.boot, uptimeMs: 0 } },
  { what: 'sending', at: sentAt, details: {} },
  { what: 'refused', at: sentAt, details },
  { what: 'note', at: sentAt + 3_600_000, details: {} },
];
const here = refused({ boot: self.boot, uptimeMs: 500_000 });

it.each<[string, Measured, number]>([
  ['on one clock', { byDay: 10_000, byUptime: 10_000, events: here }, 10_000],
  ['the clock was put forward', { byDay: 3_600_000, byUptime: 10_000, events: here }, 10_000],
  ['the clock was set back a little', { byDay: 4_000, byUptime: 10_000, events: here }, 4_000],
  ['the clock was set back beyond it', { byDay: -1, byUptime: 10_000, events: here }, 10_000],
  ['the uptime is no longer that one', { byDay: -1, byUptime: -1, events: here }, 0],
  [
    'another host, whose clock may be ahead',
    { byDay: 40_000, byUptime: 90_000, events: refused({ boot: 'boot-9', uptimeMs: 500_000 }) },
    10_000,
  ],
  [
    'another host, too shortly ago to tell',
    { byDay: 29_999, byUptime: 90_000, events: refused({ boot: 'boot-9', uptimeMs: 500_000 }) },
    0,
  ],
  [
    'no start of the machine has a name',
    { byDay: 40_000, byUptime: 90_000, events: refused({ boot: '', uptimeMs: 500_000 }), self: { boot: '' } },
    10_000,
  ],
  ['an older build kept no uptime', { byDay: 40_000, byUptime: 90_000, events: refused({}) }, 10_000],
  ['no event tells, so that of the intent', { byDay: 41_000, byUptime: 90_000, events: [] }, 10_000],
])('%s', async (_, it, expected) => {
  const { dependencies, intent } = measured(it);
  expect(await msSinceRefusal(dependencies, intent)).toBe(expected);
});

it('is recorded with what tells it later', () => {
  expect(refusalDetails(measured({ byDay: 0, byUptime: 10_000 }).dependencies)).toEqual({
    boot: 'boot-2',
    uptimeMs: 510_000,
  });
});
