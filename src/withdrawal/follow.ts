/** Polls an accepted withdrawal to its end (`--wait`, `withdrawal wait`). */
import type { IdempotencyKey } from '../contract/brand.ts';
import type { Withdrawal } from '../contract/withdrawal.ts';
import type { Scope } from '../ledger/intent.ts';
import type { Dependencies } from './dependencies.ts';
import type { Outcome } from './outcome.ts';

export interface FollowRequest {
  readonly scope: Scope;
  readonly idempotencyKey: IdempotencyKey;
  /** Bound on the whole wait, milliseconds. */
  readonly timeoutMs: number;
  /** Between two reads, milliseconds. Default 2000. */
  readonly pollMs?: number;
  /** Each record read, for live status. */
  readonly onRead?: (withdrawal: Withdrawal) => void;
}

/** COMPLETED is `ok`, FAILED is 83 with `failedReason`, still pending when the wait ran out is 82. */
export declare function follow(dependencies: Dependencies, request: FollowRequest): Promise<Outcome>;
