import { expect, it } from 'vitest';
import { isShallow } from '../../src/contract/json-depth.ts';

it.each([
  ['a number', 1, 0, true],
  ['an empty object', {}, 0, true],
  ['a field', { a: 1 }, 0, false],
  ['a field', { a: 1 }, 1, true],
  ['an array in a field', { a: [1] }, 1, false],
  ['an array in a field', { a: [1] }, 2, true],
])('%s: %j is within %i: %s', (_, value, limit, expected) => {
  expect(isShallow(value, limit)).toBe(expected);
});

it('returns for JSON of any depth', () => {
  expect(isShallow(JSON.parse(`${'['.repeat(500_000)}${']'.repeat(500_000)}`))).toBe(false);
});
