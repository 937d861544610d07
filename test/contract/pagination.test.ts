import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listLimit, listQuery, plainListQuery } from '../../src/contract/pagination.ts';

describe('a list query read without its schema', () => {
  it('is nothing, or a limit within its bounds', () => {
    expect(plainListQuery('')).toEqual({});
    for (let limit = listLimit.min; limit <= listLimit.max; limit++)
      expect(plainListQuery(`limit=${limit}`)).toEqual({ limit });
  });

  it('equals what the schema reads, or is left to it', () => {
    const names = fc.constantFrom('limit', 'after', 'before', 'Limit', 'lim%69t', '');
    const values = fc.oneof(fc.integer({ min: -3, max: 1_100 }).map(String), fc.string({ maxLength: 4 }));
    const text = fc
      .array(fc.tuple(names, values, fc.constantFrom('&', '=', '', '\n')), { maxLength: 3 })
      .map((parts) =>
        parts
          .map(([name, value, end]) => `${name}=${value}${end}`)
          .join('')
          .slice(0, -1),
      );
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          fc.integer({ min: -1, max: 102 }).map((n) => `limit=${n}`),
        ),
        (query) => {
          const plain = plainListQuery(query);
          if (plain === null) return;
          const given = [...new URLSearchParams(query)].map(([name, value]) => [name, Number(value)]);
          expect(listQuery().parse(Object.fromEntries(given))).toEqual(plain);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
