import { describe, expect, it } from 'vitest';
import { charge } from '../../src/contract/charge.ts';
import { eventNames } from '../../src/contract/event-names.ts';
import { sampleEvent } from '../../src/contract/event-samples.ts';
import { withdrawal } from '../../src/contract/withdrawal.ts';

const source = () => {
  let count = 0;
  return { now: 1_767_323_045_000, newId: () => `${String(++count).padStart(4, '0')}abcdefghijklmnopqrstuv` };
};

describe('sampleEvent', () => {
  it.each(eventNames)('makes a %s as the contract describes it', (name) => {
    const made = sampleEvent(name, source());
    expect(Object.keys(made)).toEqual(['id', 'event', 'createdAt', 'data']);
    expect(made).toMatchObject({ event: name, createdAt: '2026-01-02T03:04:05.000Z' });
    expect(made.id).toMatch(/^evt_/);
    const codes = { brCode: '', imageBase64: '' };
    expect(made.data).not.toHaveProperty('brCode');
    const judged = name.startsWith('WITHDRAWAL')
      ? withdrawal().safeParse(made.data)
      : charge().safeParse({ ...made.data, ...codes });
    expect(judged.success).toBe(true);
  });

  it.each([
    ['CHARGE_PAID', 'PAID'],
    ['CHARGE_EXPIRED', 'EXPIRED'],
    ['REFUND_COMPLETED', 'REFUNDED'],
    ['CHECKOUT_PAID', 'PAID'],
    ['CHECKOUT_REFUNDED', 'REFUNDED'],
    ['WITHDRAWAL_COMPLETED', 'COMPLETED'],
    ['WITHDRAWAL_FAILED', 'FAILED'],
  ] as const)('%s carries a resource that is %s', (name, status) => {
    expect(sampleEvent(name, source()).data).toMatchObject({ status });
  });

  it('says why a withdrawal failed, and gives no reason if it did not', () => {
    expect(sampleEvent('WITHDRAWAL_FAILED', source()).data.failedReason).toBe(
      'The destination account is closed',
    );
    expect(sampleEvent('WITHDRAWAL_COMPLETED', source()).data).not.toHaveProperty('failedReason');
  });
});
