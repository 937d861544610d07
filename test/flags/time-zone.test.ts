import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantOf } from '../../src/flags/time-zone.ts';

const wall = (text: string) => Date.parse(`${text}Z`);

describe('the instant at which clocks show a time', () => {
  it.each([
    ['America/New_York', '2026-03-08T01:59:59', '2026-03-08T06:59:59.000Z'],
    ['America/New_York', '2026-03-08T03:00', '2026-03-08T07:00:00.000Z'],
    ['America/New_York', '2026-11-01T02:00', '2026-11-01T07:00:00.000Z'],
    ['Asia/Kolkata', '2026-01-01T00:00:00.250', '2025-12-31T18:30:00.250Z'],
  ])('in %s, %s', (zone, shown, instant) => {
    expect(new Date(instantOf(wall(shown), zone)).toISOString()).toBe(instant);
  });

  it('is the first of two, where an hour comes again', () => {
    expect(instantOf(wall('2026-11-01T01:30'), 'America/New_York')).toBe(Date.parse('2026-11-01T05:30Z'));
    expect(instantOf(wall('2025-11-02T00:00'), 'America/Havana')).toBe(Date.parse('2025-11-02T04:00Z'));
  });

  it('is the first after it, where the clocks skip midnight itself', () => {
    expect(instantOf(wall('2018-11-04T00:00'), 'America/Sao_Paulo')).toBe(Date.parse('2018-11-04T03:00Z'));
  });

  it.each(['2026-01-31T00:00', '2026-03-08T02:30', '2026-07-01T12:34:56.789', '2018-11-04T00:00'])(
    '%s is what this machine says, without a zone',
    (shown) => {
      expect(instantOf(wall(shown), null)).toBe(Date.parse(shown));
    },
  );

  it.each([
    ['America/Sao_Paulo', '9999-12-31T00:00', '9999-12-31T03:00:00.000Z'],
    ['America/Sao_Paulo', '+010000-01-01T00:00', '+010000-01-01T03:00:00.000Z'],
    ['Asia/Kathmandu', '+010000-01-01T00:00', '9999-12-31T18:15:00.000Z'],
    ['America/Sao_Paulo', '0001-01-01T00:00', '0001-01-01T03:06:28.000Z'],
    ['UTC', '0999-12-31T23:59', '0999-12-31T23:59:00.000Z'],
    ['UTC', '1000-01-01T00:00', '1000-01-01T00:00:00.000Z'],
  ])('in %s, %s, as far as the years that can be written', (zone, shown, instant) => {
    expect(new Date(instantOf(wall(shown), zone)).toISOString()).toBe(instant);
  });

  it.each(['America/Sao_Paulo', 'Asia/Kathmandu', 'Pacific/Apia', 'America/New_York', 'Australia/Lord_Howe'])(
    'is never further from what is shown than clocks are from UTC, and grows with it: %s',
    (zone) => {
      const walls = fc.integer({ min: wall('0001-01-01T00:00'), max: wall('9999-12-31T23:59') });
      fc.assert(
        fc.property(walls, fc.integer({ min: 4 * 3_600_000, max: 90 * 86_400_000 }), (one, later) => {
          const at = instantOf(one, zone);
          expect(Math.abs(at - one)).toBeLessThanOrEqual(24 * 3_600_000);
          // Samoa left out a day.
          expect(instantOf(one + later, zone)).toBeGreaterThanOrEqual(at);
        }),
      );
    },
  );
});
