import { describe, expect, it } from 'vitest';
import { parseAmountFlag } from '../../src/flags/amount.ts';

describe('amounts', () => {
  it.each([
    ['1050', 1050],
    ['10,50', 1050],
    ['R$ 1.050,00', 105_000],
  ])('%j is %i cents', (text, cents) => {
    expect(parseAmountFlag('--amount', text)).toBe(cents);
  });

  it('of two readings are refused with both', () => {
    expect(() => parseAmountFlag('--fee', '10,5')).toThrow(/^--fee: .*R\$ 10,50.*R\$ 1,05.*Nothing was sent/);
  });
});
