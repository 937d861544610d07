import { describe, expect, it } from 'vitest';
import { type Answer, rewrite } from '../../../src/sandbox/faults/rewrite.ts';
import type { ApiEffect } from '../../../src/sandbox/faults/rule.ts';

const memory = () => ({ lastItems: new Map<string, unknown>() });
const status = { kind: 'unknown-status', value: 'ODD' } as const;
const field = { kind: 'unknown-field', name: 'more', value: 1 } as const;
const loop = { kind: 'stale-cursor', mode: 'loop' } as const;
const repeat = { kind: 'repeat-item' } as const;
const page = (data: unknown, next: string | null): Answer => ({
  data,
  pagination: { hasMore: next !== null, next, before: null },
});

describe('a rewrite', () => {
  it.each<[ApiEffect, Answer, Record<string, string>, Answer]>([
    [status, { data: { id: 1, status: 'PAID' } }, {}, { data: { id: 1, status: 'ODD' } }],
    [
      status,
      { data: [{ status: 'PAID' }, { id: 2 }, null] },
      {},
      { data: [{ status: 'ODD' }, { id: 2 }, null] },
    ],
    [field, { data: { id: 1 } }, {}, { data: { id: 1, more: 1 } }],
    [field, { data: [{ id: 1 }, 'x', null] }, {}, { data: [{ id: 1, more: 1 }, 'x', null] }],
    [loop, page([1], 'c2'), { after: 'c1' }, page([1], 'c1')],
  ])('by %o of %j', (effect, answer, query, changed) => {
    expect(rewrite(answer, effect, { query }, memory())).toEqual(changed);
  });

  it.each<[ApiEffect, Answer, Record<string, string>]>([
    [status, { data: { id: 1 } }, {}],
    [status, { data: [{ id: 1 }, null] }, {}],
    [status, { data: null }, {}],
    [field, { data: [] }, {}],
    [field, { data: 'x' }, {}],
    [loop, page([1], 'c2'), {}],
    [loop, page([1], 'c2'), { before: 'c1' }],
    [loop, page([1], null), { after: 'c1' }],
    [loop, { data: [1] }, { after: 'c1' }],
    [repeat, { data: { id: 1 } }, {}],
    [repeat, page([1], 'c1'), {}],
    [repeat, page([1], 'c1'), { after: 'c0' }],
    [{ kind: 'truncate' }, { data: { id: 1 } }, {}],
  ])('by %o finds nothing to change in %j', (effect, answer, query) => {
    expect(rewrite(answer, effect, { query }, memory())).toBe(answer);
  });

  it('repeats the last item of a page on the page that follows it, and on no other', () => {
    const known = memory();
    const read = (answer: Answer, after?: string) =>
      rewrite(answer, repeat, { query: { after } }, known).data;
    expect(read(page([1, 2], 'c1'))).toEqual([1, 2]);
    expect(read(page([3, 4], 'c2'), 'c1')).toEqual([2, 3, 4]);
    expect(read(page([5], null), 'c2')).toEqual([4, 5]);
    expect(read(page([3, 4], 'c2'), 'c1')).toEqual([2, 3, 4]);
  });

  it('remembers the last items of a thousand pages, and not of ever more', () => {
    const known = memory();
    for (let at = 0; at < 1_001; at++) rewrite(page([at], `c${at}`), repeat, { query: {} }, known);
    expect(known.lastItems.size).toBe(1_000);
    const follows = (after: string) => rewrite(page(['x'], null), repeat, { query: { after } }, known).data;
    expect(follows('c0')).toEqual(['x']);
    expect(follows('c1')).toEqual([1, 'x']);
    expect(follows('c1000')).toEqual([1_000, 'x']);
  });
});
