import { describe, expect, it } from 'vitest';
import { findProblem, oneOf, orNull, text, wholeNumber } from '../../../src/sandbox/input/property-rules.ts';

const rules = { count: wholeNumber(1, 3), from: wholeNumber(0), name: orNull(text), mode: oneOf(['a', 'b']) };

describe('what a test hands over', () => {
  it.each([
    [{ count: 1 }],
    [{ count: 3 }],
    [{ from: Number.MAX_SAFE_INTEGER }],
    [{ name: null, mode: 'b' }],
    [{ name: '', count: undefined }],
  ])('is taken: %j', (given) => {
    expect(findProblem(given, rules, 'this')).toBeNull();
  });

  it.each([
    [{ count: 0 }, 'count: must be a whole number from 1 to 3, not 0'],
    [{ count: 4 }, 'count: must be a whole number from 1 to 3, not 4'],
    [{ count: 1.5 }, 'count: must be a whole number from 1 to 3, not 1.5'],
    [{ from: -1 }, 'from: must be a whole number from 0 on, not -1'],
    [{ name: 7 }, 'name: must be a string or null, not 7'],
    [{ mode: 'c' }, 'mode: must be "a" or "b", not "c"'],
    [{ mode: ['a'] }, 'mode: must be "a" or "b", not an array'],
    [{ cuont: 1 }, 'cuont: is not known in this; did you mean count?'],
    [{ toString: 1 }, 'toString: is not known in this; it takes count, from, name, mode'],
    [null, 'this must be an object, not null'],
    [[], 'this must be an object, not an array'],
  ])('is refused in words: %j', (given, words) => {
    expect(findProblem(given, rules, 'this')).toBe(words);
  });
});
