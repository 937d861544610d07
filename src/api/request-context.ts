/** What was asked of the service, as far as the judgement of its answer depends on it. */
import type { OutgoingRequest } from './exchange.ts';
import type { Remedies } from './remedies.ts';

export interface RequestContext {
  /** The one status that means success. */
  readonly success: number;
  /** Milliseconds since the epoch, for a Retry-After that is a date. */
  readonly now: number;
  /** `nothing`: the request names no record that might be missing; `page`: only a cursor, which may have expired. */
  readonly refersTo?: 'nothing' | 'page';
  readonly method: OutgoingRequest['method'];
  /** Path as in the document, for messages. */
  readonly path: string;
  /** The path that was requested, with its query, if it differs. */
  readonly sentPath?: string;
  /** The names of what the query and the body hold. */
  readonly fields?: readonly string[];
  readonly host: string;
  readonly remedies: Remedies;
  /** Set if the user chose the path, and the caller shows the whole answer itself (`pixctl api`). */
  readonly isRaw?: boolean;
}
