import { describe, expect, it } from 'vitest';
import { judgeBrCode } from '../../src/contract/brcode.ts';
import { charge } from '../../src/contract/charge.ts';
import { event, eventNames } from '../../src/contract/event.ts';
import { sampleEvent } from '../../src/contract/event-samples.ts';
import { withdrawal } from '../../src/contract/withdrawal.ts';

const source = () => {
  let count = 0;
  return { now: 1_767_323_045_000, newId: () => `${String(++count).padStart(4, '0')}abcdefghijklmnopqrstuv` };
};

describe('sampleEvent', () => {
  it.each(eventNames)('makes a %s as the contract describes it', (name) => {
    const made = sampleEvent(name, source());
    expect(event().safeParse(made).success).toBe(true);
    expect(made).toMatchObject({ event: name, createdAt: '2026-01-02T03:04:05.000Z' });
    expect(made.id).toMatch(/^evt_/);
    const schema = name.startsWith('WITHDRAWAL') ? withdrawal : charge;
    expect(schema().safeParse(made.data).success).toBe(true);
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

  it('carries a BR Code that a bank would take', () => {
    const { data } = sampleEvent('CHARGE_PAID', source());
    expect(judgeBrCode(String(data.brCode))).toMatchObject({
      valid: true,
      findings: [],
      code: { amount: 12_345 },
    });
  });

  it('says why a withdrawal failed, and nothing of the kind when it did not', () => {
    expect(sampleEvent('WITHDRAWAL_FAILED', source()).data.failedReason).toBe(
      'The destination account is closed',
    );
    expect(sampleEvent('WITHDRAWAL_COMPLETED', source()).data.failedReason).toBeNull();
  });
});
