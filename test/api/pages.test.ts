import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Page } from '../../src/api/client.ts';
import { pagesOf } from '../../src/api/pages.ts';
import { PixctlError } from '../../src/errors.ts';

/** A list served in pages of the given sizes; cursors name the page. Tells what was asked for. */
function served(sizes: readonly number[], failAt = -1) {
  const asked: (string | null)[] = [];
  let item = 0;
  const pages = sizes.map((size) => Array.from({ length: size }, () => item++));
  const cursorOf = (at: number) => (at >= 0 && at < pages.length ? `p${at}` : null);
  const fetchPage = async (cursor: string | null): Promise<Page<number>> => {
    asked.push(cursor);
    const at = cursor === null ? 0 : Number(cursor.slice(1));
    if (at === failAt) throw new PixctlError('later', 'SERVER_ERROR', 'down', { hint: 'Later.' });
    return {
      items: pages[at] ?? [],
      pagination: { hasMore: at < pages.length - 1, next: cursorOf(at + 1), before: cursorOf(at - 1) },
    };
  };
  return { fetchPage, asked, count: item };
}

async function collect<T>(pages: AsyncIterable<Page<T>>): Promise<{ items: T[]; error: unknown }> {
  const items: T[] = [];
  try {
    for await (const page of pages) items.push(...page.items);
  } catch (error) {
    return { items, error };
  }
  return { items, error: null };
}

const someSizes = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 30 });

