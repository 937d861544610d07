import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMoment, parsePeriod } from '../../src/flags/moment.ts';
import { wallTimeAt } from '../../src/flags/time-zone.ts';

describe('moments', () => {
  const now = Date.UTC(2026, 0, 2, 12);
  const here = { now, zone: null };
  const local = (...at: [number, number, number, number?, number?, number?]) => new Date(...at).getTime();

  it.each([
    ['2h', Date.UTC(2026, 0, 2, 10)],
    ['90', now - 90_000],
    ['2026-01-02', local(2026, 0, 2)],
    ['today', local(2026, 0, 2)],
    ['Yesterday', local(2026, 0, 1)],
    ['2025-12', local(2025, 11, 1)],
    ['2026-01-02T03:04:05', local(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02 03:04:05', local(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02 03:04', local(2026, 0, 2, 3, 4)],
    ['2026-01-02 03:04-03:00', Date.UTC(2026, 0, 2, 6, 4)],
    ['2026-01-02T03:04:05-03:00', Date.UTC(2026, 0, 2, 6, 4, 5)],
    ['2026-01-02T03:04Z', Date.UTC(2026, 0, 2, 3, 4)],
    // As `date +%FT%T%z` and PostgreSQL write it.
    ['2026-01-02T03:04:05-0300', Date.UTC(2026, 0, 2, 6, 4, 5)],
    ['2026-01-02 03:04:05.5+0530', Date.UTC(2026, 0, 1, 21, 34, 5, 500)],
    ['2026-01-02 03:04:05-03', Date.UTC(2026, 0, 2, 6, 4, 5)],
  ])('%s', (text, moment) => {
    expect(parseMoment('--since', text, here)).toBe(moment);
  });

  it('a day ends with its last millisecond', () => {
    expect(parseMoment('--until', '2026-01-02', here, 'end')).toBe(local(2026, 0, 3) - 1);
  });

  it.each([
    ...['', 'now', '2026', '2026-13-01', '2026-02-30', '1.5h', '02/01/2026', '2026-01-02  03:04'],
    ...['2026-13', '2026-00', '2026-1', '2026-01-', '2026-01-1', ' today', 'todays', 'tomorrow'],
    ...['2026-01 10:00', '2026-01T10:00Z', '2026-01-02 03', '2026-01-02t03:04'],
    ...['2026-02-30T12:00Z', '2026-02-31T23:59:59', '2026-04-31T23:59:59-03:00', '2026-01-02T25:00Z'],
  ])('%j is none', (text) => {
    expect(() => parseMoment('--since', text, here)).toThrow(
      `--since: "${text}" is not a moment. Nothing was sent.`,
    );
  });

  it.each(['2026-01-02 25:00', '2026-01-02T12:60', '2026-01-02 23:59:60', '2026-01-02 24:01', '2026-13'])(
    '%j is none in a named zone either',
    (text) => {
      expect(() => parseMoment('--since', text, { now, zone: 'America/Sao_Paulo' })).toThrow(
        `--since: "${text}" is not a moment. Nothing was sent.`,
      );
    },
  );

  it.each([
    '2026-01-02T03:04:05-3',
    '2026-01-02T03:04:05-030',
    '2026-01-02T03:04:05 -0300',
    '2026-01-02-0300',
  ])('%j has no zone, and is none', (text) => {
    expect(() => parseMoment('--since', text, here)).toThrow('is not a moment');
  });

  it('what clocks show at an instant is read as that instant, or the other one at which they show it', () => {
    const zones = fc.constantFrom(
      ...['America/Sao_Paulo', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Asia/Kathmandu'],
      ...['Africa/Cairo', 'America/St_Johns', 'Pacific/Apia', 'UTC'],
    );
    const seconds = fc.integer({ min: Date.UTC(1970, 0, 1) / 1000, max: Date.UTC(2099, 11, 31) / 1000 });
    fc.assert(
      fc.property(seconds, zones, (second, zone) => {
        const at = second * 1000;
        const shown = new Date(wallTimeAt(at, zone)).toISOString().slice(0, 19);
        const read = parseMoment('--since', shown, { now, zone });
        expect(wallTimeAt(read, zone)).toBe(wallTimeAt(at, zone));
        expect(read).toBeLessThanOrEqual(at);
        expect(at - read).toBeLessThanOrEqual(3 * 3_600_000);
      }),
    );
  });

  it.each(['1795367154', '1795367154000', '20260102'])(
    '%j is none, rather than so many seconds ago',
    (text) => {
      expect(() => parseMoment('--since', text, here)).toThrow(
        `--since: "${text}" is not a moment. Nothing was sent.`,
      );
      expect(parseMoment('--since', '9999999', here)).toBe(now - 9_999_999_000);
      expect(parseMoment('--since', '10000000s', here)).toBe(now - 10_000_000_000);
    },
  );

  it.each([
    ['2026-11-23', 'America/Sao_Paulo', '2026-11-23T03:00:00.000Z', '2026-11-24T02:59:59.999Z'],
    ['2026-11-23', 'UTC', '2026-11-23T00:00:00.000Z', '2026-11-23T23:59:59.999Z'],
    ['2026-11-23', 'Asia/Tokyo', '2026-11-22T15:00:00.000Z', '2026-11-23T14:59:59.999Z'],
    // Of 23 hours, and of 25.
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z'],
    ['2026-11-01T12:00', 'America/New_York', '2026-11-01T17:00:00.000Z', '2026-11-01T17:00:00.000Z'],
    ['2026-11-01T12:00Z', 'America/New_York', '2026-11-01T12:00:00.000Z', '2026-11-01T12:00:00.000Z'],
    ['2026-11-01 12:00', 'America/New_York', '2026-11-01T17:00:00.000Z', '2026-11-01T17:00:00.000Z'],
    ['2026-02', 'America/Sao_Paulo', '2026-02-01T03:00:00.000Z', '2026-03-01T02:59:59.999Z'],
    ['2024-02', 'UTC', '2024-02-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    ['2026-12', 'UTC', '2026-12-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
    ['2026-04', 'Asia/Tokyo', '2026-03-31T15:00:00.000Z', '2026-04-30T14:59:59.999Z'],
    ['9999-12', 'UTC', '9999-12-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    // From the clocks before a change to those after it.
    ['2026-03', 'America/New_York', '2026-03-01T05:00:00.000Z', '2026-04-01T03:59:59.999Z'],
  ])('%s in %s is from %s to %s', (text, zone, since, until) => {
    expect(parsePeriod({ since: text, until: text }, { now, zone })).toEqual({
      since: Date.parse(since),
      until: Date.parse(until),
    });
  });

  it.each([
    // Still the first of January there, and already the third.
    ['2026-01-02T02:59:59.999Z', 'America/Sao_Paulo', '2026-01-01T03:00:00.000Z', '2025-12-31T03:00:00.000Z'],
    ['2026-01-02T03:00:00.000Z', 'America/Sao_Paulo', '2026-01-02T03:00:00.000Z', '2026-01-01T03:00:00.000Z'],
    ['2026-01-02T15:00:00.000Z', 'Asia/Tokyo', '2026-01-02T15:00:00.000Z', '2026-01-01T15:00:00.000Z'],
    // The day after one of 23 hours, and a day of 25 in its last one.
    ['2026-03-09T12:00:00.000Z', 'America/New_York', '2026-03-09T04:00:00.000Z', '2026-03-08T05:00:00.000Z'],
    ['2026-11-02T04:59:59.000Z', 'America/New_York', '2026-11-01T04:00:00.000Z', '2026-10-31T04:00:00.000Z'],
  ])('at %s in %s, today begins at %s and yesterday at %s', (at, zone, today, yesterday) => {
    const reference = { now: Date.parse(at), zone };
    expect(parseMoment('--since', 'today', reference)).toBe(Date.parse(today));
    expect(parseMoment('--since', 'yesterday', reference)).toBe(Date.parse(yesterday));
    expect(parseMoment('--until', 'yesterday', reference, 'end')).toBe(Date.parse(today) - 1);
  });

  it('a period that ends before it begins is refused', () => {
    expect(() => parsePeriod({ since: '2026-02-01', until: '2026-01-31' }, here)).toThrow(
      '--since 2026-02-01 is after --until 2026-01-31: nothing can match. Nothing was sent.',
    );
    expect(parsePeriod({ since: '2026-01-31', until: '2026-01-31' }, here)).toEqual({
      since: local(2026, 0, 31),
      until: local(2026, 1, 1) - 1,
    });
  });
});
