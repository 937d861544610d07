import { describe, expect, it } from 'vitest';
import { assumedRefusal, Refusal, refusalOf } from '../../../src/sandbox/rules/refusal.ts';

describe('refusalOf', () => {
  it('returns the refusal that is thrown, or null', () => {
    const refusal = new Refusal('BAD_REQUEST', 'no');
    expect(
      refusalOf(() => {
        throw refusal;
      }),
    ).toBe(refusal);
    expect(refusalOf(() => 7)).toBeNull();
  });

  it('hides no other error: a bug is no refusal, and no success', () => {
    const bug = new TypeError('a bug');
    const check = () => {
      throw bug;
    };
    expect(() => refusalOf(check)).toThrow(bug);
  });
});

it.each([
  ['409:CONFLICT', 'CONFLICT', 409],
  ['400:CONFLICT', 'CONFLICT', 400],
  ['404:NOT_FOUND', 'NOT_FOUND', 404],
  ['422:ODD', 'BAD_REQUEST', 400],
])('the choice %s refuses with %s and %i', (choice, code, status) => {
  expect(assumedRefusal(choice, 'no')).toMatchObject({ code, status, message: 'no' });
});
