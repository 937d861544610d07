/** What a sandbox draws: by chance nobody can foresee, with a seed the same in every run. */
import { describe, expect, it } from 'vitest';
import { createIds } from '../../../src/sandbox/world/ids.ts';
import { randomBytes, randomUuid } from '../../../src/sandbox/world/randomness.ts';

const drawn = (seed: string | null, count: number): string[] => {
  const ids = createIds(seed);
  return Array.from({ length: count }, () => ids.next('chg'));
};

describe('ids', () => {
  it.each(['a', 'shop/1', 'ação', null])(
    'of the seed %s are letters and digits, and never the same',
    (seed) => {
      const ids = drawn(seed, 50_000);
      expect(ids.filter((id) => !/^chg_[a-z0-9]{24}$/.test(id))).toEqual([]);
      expect(new Set(ids).size).toBe(50_000);
    },
  );

  it.each(['a', null])('follow one another in an index, for the seed %s', (seed) => {
    const ids = drawn(seed, 10_000);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids.map((id) => id.slice(-15))).size).toBe(10_000);
  });

  it('are the same for the same seed, and others for another one', () => {
    expect(drawn('shop/1', 100)).toEqual(drawn('shop/1', 100));
    const others = ['shop/2', 'shop/11', 'Shop/1', 'shop/1 ', ''].map((seed) => drawn(seed, 100));
    expect(new Set([...drawn('shop/1', 100), ...others.flat()]).size).toBe(600);
    expect(drawn(null, 1)).not.toEqual(drawn(null, 1));
  });

  it.each(['a', null])('use every letter about as often, for the seed %s', (seed) => {
    const counts = new Map<string, number>();
    for (const letter of createIds(seed).characters(320_000))
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(32);
    // 10,000 each; a tenth of that is ten times the deviation to be expected.
    expect(Math.min(...counts.values())).toBeGreaterThan(9_000);
    expect(Math.max(...counts.values())).toBeLessThan(11_000);
  });

  it('draw fractions from 0 to 1', () => {
    const ids = createIds('a');
    const fractions = Array.from({ length: 10_000 }, () => ids.fraction());
    expect(fractions.every((it) => it >= 0 && it < 1)).toBe(true);
    expect(new Set(fractions).size).toBeGreaterThan(9_990);
  });
});

describe('what nobody may foresee', () => {
  it('is as long as asked, and never the same', () => {
    expect([0, 1, 16, 4096].map((length) => randomBytes(length).length)).toEqual([0, 1, 16, 4096]);
    expect(new Set(Array.from({ length: 1_000 }, () => randomBytes(16).toString('hex'))).size).toBe(1_000);
  });

  it('is a UUID of version 4 on request', () => {
    const uuids = Array.from({ length: 1_000 }, randomUuid);
    const odd = uuids.filter(
      (it) => !/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(it),
    );
    expect(odd).toEqual([]);
    expect(new Set(uuids).size).toBe(1_000);
  });
});
