/**
 * Bidirectional cursors over a table with a growing `seq` (document: "Pagination object"). A cursor names the edge of a
 * page, so that rows inserted later never shift what follows. It is signed for its list and its merchant, so that one
 * from elsewhere is refused.
 */
import { createHmac } from 'node:crypto';
import { type ListQuery, listLimit, type Pagination } from '../../contract/pagination.ts';
import type { Value } from '../store/store.ts';
import type { Context } from './handler.ts';
import { assumedRefusal } from './refusal.ts';

interface ListDefinition {
  /** Names the list that a cursor belongs to, including the owner's id: `charges/<merchant id>`. */
  readonly name: string;
  /** `SELECT ... FROM ... WHERE ...`, with a `seq` among its columns and no ORDER BY. */
  readonly select: string;
  /** `SELECT 1 FROM ... WHERE ...`, for the same rows. */
  readonly exists: string;
  /** Name of the growing column in that SQL if it needs its table: `d.seq`. */
  readonly seq?: string;
  readonly parameters: readonly Value[];
  /** Name of the column with the time of creation, in a list that may lag behind (`list-lag`). */
  readonly createdAt?: string;
}

interface RowsPage<R> {
  readonly rows: R[];
  readonly pagination: Pagination;
}

/** Reads one page in the order of `list-order`. Throws `Refusal` for a bad or foreign cursor, or for both at once. */
export function readPage<R extends { seq: number }>(
  context: Context,
  whole: ListDefinition,
  query: ListQuery,
): RowsPage<R> {
  const { store } = context.world;
  const limit = query.limit ?? listLimit.default;
  const backwards = query.before !== undefined;
  const edge = edgeOf(context, whole, query);
  const newestFirst = context.assume('list-order') === 'newest-first';
  const list = withLag(context, whole);
  const seq = list.seq ?? 'seq';
  const descending = newestFirst !== backwards;
  const beyond = edge === null ? '' : ` AND ${seq} ${descending ? '<' : '>'} ?`;
  const rows = store.all<R>(
    `${list.select}${beyond} ORDER BY ${seq} ${descending ? 'DESC' : 'ASC'} LIMIT ?`,
    ...list.parameters,
    ...(edge === null ? [] : [edge]),
    limit + 1,
  );
  const more = rows.length > limit;
  if (more) rows.pop();
  if (backwards) rows.reverse();

  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) {
    return { rows, pagination: { hasMore: false, next: null, before: null } };
  }
  const anyBeyond = (from: number, downwards: boolean): boolean =>
    store.get(`${list.exists} AND ${seq} ${downwards ? '<' : '>'} ? LIMIT 1`, ...list.parameters, from) !==
    undefined;
  const ahead = backwards ? anyBeyond(last.seq, newestFirst) : more;
  const behind = backwards ? more : edge !== null && anyBeyond(first.seq, !newestFirst);
  const cursor = (at: number) => writeCursor(context.world.cursorSecret, list.name, at);
  return {
    rows,
    pagination: {
      hasMore: backwards && context.assume('has-more-backwards') === 'travel' ? behind : ahead,
      next: ahead ? cursor(last.seq) : null,
      before: behind ? cursor(first.seq) : null,
    },
  };
}

/** Returns where the page before or after this one ended; null for the first page. */
function edgeOf(context: Context, list: ListDefinition, { after, before }: ListQuery): number | null {
  const refuse = (message: string) => assumedRefusal(context.assume('bad-cursor-code'), message);
  if (after !== undefined && before !== undefined) throw refuse('after, before: give one of them, not both');
  const edge = readCursor(context.world.cursorSecret, list.name, before ?? after);
  if (edge === 'bad')
    throw refuse(`${before === undefined ? 'after' : 'before'}: is not a cursor of this list`);
  return edge;
}

/**
 * Reads a page or, if `choice` is `unpaged`, every row without `pagination`, whatever limit or cursor was requested.
 */
export function readMaybeUnpaged<R extends { seq: number }>(
  context: Context,
  choice: string,
  whole: ListDefinition,
  query: ListQuery,
): { readonly rows: R[]; readonly pagination?: Pagination } {
  if (choice !== 'unpaged') return readPage(context, whole, query);
  const order = context.assume('list-order') === 'newest-first' ? 'DESC' : 'ASC';
  const list = withLag(context, whole);
  const sql = `${list.select} ORDER BY ${list.seq ?? 'seq'} ${order}`;
  return { rows: context.world.store.all<R>(sql, ...list.parameters) };
}

/** Applies assumption `list-lag`. */
function withLag({ world, assume }: Context, list: ListDefinition): ListDefinition {
  if (list.createdAt === undefined) return list;
  const lag = assume('list-lag');
  if (lag === 'none') return list;
  const old = ` AND ${list.createdAt} <= ?`;
  return {
    ...list,
    select: list.select + old,
    exists: list.exists + old,
    parameters: [...list.parameters, world.clock.now() - Number.parseInt(lag, 10) * 1_000],
  };
}

const writeCursor = (secret: string, list: string, seq: number): string =>
  Buffer.from(`${seq}.${sign(secret, list, seq)}`).toString('base64url');

function readCursor(secret: string, list: string, text: string | undefined): number | null | 'bad' {
  if (text === undefined) return null;
  const match = /^(\d{1,15})\.[0-9a-f]{16}$/.exec(Buffer.from(text, 'base64url').toString('latin1'));
  const seq = Number(match?.[1]);
  return match !== null && writeCursor(secret, list, seq) === text ? seq : 'bad';
}

const sign = (secret: string, list: string, seq: number): string =>
  createHmac('sha256', secret).update(`${list}:${seq}`).digest('hex').slice(0, 16);
