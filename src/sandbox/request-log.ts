/** The last requests to the documented plane, bounded in number and size. Tokens are never kept. */
import { type AnswerBody, beginningOf } from './answer-body.ts';
import type { LoggedRequest } from './logged-request.ts';

export interface RequestLog {
  add(entry: Omit<LoggedRequest, 'number' | 'answer'> & { readonly answer: AnswerBody | null }): void;
  /** Newest first. */
  list(filter?: { limit?: number; after?: number }): LoggedRequest[];
  clear(): void;
}

const capacity = 500;
const bodyLimit = 4_096;

export function requestLog(): RequestLog {
  let count = 0;
  const ring: LoggedRequest[] = [];
  return {
    add(entry) {
      const number = ++count;
      ring[(number - 1) % capacity] = {
        ...entry,
        number,
        request: cut(entry.request),
        answer: entry.answer === null ? null : beginningOf(entry.answer, bodyLimit),
      };
    },
    list: ({ limit = 100, after = 0 } = {}) =>
      ring
        .filter((entry) => entry.number > after)
        .sort((a, b) => b.number - a.number)
        .slice(0, limit),
    clear() {
      ring.length = 0;
      count = 0;
    },
  };
}

const cut = (text: string | null): string | null =>
  text !== null && text.length > bodyLimit ? `${text.slice(0, bodyLimit)}...` : text;
