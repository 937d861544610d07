/** Changes a proper answer into one that trips up a careless client. Pure except for the rule's memory. */
import type { Memory } from './armed-rule.ts';
import type { ApiEffect } from './rule.ts';

/** A success envelope before it is written. */
export interface Answer {
  readonly data: unknown;
  readonly pagination?: { readonly next?: string | null | undefined; readonly hasMore: boolean } & Readonly<
    Record<string, unknown>
  >;
}

interface CallQuery {
  readonly query: Readonly<Record<string, unknown>>;
}

/** Returns the changed answer, or the very same object if the effect finds nothing in it to change. */
export function rewrite<T extends Answer>(
  answer: T,
  effect: ApiEffect,
  request: CallQuery,
  memory: Memory,
): T {
  switch (effect.kind) {
    case 'unknown-field':
      return eachItem(
        answer,
        () => true,
        (item) => ({ ...item, [effect.name]: effect.value }),
      );
    case 'unknown-status':
      return eachItem(
        answer,
        (item) => 'status' in item,
        (item) => ({ ...item, status: effect.value }),
      );
    case 'stale-cursor':
      return loopCursor(answer, request);
    case 'repeat-item':
      return repeatLastItem(answer, request, memory);
    default:
      return answer;
  }
}

type Item = Record<string, unknown>;

function eachItem<T extends Answer>(
  answer: T,
  applies: (item: Item) => boolean,
  change: (item: Item) => Item,
): T {
  const { data } = answer;
  const concerns = (item: unknown): item is Item =>
    typeof item === 'object' && item !== null && applies(item as Item);
  const changed = (item: unknown) => (concerns(item) ? change(item) : item);
  if (!Array.isArray(data)) return concerns(data) ? { ...answer, data: change(data) } : answer;
  return data.some(concerns) ? { ...answer, data: data.map(changed) } : answer;
}

/** Makes a page that was read by cursor name that same cursor as the next one. */
function loopCursor<T extends Answer>(answer: T, { query }: CallQuery): T {
  if (!answer.pagination?.next || typeof query.after !== 'string') return answer;
  return { ...answer, pagination: { ...answer.pagination, next: query.after } };
}

/** How many pages have their last item remembered. */
const maxLastItems = 1_000;

/** Repeats the last item of a page as the first of the next, as if a record had been inserted between two reads. */
function repeatLastItem<T extends Answer>(answer: T, { query }: CallQuery, { lastItems }: Memory): T {
  const { data, pagination } = answer;
  if (!Array.isArray(data)) return answer;
  if (pagination?.next) lastItems.set(pagination.next, data.at(-1));
  const [oldest] = lastItems.keys();
  if (lastItems.size > maxLastItems && oldest !== undefined) lastItems.delete(oldest);
  const lastItem = lastItems.get(String(query.after));
  return lastItem === undefined ? answer : { ...answer, data: [lastItem, ...data] };
}
