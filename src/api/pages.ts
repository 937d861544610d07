/**
 * A list with cursors as an async iterator, with one page in hand and the next on its way. A cursor that comes back is
 * an error, not a loop; after a failure in the middle, the hint names the cursor to resume from, for commands that take
 * --after.
 */
import type { Pagination } from '../contract/pagination.ts';
import { PixctlError, rewordError } from '../errors.ts';
import { commandLine } from '../flags/command-line.ts';
import { keepHeapSteady } from '../steady-heap.ts';
import type { Page } from './client.ts';

/** In characters. A longer cursor is no cursor: it would not fit in a request line. */
const maxCursorLength = 2048;
/** This many empty pages in a row mean a server whose list never ends. */
const maxEmptyPages = 1000;
/**
 * The same for pages that repeat the items of one page. A few may, because new items push listed ones onto the next
 * page.
 */
const maxRepeats = 1000;

/** A list with this many further pages is a long one. */
const longFrom = 10;

export type Direction = 'after' | 'before';

/** Fetches the page at `cursor` (null: the first page); aborted if the reader stops early. */
export type FetchPage<T> = (cursor: string | null, signal: AbortSignal) => Promise<Page<T>>;

export interface Course {
  /** Where to begin; null: at the first page. */
  readonly start?: string | null;
  readonly direction?: Direction;
  /** Set if the command takes --after and --before: a failure in the middle then names the cursor to resume with. */
  readonly resumable?: boolean;
}

/**
 * Yields the pages from `start` on, in one direction. Rejects as `fetchPage` does, and with 1 for a list that never
 * ends.
 */
export async function* pagesOf<T>(
  fetchPage: FetchPage<T>,
  { start = null, direction = 'after', resumable = false }: Course = {},
): AsyncGenerator<Page<T>, void, undefined> {
  const stop = new AbortController();
  const seen = new Set<string>(start === null ? [] : [start]);
  let cursor = start;
  let empty = 0;
  const isCircle = circleOf<T>();
  let more = 0;
  let letGrow = () => {};
  let coming = fetchPage(cursor, stop.signal);
  try {
    for (;;) {
      const page = await coming.catch((error) => {
        throw resumable ? withWayOn(error, { cursor, start, direction }) : error;
      });
      empty = page.items.length === 0 ? empty + 1 : 0;
      if (empty > maxEmptyPages) throw broken('gave a thousand empty pages in a row');
      if (isCircle(page)) throw broken('gave the same items a thousand times');
      const next = nextCursor(page.pagination, direction);
      if (next === null) {
        yield page;
        return;
      }
      const wrong = wrongCursor(next, seen);
      if (wrong === null) {
        coming = fetchPage(next, stop.signal);
        // Awaited in the next round; until then, a failure must not count as unhandled.
        coming.catch(() => {});
        if (++more === longFrom) letGrow = await keepHeapSteady();
      }
      yield page;
      if (wrong !== null) throw broken(wrong);
      seen.add(next);
      cursor = next;
    }
  } finally {
    letGrow();
    stop.abort();
  }
}

/**
 * Detects a list that goes in a circle with ever new cursors. It remembers one page, and replaces it by a later one
 * each time as many have come since as came before it, so that it finds a circle of any length. Items without ids show
 * nothing.
 */
function circleOf<T>(): (page: Page<T>) => boolean {
  let remembered: readonly unknown[] = [];
  let repeats = 0;
  let count = 0;
  let next = 1;
  return ({ items }) => {
    const ids = items.map((item) => (item as { id?: unknown } | null)?.id);
    if (ids.length > 0 && ids.every((id) => id !== undefined && remembered.includes(id))) repeats++;
    if (++count === next) {
      remembered = ids;
      repeats = 0;
      next *= 2;
    }
    return repeats > maxRepeats;
  };
}

/** The next cursor, or null at the end (document: "GET /transparents/list"). */
function nextCursor(pagination: Pagination, direction: Direction): string | null {
  if (direction === 'before') return pagination.before || null;
  if (!pagination.hasMore) return null;
  return pagination.next ?? '';
}

function wrongCursor(cursor: string, seen: ReadonlySet<string>): string | null {
  if (cursor === '') return 'says there is more, but gives no cursor';
  if (cursor.length > maxCursorLength) return `gave a cursor of more than ${maxCursorLength} characters`;
  return seen.has(cursor) ? 'gave a cursor for the second time' : null;
}

/** Names no cursor to resume from, because from there the list would go on as before. */
const broken = (what: string) =>
  new PixctlError('unexpected', 'PAGINATION', `The list ${what}; stopped, because it would never end.`, {
    isPermanent: true,
  });

/** Adds to the hint how to go on after the failure of the page at `cursor`. */
function withWayOn(
  error: unknown,
  { cursor, start, direction }: { cursor: string | null; start: string | null; direction: Direction },
): unknown {
  if (!(error instanceof PixctlError) || cursor === null) return error;
  const refused = error.kind === 'refused';
  // If the first page is refused, so is the caller's own cursor: there is nothing to resume from.
  if (refused && cursor === start) return error;
  const hint = refused ? beginAgain(start, direction) : resumeWith(cursor, direction);
  return rewordError(error, { hint: error.hint === undefined ? hint : `${error.hint} ${hint}` });
}

/** Names the cursor of the page that failed. */
const resumeWith = (cursor: string, direction: Direction): string =>
  `Resume with ${commandLine([`--${direction}`, cursor])}`;

/** For a cursor that the service gave a page ago and now refuses: it would refuse it again. */
const beginAgain = (start: string | null, direction: Direction): string =>
  start === null
    ? 'Start again from the first page.'
    : `Start again: ${commandLine([`--${direction}`, start])}`;
