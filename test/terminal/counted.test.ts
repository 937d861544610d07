import { expect, it } from 'vitest';
import { counted, pluralOf } from '../../src/terminal/counted.ts';

it.each([
  [0, '0 events'],
  [1, '1 event'],
  [2, '2 events'],
])('%i is %s', (count, words) => {
  expect(counted(count, 'event')).toBe(words);
});

it.each([
  ['event', 'events'],
  ['delivery', 'deliveries'],
  ['replay', 'replays'],
])('many of a %s are %s', (noun, plural) => {
  expect(pluralOf(noun)).toBe(plural);
});
