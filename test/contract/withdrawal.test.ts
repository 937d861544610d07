import { describe, expect, it } from 'vitest';
import { isUsableId, withTextId } from '../../src/contract/withdrawal.ts';

describe('isUsableId', () => {
  it.each([
    ['wd_1', true],
    [' ', true],
    ['', false],
    ['wd\0_1', false],
    ['wd_\ud800', false],
    ['wd_\ud83d\ude00', true],
    [7, false],
    [null, false],
    [undefined, false],
  ])('%j: %s', (id, usable) => {
    expect(isUsableId(id)).toBe(usable);
  });
});

describe('withTextId', () => {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };
  const long = { id: rawJSON('12345678901234567890'), amount: 1 };

  it.each([
    [
      { id: 7, amount: 1 },
      { id: '7', amount: 1 },
    ],
    [{ id: 0 }, { id: '0' }],
    [long, { id: '12345678901234567890', amount: 1 }],
  ])('makes text of the whole number in %j', (one, expected) => {
    expect(withTextId(one)).toEqual(expected);
  });

  it.each([
    [{ id: 'wd_1' }],
    [{ id: '7' }],
    [{ amount: 1 }],
    [{ id: undefined }],
    [{ id: -7 }],
    [{ id: 1.5 }],
    [{ id: null }],
    [{ id: true }],
    [{ id: { a: 1 } }],
    [{ id: [7] }],
    [[7]],
    [null],
    [7],
    ['wd_1'],
  ])('leaves %j as it is', (one) => {
    expect(withTextId(one)).toBe(one);
  });
});
