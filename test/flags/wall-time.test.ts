import { describe, expect, it } from 'vitest';
import { instantOf } from '../../src/flags/wall-time.ts';

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
});
