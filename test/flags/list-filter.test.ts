import { describe, expect, it } from 'vitest';
import { filterPages, type Listed, parseFilters } from '../../src/flags/list-filter.ts';

type Item = Pick<Listed, 'id'>;

async function* pagesOf(pages: readonly (readonly Item[])[], asked: { pages: number }) {
  for (const items of pages) {
    asked.pages += 1;
    yield { items };
  }
}

const idsOf = async (pages: readonly (readonly Item[])[], most = 1_000) => {
  const asked = { pages: 0 };
  const ids: (string | undefined)[] = [];
  for await (const { id } of filterPages(pagesOf(pages, asked), [({ id }) => id !== 'unwanted'], most))
    ids.push(id);
  return { ids, pages: asked.pages };
};

describe('the items of a list', () => {
  it('that have no id are all shown: nothing tells that one is another', async () => {
    const { ids } = await idsOf([
      [{}, { id: '' }, {}],
      [{ id: undefined }, { id: '' }],
    ]);
    expect(ids).toEqual([undefined, '', undefined, undefined, '']);
  });

  it('are shown once, though a new one has pushed them onto the next page', async () => {
    const { ids } = await idsOf([
      [{ id: 'c' }, { id: 'b' }],
      [{ id: 'b' }, { id: 'a' }],
    ]);
    expect(ids).toEqual(['c', 'b', 'a']);
  });

  it('are remembered for 200 others at least, and for 400 at the most', async () => {
    const from = (first: number, count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: `chg_${first + at}` }));
    const repeated = async (others: number) =>
      (await idsOf([[{ id: 'first' }, ...from(0, others)], [{ id: 'first' }]])).ids.length - others;
    expect([await repeated(0), await repeated(200), await repeated(399), await repeated(400)]).toEqual([
      1, 1, 1, 2,
    ]);
  });

  it('are no more than were asked for, and no page is asked for beyond them', async () => {
    const all = [[{ id: 'unwanted' }, { id: 'a' }], [{ id: 'b' }, { id: 'c' }], [{ id: 'd' }]];
    expect(await idsOf(all, 2)).toEqual({ ids: ['a', 'b'], pages: 2 });
    expect(await idsOf(all)).toEqual({ ids: ['a', 'b', 'c', 'd'], pages: 3 });
  });
});

describe('the filters of a list', () => {
  const rules = { noun: 'charge', statuses: ['PENDING', 'PAID'], reference: { now: 0, zone: 'UTC' } };
  const passes = (flags: Parameters<typeof parseFilters>[0], item: Partial<Listed>) =>
    parseFilters(flags, rules).every((test) => test({ amount: 500, status: 'PAID', ...item }));

  it('take the same amount for both bounds: a hint looks so for a charge whose answer was lost', () => {
    const exactly = { minAmount: '500', maxAmount: '500' };
    expect([499, 500, 501].map((amount) => passes(exactly, { amount }))).toEqual([false, true, false]);
    expect(() => parseFilters({ minAmount: '501', maxAmount: '500' }, rules)).toThrow('nothing can match');
  });

  it('hold the ends of a period, and nothing that has no time', () => {
    const period = { since: '2026-01-01', until: '2026-01-01' };
    const at = (createdAt: unknown) => passes(period, { createdAt });
    expect(at('2026-01-01T00:00:00.000Z')).toBe(true);
    expect(at('2026-01-01T23:59:59.999Z')).toBe(true);
    expect(at('2025-12-31T23:59:59.999Z')).toBe(false);
    expect(at('2026-01-02T00:00:00.000Z')).toBe(false);
    expect(at(undefined)).toBe(false);
  });
});
