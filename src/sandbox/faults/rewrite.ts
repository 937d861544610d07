/** Changes a proper answer into one that a careless client trips over. Pure but for the rule's memory. */
import type { Memory } from './armed.ts';
import type { ApiEffect } from './rule.ts';

/** A success envelope, before it is written. */
export interface Answer {
  readonly data: unknown;
  readonly pagination?: { readonly next?: string | null | undefined; readonly hasMore: boolean } & Readonly<
    Record<string, unknown>
  >;
}

export interface Asked {
  readonly query: Readonly<Record<string, unknown>>;
}

export function rewrite<T extends Answer>(answer: T, effect: ApiEffect, asked: Asked, memory: Memory): T {
  switch (effect.kind) {
    case 'unknown-field':
      return { ...answer, data: eachItem(answer.data, (item) => ({ ...item, [effect.name]: effect.value })) };
    case 'unknown-status':
      return {
        ...answer,
        data: eachItem(answer.data, (item) => ('status' in item ? { ...item, status: effect.value } : item)),
      };
    case 'stale-cursor':
      return answer.pagination?.next ? { ...answer, pagination: looped(answer.pagination, asked) } : answer;
    case 'repeat-item':
      return { ...answer, data: repeated(answer.data, asked, memory) };
    default:
      return answer;
  }
}

type Item = Record<string, unknown>;

function eachItem(data: unknown, change: (item: Item) => Item): unknown {
  if (Array.isArray(data)) return data.map((item) => change(item as Item));
  return typeof data === 'object' && data !== null ? change(data as Item) : data;
}

/** A page that was asked for by cursor names that very cursor as the next one. */
const looped = <P extends object>(pagination: P, asked: Asked): P =>
  typeof asked.query.after === 'string' ? { ...pagination, next: asked.query.after } : pagination;

/** As when a record is inserted between two reads: the last item of a page is also the first of the next. */
function repeated(data: unknown, asked: Asked, memory: Memory): unknown {
  if (!Array.isArray(data)) return data;
  const { lastItem } = memory;
  memory.lastItem = data.at(-1);
  return typeof asked.query.after === 'string' && lastItem !== undefined ? [lastItem, ...data] : data;
}
