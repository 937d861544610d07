import { expect, it } from 'vitest';
import { counted } from '../../src/terminal/counted.ts';

it.each([
  [0, '0 events'],
  [1, '1 event'],
  [2, '2 events'],
])('%i is %s', (count, words) => {
  expect(counted(count, 'event')).toBe(words);
});
