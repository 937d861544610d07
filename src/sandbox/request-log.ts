/** The last requests to the documented plane, bounded in number and size. Tokens are never kept. */
import type { AnswerBody } from './answer-body.ts';
import type { LoggedRequest } from './logged-request.ts';

export interface RequestLog {
  add(entry: Omit<LoggedRequest, 'number' | 'answer'> & { readonly answer: AnswerBody | null }): void;
  /** Newest first. */
  list(filter?: { limit?: number; after?: number }): LoggedRequest[];
  clear(): void;
}

const capacity = 500;
const bodyLimit = 4_096;

interface Place {
  /** All but the answer. */
  entry: LoggedRequest;
  /**
   * The beginning of the answer, in memory that is written over again and again: hundreds of texts that live on
   * for a moment are the dearest to collect.
   */
  readonly bytes: Buffer;
  /** Bytes of the whole answer; null when there was none. */
  length: number | null;
}

export function requestLog(): RequestLog {
  let count = 0;
  const ring: Place[] = [];
  const placeFor = (entry: LoggedRequest): Place => {
    const known = ring[(entry.number - 1) % capacity];
    if (known === undefined) {
      const fresh: Place = { entry, bytes: Buffer.allocUnsafeSlow(bodyLimit), length: null };
      ring.push(fresh);
      return fresh;
    }
    known.entry = entry;
    return known;
  };
  return {
    add({ at, method, target, operation, merchantId, request, status, answer, assumptions, faults }) {
      const asked = { at, method, target, operation, merchantId, request: cut(request) };
      const place = placeFor({ ...asked, status, answer: null, assumptions, faults, number: ++count });
      place.length = answer === null ? null : answer.to - answer.from;
      answer?.bytes.copy(place.bytes, 0, answer.from, Math.min(answer.to, answer.from + bodyLimit));
    },
    list: ({ limit = 100, after = 0 } = {}) =>
      ring
        .filter(({ entry }) => entry.number > after)
        .sort((a, b) => b.entry.number - a.entry.number)
        .slice(0, limit)
        .map((place) => ({ ...place.entry, answer: answerOf(place) })),
    clear() {
      ring.length = 0;
      count = 0;
    },
  };
}

/** Cut to the limit in bytes; whole characters only. */
function answerOf({ bytes, length }: Place): string | null {
  if (length === null) return null;
  if (length <= bodyLimit) return bytes.toString('utf8', 0, length);
  return `${bytes.toString('utf8').replace(/\uFFFD$/, '')}...`;
}

const cut = (text: string | null): string | null =>
  text !== null && text.length > bodyLimit ? `${text.slice(0, bodyLimit)}...` : text;
