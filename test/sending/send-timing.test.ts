/** How long ago a send began, on clocks that people set, machines that are started again, and other hosts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { earliestSendTime, isSendTimeUnknown, msUntilSettleTime } from '../../src/sending/send-timing.ts';
import { type Measured, measured, sentAt } from './measured.ts';

const hour = 3_600_000;
const earlierStart = { boot: 'boot-1' };
const otherHost = { host: 'there', boot: 'boot-9' };

describe('until a person may say that a send never arrived', () => {
  it.each<[string, Measured, number]>([
    ['on one clock', { byDay: 10_000, byUptime: 10_000 }, 85_000],
    ['to the end', { byDay: 95_000, byUptime: 95_000 }, 0],
    [
      'the limit of the sender counts where it was longer',
      { byDay: 10_000, byUptime: 10_000, timeoutMs: 120_000 },
      175_000,
    ],
    ['and not where it was shorter', { byDay: 10_000, byUptime: 10_000, timeoutMs: 1_000 }, 85_000],
    ['a clock that was put forward does not shorten it', { byDay: hour, byUptime: 10_000 }, 85_000],
    ['of two times the shorter one counts', { byDay: 4_000, byUptime: 10_000 }, 91_000],
    ['a clock that was set back does not lengthen it', { byDay: -hour, byUptime: 10_000 }, 85_000],
    [
      'from an earlier start of this machine, by its clock',
      { byDay: 10_000, byUptime: 0, owner: earlierStart },
      85_000,
    ],
    [
      'from an earlier start and a clock that was set back, by the time since the start',
      { byDay: -1, byUptime: -460_000, owner: earlierStart },
      55_000,
    ],
    [
      'from an earlier start, with a ledger that other hosts have too',
      { byDay: -1, byUptime: -460_000, owner: earlierStart, isLocal: false },
      95_001,
    ],
    ['from another host, by the clock', { byDay: 10_000, byUptime: 90_000, owner: otherHost }, 85_000],
    [
      'from another host, whose clock is ahead',
      { byDay: -5_000, byUptime: 90_000, owner: otherHost },
      100_000,
    ],
    ['where the uptime cannot be that of the send, by the clock', { byDay: 10_000, byUptime: -1 }, 85_000],
    [
      'where no start of the machine has a name, by the clock',
      { byDay: 10_000, byUptime: 90_000, owner: { boot: '' }, self: { boot: '' } },
      85_000,
    ],
    [
      'where the send has no event, with the own limit',
      { byDay: 10_000, byUptime: 90_000, events: [] },
      85_000,
    ],
  ])('%s', async (_, it, left) => {
    const { dependencies, intent } = measured(it);
    expect(await msUntilSettleTime(dependencies, intent)).toBe(left);
  });

  it('is never over sooner than both clocks of the machine that sent say, however somebody sets the time', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -2 * hour, max: 2 * hour }),
        fc.nat(2 * hour),
        async (byDay, byUptime) => {
          const { dependencies, intent } = measured({ byDay, byUptime });
          expect(await msUntilSettleTime(dependencies, intent)).toBeGreaterThanOrEqual(95_000 - byUptime);
        },
      ),
    ));
});

it.each<[string, Measured, number | null]>([
  ['is when it was stamped', { byDay: 10_000, byUptime: 10_000 }, sentAt],
  ['is no later where the clock was put forward', { byDay: hour, byUptime: 10_000 }, sentAt],
  [
    'is earlier by the clock that was set back since',
    { byDay: -hour, byUptime: 10_000 },
    sentAt - hour - 10_000,
  ],
  ['is the stamp of another host', { byDay: 0, byUptime: 10_000, owner: otherHost }, sentAt],
  [
    'is unknown where the stamp of another host is to come',
    { byDay: -1, byUptime: 10_000, owner: otherHost },
    null,
  ],
])('the earliest moment of a send %s', async (_, it, expected) => {
  const { dependencies, intent } = measured(it);
  expect(await earliestSendTime(dependencies, intent)).toBe(expected);
});

it.each<[string, Measured, boolean]>([
  ['another host is ahead', { byDay: -1, byUptime: 10_000, owner: otherHost }, true],
  ['another host is not ahead', { byDay: 0, byUptime: 10_000, owner: otherHost }, false],
  ['the clock was set back since, here', { byDay: -1, byUptime: 10_000 }, false],
  ['the machine was started since', { byDay: -1, byUptime: 10_000, owner: earlierStart }, false],
  [
    'the machine was started since, and its name may be that of another',
    { byDay: -1, byUptime: 10_000, owner: earlierStart, isLocal: false },
    true,
  ],
])('whether nothing tells how long ago a send was: %s', async (_, it, expected) => {
  const { dependencies, intent } = measured(it);
  expect(await isSendTimeUnknown(dependencies, intent)).toBe(expected);
});
