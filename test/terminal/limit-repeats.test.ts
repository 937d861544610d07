import { expect, it } from 'vitest';
import { limitRepeats } from '../../src/terminal/limit-repeats.ts';

/** What is passed on of texts that come at these milliseconds. */
function passedOn(texts: readonly (readonly [number, string])[]): string[] {
  const told: string[] = [];
  let now = 0;
  const tell = limitRepeats((text) => told.push(`${now}: ${text}`), { monotonic: () => now });
  for (const [at, text] of texts) {
    now = at;
    tell(text);
  }
  return told;
}

it('passes the same text on once a minute, and another one at once', () => {
  const texts = [
    [0, 'a'],
    [1, 'a'],
    [2, 'b'],
    [59_999, 'a'],
    [60_000, 'a'],
    [60_001, 'a'],
  ] as const;
  expect(passedOn(texts)).toEqual(['0: a', '2: b', '60000: a']);
});

it('forgets, rather than remember without end', () => {
  const flood = Array.from({ length: 102 }, (_, at) => [1, `text ${at}`] as const);
  expect(passedOn([[0, 'a'], ...flood.slice(0, 99), [2, 'a']])).toHaveLength(100);
  expect(passedOn([[0, 'a'], ...flood, [2, 'a']])).toHaveLength(104);
});
