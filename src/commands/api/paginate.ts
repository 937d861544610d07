/** `--paginate`: the items of every page, as they arrive. */
import { contractError } from '../../api/classify.ts';
import type { Page } from '../../api/client.ts';
import { envelopeOf } from '../../api/describe-reply.ts';
import type { OutgoingRequest } from '../../api/exchange.ts';
import { type Direction, type FetchPage, pagesOf } from '../../api/pages.ts';
import type { Pagination } from '../../contract/pagination.ts';
import type { Runtime } from '../../runtime.ts';
import { withQuery } from './fields.ts';
import { headText, itemView } from './show-reply.ts';
import { verdictOf } from './verdict.ts';

/** Writes one JSON array of all items, or one line per item with `-o ndjson`. */
export async function paginate(runtime: Runtime, request: OutgoingRequest, include: boolean): Promise<void> {
  const api = await runtime.api();
  // A run that begins with `before` goes on with it, because the service takes only one of the two.
  const direction: Direction = /[?&]before=/.test(request.path) ? 'before' : 'after';
  const fetchPage: FetchPage<object> = async (cursor, signal): Promise<Page<object>> => {
    const path = cursor === null ? request.path : withCursor(request.path, direction, cursor);
    const reply = await api.raw({ ...request, path, signal });
    if (include) runtime.io.writeError(headText(reply));
    const error = verdictOf(request, reply, api, runtime.clock.now());
    if (error !== null) throw error;
    const envelope = envelopeOf(reply);
    const { hasMore, next, before } = (envelope?.pagination ?? {}) as Partial<Pagination>;
    if (!Array.isArray(envelope?.data)) throw contractError(request, 'is no list: data is not an array');
    return {
      items: envelope.data,
      pagination: { hasMore: hasMore === true, next: textOf(next), before: textOf(before) },
    };
  };
  const pages = pagesOf(fetchPage, { direction });
  const { createOutput } = await import('../../terminal/render-output.ts');
  const output = await runtime.output();
  const { format } = output.options;
  const shown = createOutput(
    runtime.io,
    { ...output.options, format: format === 'table' ? 'json' : format },
    runtime.clock,
  );
  await shown.each(itemView, itemsOf(pages), runtime.signal);
}

async function* itemsOf(pages: AsyncIterable<Page<object>>): AsyncGenerator<object, void, undefined> {
  for await (const { items } of pages) yield* items;
}

const textOf = (cursor: unknown): string | null => (typeof cursor === 'string' ? cursor : null);

/** Returns the path with this cursor in place of the previous one. */
function withCursor(path: string, direction: Direction, cursor: string): string {
  const [onlyPath = '', ...query] = path.split('?');
  // A further ? belongs to a value.
  const others = query
    .join('?')
    .split('&')
    .filter((part) => part !== '' && !part.startsWith(`${direction}=`));
  return withQuery(others.length === 0 ? onlyPath : `${onlyPath}?${others.join('&')}`, [[direction, cursor]]);
}