describe('pages', () => {
  it('gives every item once and in order, whatever the page sizes', async () => {
    await fc.assert(
      fc.asyncProperty(someSizes, async (sizes) => {
        const { fetchPage, asked, count } = served(sizes);
        expect(await collect(pagesOf(fetchPage))).toEqual({ items: [...Array(count).keys()], error: null });
        expect(asked).toEqual([null, ...sizes.slice(1).map((_, at) => `p${at + 1}`)]);
      }),
    );
  });

  it('names no cursor to resume from when the one that it was given is refused', async () => {
    const refusal = new PixctlError('refused', 'VALIDATION_ERROR', 'No such cursor.');
    const pages = pagesOf(() => Promise.reject(refusal), { start: 'mine', resumable: true });
    await expect(pages.next()).rejects.toBe(refusal);
  });

  it('names a cursor that no shell reads as anything else', async () => {
    const pages = pagesOf(
      (cursor) =>
        cursor === null
          ? Promise.resolve({ items: [1], pagination: { hasMore: true, next: "c'; rm x", before: null } })
          : Promise.reject(new PixctlError('later', 'X', 'no')),
      { resumable: true },
    );
    expect((await collect(pages)).error).toMatchObject({
      hint: `Resume with --after ${process.platform === 'win32' ? `"c'; rm x"` : "'c'\\''; rm x'"}`,
    });
  });

  it('names no flag to resume with where the command has none', async () => {
    const { error } = await collect(pagesOf(served([1, 1], 1).fetchPage));
    expect(error).toMatchObject({ code: 'SERVER_ERROR', hint: 'Later.' });
    const again = await collect(
      pagesOf(async () => ({ items: [], pagination: { hasMore: true, next: 'c', before: null } })),
    );
    expect(again.error).toMatchObject({ code: 'PAGINATION', hint: undefined });
  });

  it('resumes from the cursor of a failure without a gap or a duplicate', async () => {
    await fc.assert(
      fc.asyncProperty(someSizes, fc.nat({ max: 29 }), async (sizes, where) => {
        const failAt = 1 + (where % sizes.length);
        const before = await collect(pagesOf(served(sizes, failAt).fetchPage, { resumable: true }));
        if (failAt >= sizes.length) {
          expect(before.error).toBeNull();
          return;
        }
        const hint = before.error instanceof PixctlError ? (before.error.hint ?? '') : '';
        expect(hint).toBe(`Later. Resume with --after p${failAt}`);
        const after = await collect(pagesOf(served(sizes).fetchPage, { start: `p${failAt}` }));
        expect([...before.items, ...after.items]).toEqual([...Array(served(sizes).count).keys()]);
      }),
    );
  });

  it('walks backwards to the first page', async () => {
    const { fetchPage, asked } = served([2, 2, 2]);
    expect((await collect(pagesOf(fetchPage, { start: 'p1', direction: 'before' }))).items).toEqual([
      2, 3, 0, 1,
    ]);
    expect(asked).toEqual(['p1', 'p0']);
  });

  it.each([null, '', undefined])(
    'going back, ends where the cursor of the page before is %o',
    async (before) => {
      const page = { items: [1], pagination: { hasMore: true, next: 'p1', before } } as Page<number>;
      const pages = pagesOf(async () => page, { start: 'p1', direction: 'before' });
      expect(await collect(pages)).toEqual({ items: [1], error: null });
    },
  );

  it('keeps the failure of the page on its way until the reader asks for that page', async () => {
    const pages = pagesOf((cursor) =>
      cursor === null
        ? Promise.resolve({ items: [1], pagination: { hasMore: true, next: 'p1', before: null } })
        : Promise.reject(new PixctlError('later', 'SERVER_ERROR', 'down')),
    );
    await pages.next();
    // Where nobody had taken it, Node would end the process here, and vitest fails the run.
    await new Promise(setImmediate);
    await expect(pages.next()).rejects.toMatchObject({ code: 'SERVER_ERROR' });
  });

  it('has one page in hand and one on its way, not more', async () => {
    const { fetchPage, asked } = served([1, 1, 1, 1, 1]);
    const pages = pagesOf(fetchPage);
    await pages.next();
    expect(asked).toEqual([null, 'p1']);
    await pages.next();
    expect(asked).toEqual([null, 'p1', 'p2']);
    await pages.return();
  });

  it('aborts the page on its way when the reader stops', async () => {
    const signals: AbortSignal[] = [];
    const pages = pagesOf(async (cursor, signal) => {
      signals.push(signal);
      return { items: [1], pagination: { hasMore: true, next: `${cursor}x` } };
    });
    await pages.next();
    await pages.return();
    expect(signals.at(-1)?.aborted).toBe(true);
  });

  it.each([
    ['the same cursor again', ['a', 'a']],
    ['a circle of cursors', ['a', 'b', 'c', 'a']],
    ['no cursor where there is more', ['a', null]],
    ['a cursor without end', ['a', 'x'.repeat(2049)]],
  ])('ends with an error at %s', async (_, cursors) => {
    let asked = 0;
    const fetchPage = async () => ({
      items: [asked],
      pagination: { hasMore: true, next: cursors[asked++] ?? null },
    });
    const { items, error } = await collect(pagesOf(fetchPage, { resumable: true }));
    expect(error).toMatchObject({ kind: 'unexpected', code: 'PAGINATION', hint: undefined });
    expect(items).toHaveLength(cursors.length);
    expect(asked).toBe(cursors.length);
  });

  it.each([
    [1, 2],
    [2, 2],
    [7, 2],
    [1, 1],
    [3, 1],
  ])(
    'ends with an error when %i pages come round and round under new cursors, with %i items each',
    async (round, size) => {
      let asked = 0;
      const { error } = await collect(
        pagesOf(async () => ({
          items: Array.from({ length: size }, (_, item) => ({ id: `${item} of ${asked % round}` })),
          pagination: { hasMore: true, next: `c${asked++}` },
        })),
      );
      expect(error).toMatchObject({ kind: 'unexpected', code: 'PAGINATION' });
      expect(asked).toBeLessThan(20_000);
    },
  );

  it('reads on where new items push what was listed onto the pages that follow', async () => {
    let asked = 0;
    const { items, error } = await collect(
      pagesOf(async () => ({
        items: [{ id: `i${Math.max(0, asked - 900)}` }],
        pagination: { hasMore: asked < 2_000, next: `c${asked++}` },
      })),
    );
    expect({ error, last: items.at(-1) }).toEqual({ error: null, last: { id: 'i1100' } });
  });

  it('ends with an error when nothing but empty pages come', async () => {
    let asked = 0;
    const fetchPage = async () => ({ items: [], pagination: { hasMore: true, next: `c${asked++}` } });
    const { error } = await collect(pagesOf(fetchPage, { resumable: true }));
    expect(error).toMatchObject({ code: 'PAGINATION', hint: undefined });
  });
});
