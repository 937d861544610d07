import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIdTable, hashOf } from '../../../src/inbox/dedupe/id-table.ts';

describe('the table of ids', () => {
  it('finds every number of a hash, in the order in which they came, and no other', () => {
    const hash = fc.oneof(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 0xffffffff }));
    fc.assert(
      fc.property(fc.array(hash, { maxLength: 200 }), hash, (hashes, other) => {
        const table = createIdTable(hashes.length);
        hashes.forEach((one, at) => {
          table.add(one, at + 1);
        });
        for (const one of [...hashes, other])
          expect(table.find(one)).toEqual(hashes.flatMap((each, at) => (each === one ? [at + 1] : [])));
      }),
    );
  });

  it('has room for half as many again as were expected, and says when it would have to grow', () => {
    const hashAt = (number: number) => Math.imul(number, 0x9e3779b1) >>> 0;
    const table = createIdTable(20_000);
    expect([30_000, 60_000].map(table.hasRoomFor)).toEqual([true, false]);
    for (let number = 1; number <= 30_000; number++) table.add(hashAt(number), number);
    expect(table.find(hashAt(30_000))).toEqual([30_000]);
    expect([10_000, 30_000].map(table.hasRoomFor)).toEqual([true, false]);
  });

  it('grows where more come than were expected, and finds all of them in the order in which they came', () => {
    const hashAt = (number: number) => Math.imul(number >>> 1, 0x9e3779b1) >>> 0;
    const table = createIdTable(0);
    // Some of each hash lie behind the end, which is the beginning.
    for (let number = 2; number < 40_000; number++) table.add(hashAt(number), number);
    for (let number = 40_000; number < 40_100; number++) table.add(0xffffffff, number);
    for (let number = 2; number < 40_000; number += 2)
      expect(table.find(hashAt(number))).toEqual([number, number + 1]);
    expect(table.find(0xffffffff)).toEqual(Array.from({ length: 100 }, (_, at) => 40_000 + at));
    for (let number = 40_100; number < 80_000; number++) table.add(hashAt(number), number);
    expect(table.find(0xffffffff)).toEqual(Array.from({ length: 100 }, (_, at) => 40_000 + at));
  });

  it('hashes an id as every version does, because the hashes are stored', () => {
    expect(['', 'evt_1', 'evt_2', 'evt_café', 'sha256:00'].map(hashOf)).toMatchInlineSnapshot(`
      [
        2872998923,
        3997728443,
        4289331807,
        2982488376,
        35377717,
      ]
    `);
  });

  it('spreads ids that differ in a letter or are counted', () => {
    const hashes = new Set(Array.from({ length: 100_000 }, (_, at) => hashOf(`evt_${at}`)));
    // Of random hashes one pair would be expected.
    expect(hashes.size).toBeGreaterThan(99_990);
    const low = new Set([...hashes].map((hash) => hash & 0xffff));
    expect(low.size).toBeGreaterThan(50_000);
  });
});
