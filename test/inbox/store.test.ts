import { expect, it } from 'vitest';
import { newKey } from '../../src/inbox/store.ts';

it('keys are unique and in order, also when the clock is set back', () => {
  const keys = [
    1_790_000_000_000, 1_790_000_000_000, 1_790_000_000_005, 1_790_000_000_001, 1_790_000_000_005,
  ].map(newKey);
  expect(new Set(keys).size).toBe(5);
  expect([...keys].sort()).toEqual(keys);
});
