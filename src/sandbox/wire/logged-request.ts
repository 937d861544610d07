/** What the sandbox remembers of a request. Part of the public types, which must not need Node's types. */
import type { AssumptionId } from '../../contract/assumptions.ts';
import type { OperationName } from '../../contract/operations.ts';

export interface LoggedRequest {
  /** Counts all requests since the start, from 1. */
  readonly number: number;
  /** Milliseconds on the sandbox's clock. */
  readonly at: number;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** `createWithdrawal` and the like; null if no documented call has this method and path. */
  readonly operation: OperationName | null;
  readonly merchantId: string | null;
  /** The body as it was sent: text, cut to 4,096 characters. Null if there was none. */
  readonly request: string | null;
  /** Null if nothing was answered, because of a fault. */
  readonly status: number | null;
  /** The body of the answer, cut to 4,096 bytes. A signing secret in it is `whsec_...`. */
  readonly answer: string | null;
  readonly assumptions: readonly AssumptionId[];
  /** Ids of the faults that fired. */
  readonly faults: readonly string[];
}

export interface RequestFilter {
  readonly operation?: OperationName | undefined;
  readonly merchantId?: string | undefined;
  /** Only requests after the one of this `number`. */
  readonly after?: number | undefined;
  /** At most this many, the newest. Default and most: 500. */
  readonly limit?: number | undefined;
}
