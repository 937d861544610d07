/** A person's word about an unknown outcome. */
import type { IdempotencyKey } from '../contract/brand.ts';
import type { Scope } from '../ledger/intent.ts';
import type { Dependencies } from './dependencies.ts';
import type { Outcome } from './outcome.ts';

/** How long after a send a person may say that it never arrived, milliseconds. */
export const settleMs = 120_000;

export interface ResolveRequest {
  readonly scope: Scope;
  readonly idempotencyKey: IdempotencyKey;
  /** It is this withdrawal; or it was never sent. */
  readonly verdict: { readonly kind: 'withdrawal'; readonly id: string } | { readonly kind: 'not-sent' };
}

/**
 * Settles an UNKNOWN intent. `withdrawal`: read from the service, and refused when it existed before the
 * send, is claimed by another intent or differs in amount or key (64). `not-sent`: refused before the
 * settle time (75), while the list is unreadable (75), or while it shows a candidate (86); afterwards the
 * key may be sent again.
 */
export declare function resolve(dependencies: Dependencies, request: ResolveRequest): Promise<Outcome>;
