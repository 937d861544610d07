/** What became of a call of the documented plane. */
import type { AssumptionId } from '../../contract/assumptions.ts';
import type { Pagination } from '../../contract/pagination.ts';
import type { Refusal } from '../rules/refusal.ts';

/** What the envelope of a success holds. */
export interface Success {
  readonly status: number;
  readonly data: unknown;
  readonly pagination?: Pagination;
}
export type Outcome = Success | Refusal;

export interface CallResult {
  readonly merchantId: string | null;
  /** Open points of the document that the outcome rests on. */
  readonly assumptions: readonly AssumptionId[];
  readonly outcome: Outcome;
  /** An unexpected error that the outcome says nothing about. */
  readonly error?: unknown;
}
