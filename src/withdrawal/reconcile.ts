/** Unknown outcome -> known, by the ids that are new since the baseline; never by timestamps. */
import type { IdempotencyKey } from '../contract/brand.ts';
import type { Scope } from '../ledger/intent.ts';
import type { Dependencies } from './dependencies.ts';
import type { Outcome } from './outcome.ts';

/**
 * Reconciles the intent of `idempotencyKey`, or the scope's open one. Exactly one candidate is adopted and
 * marked as inferred (`ok`); several are left to a person and none stays unknown (81). With nothing open:
 * the stored outcome of the key, or `ok` with code `NOTHING_OPEN`. An unknown key is `notFound`.
 */
export declare function reconcile(
  dependencies: Dependencies,
  request: { readonly scope: Scope; readonly idempotencyKey?: IdempotencyKey },
): Promise<Outcome>;
