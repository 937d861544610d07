/**
 * The last requests to the documented plane, bounded in number and size. Tokens are never stored, and signing secrets
 * never shown.
 */
import { maxLoggedRequests } from '../world/limits.ts';
import type { AnswerBody } from './answer-body.ts';
import type { LoggedRequest, RequestFilter } from './logged-request.ts';

type Entry = Omit<LoggedRequest, 'number' | 'answer'> & { readonly answer: AnswerBody | null };

export interface RequestLog {
  add(entry: Entry): void;
  /** Newest first. */
  list(filter?: RequestFilter): LoggedRequest[];
  /** Forgets them. The count goes on, so that whoever follows the log misses none. */
  clear(): void;
}

const bodyLimit = 4_096;

export function createRequestLog(): RequestLog {
  let count = 0;
  const ring: LogSlot[] = [];
  return {
    add(entry) {
      const at = count % maxLoggedRequests;
      const slot = ring[at] ?? new LogSlot();
      ring[at] = slot;
      slot.write(++count, entry);
    },
    list: ({ limit = maxLoggedRequests, after = 0, operation, merchantId } = {}) =>
      ring
        .filter((slot) => slot.number > after && (merchantId ?? slot.merchantId) === slot.merchantId)
        .filter((slot) => (operation ?? slot.operation) === slot.operation)
        .sort((a, b) => b.number - a.number)
        .slice(0, limit)
        .map((slot) => slot.read()),
    clear() {
      ring.length = 0;
    },
  };
}

/**
 * One request, in memory that is overwritten again and again: hundreds of objects and strings that live on for a moment
 * are the most expensive to collect.
 */
class LogSlot {
  number = 0;
  merchantId: string | null = null;
  #at = 0;
  #method = '';
  operation: LoggedRequest['operation'] = null;
  #status: number | null = null;
  #assumptions: LoggedRequest['assumptions'] = [];
  #faults: LoggedRequest['faults'] = [];
  readonly #target = new TextBuffer();
  readonly #request = new TextBuffer();
  /** The beginning of the answer. */
  readonly #answer = Buffer.allocUnsafeSlow(bodyLimit);
  /** Length of the whole answer in bytes; null if there was none. */
  #length: number | null = null;

  write(number: number, entry: Entry): void {
    const { answer, assumptions } = entry;
    this.number = number;
    this.#at = entry.at;
    this.#method = entry.method;
    this.operation = entry.operation;
    this.merchantId = entry.merchantId;
    this.#status = entry.status;
    this.#assumptions = assumptions.length === 0 ? none : assumptions;
    this.#faults = entry.faults;
    this.#target.write(entry.target);
    this.#request.write(cut(entry.request));
    this.#length = answer === null ? null : answer.to - answer.from;
    answer?.bytes.copy(this.#answer, 0, answer.from, Math.min(answer.to, answer.from + bodyLimit));
  }

  read(): LoggedRequest {
    return {
      at: this.#at,
      method: this.#method,
      target: this.#target.read() ?? '',
      operation: this.operation,
      merchantId: this.merchantId,
      request: this.#request.read(),
      status: this.#status,
      answer: answerOf(this.#answer, this.#length),
      assumptions: this.#assumptions,
      faults: this.#faults,
      number: this.number,
    };
  }
}

const none: LoggedRequest['assumptions'] = [];

/** Text in bytes that the next text overwrites. */
class TextBuffer {
  #bytes = Buffer.alloc(0);
  #length: number | null = null;

  write(text: string | null): void {
    this.#length = text === null ? null : text.length * 2;
    if (text === null) return;
    if (text.length * 2 > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(text.length * 2);
    // Not UTF-8, because a text that was cut may end in half a character.
    this.#bytes.write(text, 'utf16le');
  }

  read(): string | null {
    return this.#length === null ? null : this.#bytes.toString('utf16le', 0, this.#length);
  }
}

/** Returns the answer, cut to the limit in bytes but only between characters, without secrets. */
function answerOf(bytes: Buffer, length: number | null): string | null {
  if (length === null) return null;
  if (length <= bodyLimit) return withoutSecrets(bytes.toString('utf8', 0, length));
  return withoutSecrets(`${bytes.toString('utf8').replace(/\uFFFD$/, '')}...`);
}

/** A secret is shown once, by the registration: neither the log of a test run nor a screenshot may hold it. */
const withoutSecrets = (text: string): string => text.replace(/whsec_\w+/g, 'whsec_...');

const cut = (text: string | null): string | null =>
  text !== null && text.length > bodyLimit ? `${text.slice(0, bodyLimit)}...` : text;
