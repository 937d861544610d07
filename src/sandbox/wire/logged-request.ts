/** What the sandbox remembers of a request. Part of the public types, which must not need Node's types. */
import type { AssumptionId } from '../../contract/assumptions.ts';

export interface LoggedRequest {
  /** Counts all requests since the start, from 1. */
  readonly number: number;
  /** Milliseconds on the sandbox's clock. */
  readonly at: number;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly operation: string | null;
  readonly merchantId: string | null;
  /** What was sent and answered, cut to `bodyLimit` characters or bytes. */
  readonly request: string | null;
  /** Null if nothing was answered, because of a fault. */
  readonly status: number | null;
  readonly answer: string | null;
  readonly assumptions: readonly AssumptionId[];
  /** Ids of the faults that fired. */
  readonly faults: readonly string[];
}
