import { beforeEach, describe, expect, it } from 'vitest';
import { parseEvents } from '../../../src/commands/webhook/event-choice.ts';

describe('event names', () => {
  let warnings: string[];
  beforeEach(() => {
    warnings = [];
  });
  const parse = (text: string) => parseEvents(text, (warning) => warnings.push(warning));

  it('are a list or all, once each', () => {
    expect(parse('CHARGE_PAID, REFUND_COMPLETED,CHARGE_PAID')).toEqual(['CHARGE_PAID', 'REFUND_COMPLETED']);
    expect(parse('all')).toHaveLength(7);
    expect(warnings).toEqual([]);
  });

  it('may be unknown, with a warning that guesses', () => {
    expect(parse('CHARGE_PAYD')).toEqual(['CHARGE_PAYD']);
    expect(warnings.join()).toContain('Did you mean CHARGE_PAID?');
  });

  it.each(['', ',', 'A B', 'A,B,C,D,E,F,G,H,I', '<x>'])('%j is refused', (text) => {
    expect(() => parse(text)).toThrow(/Nothing was sent/);
  });

  it('* as other programs have it is refused with the word for all of them', () => {
    expect(() => parse('*')).toThrow(
      expect.objectContaining({
        hint: expect.stringMatching(/^Known: CHARGE_PAID, .*; all means every/),
      }),
    );
  });
});
