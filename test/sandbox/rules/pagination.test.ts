/** Document: "Pagination object", "GET /transparents/list": forward and back without a gap or a double. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyHome } from '../../support/run.ts';
import { type Reply, type Served, serve } from '../support/over-http.ts';

const page = async (sandbox: Served, query: string): Promise<Reply['body']> => {
  const { status, body } = await sandbox.get(`/transparents/list?${query}`);
  if (status !== 200) throw new Error(`${status} ${body.error}: ${body.message}`);
  return body;
};
const ids = (body: Reply['body']): string[] => body.data.map(({ id }: { id: string }) => id);

/** Every page from a first query on, until `hasMore` is false, as the document tells a caller to read. */
async function walk(sandbox: Served, limit: number, direction: 'after' | 'before', from = '') {
  const pages: string[][] = [];
  let last: Reply['body'];
  for (let cursor = from; ; ) {
    last = await page(sandbox, `limit=${limit}${cursor === '' ? '' : `&${direction}=${cursor}`}`);
    pages.push(ids(last));
    if (!last.pagination.hasMore) return { pages, last };
    cursor = direction === 'after' ? last.pagination.next : last.pagination.before;
  }
}

describe('a list', () => {
  it('has 20 items unless told otherwise, 1 to 100, newest first', async () => {
    const sandbox = await serve();
    sandbox.seed({ charges: 101 });
    const newest = await sandbox.charge();
    expect(ids(await page(sandbox, ''))).toHaveLength(20);
    expect(ids(await page(sandbox, 'limit=1'))).toEqual([newest.id]);
    expect(ids(await page(sandbox, 'limit=100'))).toHaveLength(100);
  });

  it.each(['0', '101', '-1', '1.5', '020', '1e1', '0x10', '+5', ' 5', 'ten', '', '99999999999999999999'])(
    'refuses a limit of %j with 400 VALIDATION_ERROR that names it',
    async (limit) => {
      const sandbox = await serve();
      const { status, body } = await sandbox.get(`/transparents/list?limit=${encodeURIComponent(limit)}`);
      expect([status, body.error]).toEqual([400, 'VALIDATION_ERROR']);
      expect(body.message).toMatch(/^limit: /);
    },
  );

  it('is empty without cursors when there is nothing', async () => {
    const sandbox = await serve();
    expect(await page(sandbox, '')).toEqual({
      data: [],
      pagination: { hasMore: false, next: null, before: null },
      error: null,
      success: true,
    });
  });

  it("shows a merchant nothing of another's", async () => {
    const sandbox = await serve();
    await sandbox.charge();
    const authorization = `Bearer ${sandbox.addMerchant().apiKey}`;
    expect((await sandbox.get('/transparents/list', { authorization })).body.data).toEqual([]);
  });

  it('reads thousands forward and back, each once', async () => {
    const sandbox = await serve();
    sandbox.seed({ charges: 2_345 });
    const forward = await walk(sandbox, 100, 'after');
    const all = forward.pages.flat();
    expect(forward.pages).toHaveLength(24);
    expect(new Set(all).size).toBe(2_345);
    expect(forward.last.pagination).toMatchObject({ hasMore: false, next: null });
    const back = await walk(sandbox, 100, 'before', forward.last.pagination.before);
    expect(back.pages.toReversed().flat()).toEqual(all.slice(0, 2_300));
    expect(back.last.pagination).toMatchObject({ hasMore: false, before: null });
    expect(back.last.pagination.next).not.toBeNull();
  });

  it('never repeats or skips what was there, for any size, limit and charges that come in between', async () => {
    const sandbox = await serve();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 25 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 8 }),
        async (size, limit, arrivals) => {
          await sandbox.reset();
          sandbox.seed({ charges: size });
          const before =
            sandbox.seed({}).charges === 0 ? (await walk(sandbox, 100, 'after')).pages.flat() : [];
          const seen: string[] = [];
          let body = await page(sandbox, `limit=${limit}`);
          for (let turn = 0; ; turn++) {
            seen.push(...ids(body));
            sandbox.seed({ charges: arrivals[turn] ?? 0 });
            if (!body.pagination.hasMore) break;
            body = await page(sandbox, `limit=${limit}&after=${body.pagination.next}`);
          }
          expect(seen).toEqual(before);
          const back = body.pagination.before
            ? (await walk(sandbox, limit, 'before', body.pagination.before)).pages.toReversed().flat()
            : [];
          const lastPage = ids(body).length;
          const there = (await walk(sandbox, 100, 'after')).pages.flat();
          if (body.pagination.before) expect(back).toEqual(there.slice(0, there.length - lastPage));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('reads the other way round with list-order=oldest-first', async () => {
    const sandbox = await serve({ assume: { 'list-order': 'oldest-first' } });
    const made = [await sandbox.charge(), await sandbox.charge(), await sandbox.charge()].map(({ id }) => id);
    expect((await walk(sandbox, 2, 'after')).pages.flat()).toEqual(made);
  });
});

describe('a cursor', () => {
  it('is refused when it is malformed, of another list, of another merchant, or given both ways', async () => {
    const sandbox = await serve();
    sandbox.seed({ charges: 5 });
    const { next } = (await page(sandbox, 'limit=1')).pagination;
    const other = { authorization: `Bearer ${sandbox.addMerchant().apiKey}` };
    const flipped = `${next.slice(0, -2)}${next.at(-2) === 'A' ? 'B' : 'A'}${next.at(-1)}`;
    for (const [path, headers] of [
      ['/transparents/list?after=nonsense', {}],
      ['/transparents/list?after=', {}],
      [`/transparents/list?after=${flipped}`, {}],
      [`/transparents/list?after=${next}=`, {}],
      [`/transparents/list?after=${next}&before=${next}`, {}],
      [`/transparents/list?after=${next}`, other],
      [`/withdrawals?after=${next}`, {}],
    ] as const) {
      const { status, body } = await sandbox.get(path, headers);
      expect([path, status, body.error]).toEqual([path, 400, 'VALIDATION_ERROR']);
      expect(body.message).toMatch(/^after/);
    }
  });

  it('outlives a restart of the sandbox on the same state', async () => {
    const state = `${emptyHome()}/state.db`;
    const first = await serve({ state });
    first.seed({ charges: 3 });
    const { pagination } = await page(first, 'limit=1');
    await first.close();
    const second = await serve({ state });
    expect(ids(await page(second, `limit=5&after=${pagination.next}`))).toHaveLength(2);
  });
});
