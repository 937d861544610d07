/**
 * One HTTP exchange with the service, as facts (docs/requests.md). Money depends on the difference between `not-sent`
 * and `lost`. The dispatch handler's `onRequestStart` makes it, which never runs if no byte left (DNS, refused
 * connection, TLS, proxy), and always runs otherwise. An error code never shows it reliably.
 */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** The whole body, bounded in size. */
  readonly body: Uint8Array;
}

export type Exchange =
  /** A complete answer arrived. */
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** Nothing left this machine. */
  | { readonly kind: 'not-sent'; readonly cause: unknown }
  /** Bytes may have left, and no complete answer came. */
  | { readonly kind: 'lost'; readonly cause: unknown };

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query below the base URL, already encoded. */
  readonly path: string;
  readonly body?: string | undefined;
  /** Limit on the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** Gives the request up: a read at any time, anything else only before its first byte. */
  readonly signal?: AbortSignal | undefined;
  /** Set for a read that an interrupt of the run does not end, because the record of a send waits for its answer. */
  readonly uninterrupted?: boolean | undefined;
  /** Runs at `onRequestStart`, before any byte leaves; if it throws, nothing is sent. */
  readonly beforeFirstByte?: (() => void) | undefined;
}

/** Sends one request, once: no retry, no redirect. Never rejects; the facts are in the `Exchange`. */
export type Send = (request: OutgoingRequest) => Promise<Exchange>;
