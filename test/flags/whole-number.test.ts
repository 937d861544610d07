import { describe, expect, it } from 'vitest';
import { parseWholeNumber } from '../../src/flags/whole-number.ts';

describe('whole numbers', () => {
  it.each([
    ['1', 1],
    ['10', 10],
    ['007', 7],
  ])('%j is %i', (text, number) => {
    expect(parseWholeNumber('--n', text, { min: 1, max: 10 })).toBe(number);
  });

  it.each(['0', '11', '-1', '1.5', 'x', '', ' 2', '99999999999'])('%j is none from 1 to 10', (text) => {
    expect(() => parseWholeNumber('--n', text, { min: 1, max: 10 })).toThrow(
      `--n takes a whole number from 1 to 10, not "${text}". Nothing was sent.`,
    );
  });
});
