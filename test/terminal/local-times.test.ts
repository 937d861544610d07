/** Times in sentences for people, in the zone of tables. */
import { expect, it } from 'vitest';
import { namesTime, withLocalTimes } from '../../src/terminal/local-times.ts';

it.each([
  [
    'its answer was lost (sent 2026-01-02T03:04:05.678Z)',
    'its answer was lost (sent 2026-01-02 00:04:05 -03:00)',
  ],
  ['was sent at 2026-01-02T03:04:05Z, and', 'was sent at 2026-01-02 00:04:05 -03:00, and'],
  ['By its time (2026-01-01T02:00:00.000Z) it', 'By its time (2025-12-31 23:00:00 -03:00) it'],
])('%s', (text, expected) => {
  expect(withLocalTimes(text, 'America/Sao_Paulo')).toBe(expected);
  expect(namesTime(text)).toBe(true);
});

it.each([
  ['Europe/Berlin', '2026-01-02 04:04:05 +01:00'],
  ['Asia/Kolkata', '2026-01-02 08:34:05 +05:30'],
  ['America/St_Johns', '2026-01-01 23:34:05 -03:30'],
  ['UTC', '2026-01-02 03:04:05 UTC'],
])('in %s', (zone, expected) => {
  expect(withLocalTimes('sent 2026-01-02T03:04:05.000Z', zone)).toBe(`sent ${expected}`);
});

it('what only looks like a time stays: a message may quote the service', () => {
  const text = 'It expired at 2026-13-45T99:00:00Z.';
  expect(withLocalTimes(text, 'America/Sao_Paulo')).toBe(text);
});

it.each([
  'the key 2026-01-02T03:04:05Z belongs to it',
  'Line 2 (2026-01-02T03:04:05Z): paid',
  'pixctl charge list --since 2026-01-02T03:04:05Z --at 2026-01-02T03:04:05Z',
  'ledger-2026-01-02T03:04:05Z.sqlite',
])('what was typed stays: %s', (text) => {
  expect(withLocalTimes(text, 'America/Sao_Paulo')).toBe(text);
  expect(namesTime(text)).toBe(false);
});
