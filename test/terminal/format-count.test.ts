import { expect, it } from 'vitest';
import { formatCount, pluralOf } from '../../src/terminal/format-count.ts';

it.each([
  [0, '0 events'],
  [1, '1 event'],
  [2, '2 events'],
])('%i is %s', (count, words) => {
  expect(formatCount(count, 'event')).toBe(words);
});

it.each([
  ['event', 'events'],
  ['delivery', 'deliveries'],
  ['replay', 'replays'],
])('many of a %s are %s', (noun, plural) => {
  expect(pluralOf(noun)).toBe(plural);
});
