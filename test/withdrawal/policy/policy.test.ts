import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cents } from '../../../src/contract/brand.ts';
import {
  breachOf,
  dayStart,
  defaultPolicy,
  type Policy,
  type PolicyQuestion,
  parseMinutes,
} from '../../../src/withdrawal/policy/policy.ts';

const cents = (n: number) => n as Cents;
const noon = Date.parse('2026-03-10T12:00:00-03:00');
const question: PolicyQuestion = { amount: cents(1_000), spentToday: 0, destinationSaved: false, now: noon };
const policy = (part: Partial<Policy>): Policy => ({ ...defaultPolicy, ...part });

describe('the local policy', () => {
  it('lets everything pass that no rule names', () => {
    expect(breachOf(defaultPolicy, { ...question, amount: cents(100_000_000) })).toBeNull();
  });

  it.each([
    [999, 'max-per-withdrawal'],
    [1_000, undefined],
  ])('with a cap of %i a withdrawal of 1000 breaks %s', (cap, rule) => {
    expect(breachOf(policy({ maxPerWithdrawal: cents(cap) }), question)?.rule).toBe(rule);
  });

  it.each([
    [4_000, undefined],
    [4_001, 'max-per-day'],
  ])('with %i paid today and a cap of 5000 a day, 1000 more breaks %s', (spentToday, rule) => {
    expect(breachOf(policy({ maxPerDay: cents(5_000) }), { ...question, spentToday })?.rule).toBe(rule);
  });

  it('does not judge the limit of a day of which it is not known what was paid', () => {
    const daily = policy({ maxPerDay: cents(1) });
    expect(breachOf(daily, { ...question, spentToday: null })).toBeNull();
    expect(breachOf(daily, question)?.rule).toBe('max-per-day');
  });

  it('pays only saved destinations if the policy says so', () => {
    const strict = policy({ savedDestinationsOnly: true });
    expect(breachOf(strict, question)).toEqual({ rule: 'saved-destinations-only' });
    expect(breachOf(strict, { ...question, destinationSaved: true })).toBeNull();
  });

  it.each([
    ['22:00', '06:00', '2026-03-10T21:59:59-03:00', false],
    ['22:00', '06:00', '2026-03-10T22:00:00-03:00', true],
    ['22:00', '06:00', '2026-03-11T05:59:59-03:00', true],
    ['22:00', '06:00', '2026-03-11T06:00:00-03:00', false],
    ['12:00', '13:00', '2026-03-10T12:30:00-03:00', true],
    ['12:00', '13:00', '2026-03-10T13:00:00-03:00', false],
    ['00:00', '00:00', '2026-03-10T15:00:00-03:00', true],
  ])('quiet from %s to %s, at %s: %s', (from, to, at, quiet) => {
    const quietHours = { from: parseMinutes(from) ?? -1, to: parseMinutes(to) ?? -1 };
    const breach = breachOf(policy({ quietHours }), { ...question, now: Date.parse(at) });
    expect(breach?.rule === 'quiet-hours').toBe(quiet);
  });

  it.each([
    ['2026-03-10T12:00:00-03:00', 'America/Sao_Paulo', '2026-03-10T03:00:00.000Z'],
    ['2026-03-10T00:00:00-03:00', 'America/Sao_Paulo', '2026-03-10T03:00:00.000Z'],
    ['2026-03-10T02:59:59Z', 'America/Sao_Paulo', '2026-03-09T03:00:00.000Z'],
    ['2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    // Midnight itself was skipped on this day.
    ['2018-11-04T12:00:00Z', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    // The last of its 25 hours.
    ['2018-02-17T23:30:00-03:00', 'America/Sao_Paulo', '2018-02-17T02:00:00.000Z'],
  ])('the day of %s in %s began at %s', (now, timeZone, start) => {
    expect(new Date(dayStart(Date.parse(now), timeZone)).toISOString()).toBe(start);
  });

  // Sydney, Lord Howe, Kathmandu and Beirut: other halves of the world, half hours, quarters, and days that begin at
  // 01:00.
  it('finds the first instant of the day everywhere and at every time', () => {
    const zones = [
      ...['America/Sao_Paulo', 'Europe/Berlin', 'Australia/Sydney', 'Australia/Lord_Howe', 'Asia/Kathmandu'],
      ...['Asia/Beirut', 'Pacific/Apia', 'Etc/UTC', 'America/St_Johns'],
    ];
    const times = fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2030, 0) });
    fc.assert(
      fc.property(fc.constantFrom(...zones), times, (timeZone, now) => {
        const dateOf = (at: number) => new Date(at).toLocaleDateString('en-CA', { timeZone });
        const start = dayStart(now, timeZone);
        expect(start).toBeLessThanOrEqual(now);
        expect(now - start).toBeLessThan(25 * 3_600_000);
        expect(dateOf(start)).toBe(dateOf(now));
        expect(dateOf(start - 1)).not.toBe(dateOf(now));
      }),
    );
  });

  it.each(['24:00', '7:00', '12:60', 'noon', ''])('%j is no time of day', (text) => {
    expect(parseMinutes(text)).toBeNull();
  });
});
