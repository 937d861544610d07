/** The client's interface: the operations of the contract as calls. Implemented in `create-client.ts`. */
import type { Data, Input, Item, ListOperationName, OperationName } from '../contract/operations.ts';
import type { Pagination } from '../contract/pagination.ts';
import type { OutgoingRequest, Reply, Send } from './exchange.ts';
import type { Remedies } from './remedies.ts';

/** The input of a call: only the parts that its operation has. */
type CallInput<K extends OperationName> = {
  [P in keyof Input<K> as undefined extends Input<K>[P] ? never : P]: Input<K>[P];
};

export interface CallOptions {
  /** Limit on one exchange, in milliseconds; the profile's default otherwise. */
  readonly timeoutMs?: number;
  /** For reads, which are repeated if that may help: no try begins later than this. Milliseconds. */
  readonly withinMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** See `OutgoingRequest.uninterrupted`. */
  readonly uninterrupted?: boolean | undefined;
  /** Runs before any byte leaves; if it throws, nothing is sent. Only for requests that are not repeated. */
  readonly beforeFirstByte?: () => void;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly pagination: Pagination;
  /** Set if the answer had no `pagination`: nobody knows whether there is more. */
  readonly isUnpaged?: true;
}

export interface PagesOptions extends CallOptions {
  /** Items per page, 1 to 100. */
  readonly limit?: number;
  readonly after?: string;
  readonly before?: string;
  /**
   * Set if the command takes --after and --before: the hint of a failure in the middle then names the cursor to resume
   * with.
   */
  readonly resumable?: boolean;
}

export interface Api {
  readonly baseUrl: string;
  /** Limit on one exchange if a call gives none of its own, in milliseconds. */
  readonly timeoutMs: number;
  /** Limit on one read of a wait (`lookOptions`), in milliseconds. */
  readonly lookTimeoutMs: number;
  /** Hints for errors that a caller itself makes from an answer. */
  readonly remedies: Remedies;
  /**
   * Calls one operation. A GET is retried where that is safe; a POST never once a byte may have left.
   * Rejects with a `PixctlError`: auth (77), refused (80), notFound (88), later (75: not reached, 429, a
   * 5xx on a read), unknown (81: a POST whose answer was lost or was a 5xx), unexpected (1: a reply that
   * breaks the contract). Resolves with `data` as it came, unknown fields included.
   */
  call<K extends OperationName>(operation: K, input: CallInput<K>, options?: CallOptions): Promise<Data<K>>;
  /** One page of a list. */
  page<K extends ListOperationName>(operation: K, input: CallInput<K>): Promise<Page<Item<K>>>;
  /**
   * Every page of a list, with one in memory and the next on its way. A repeated cursor is an error, not a loop; a
   * failure in the middle of a resumable list names in its hint the cursor to resume from.
   */
  pages<K extends ListOperationName>(
    operation: K,
    path: Input<K>['path'],
    options?: PagesOptions,
  ): AsyncIterable<Page<Item<K>>>;
  /** For `pixctl api`: any path below the base URL, and the answer unchanged. */
  raw(request: OutgoingRequest): Promise<Reply>;
  /** The bare exchange, for a caller that must know whether bytes left: the withdrawal protocol. */
  readonly send: Send;
  close(): Promise<void>;
}
