/** What had been reported of a key as a possible duplicate before a person was asked anything. */
import type { IdempotencyKey } from '../../../contract/brand.ts';
import { rethrowUnsent } from '../../../runtime/sending.ts';
import type { Runtime } from '../../../runtime.ts';
import { readReportedTwins } from '../../../withdrawal/matching/reported-twins.ts';
import { withLedger } from '../preflight-checks.ts';

/** Returns the ids; none if there is no ledger yet. `begunAt`: of the run. Throws as `predictOutcome` does (74, 78). */
export const reportedSoFar = (
  runtime: Runtime,
  idempotencyKey: IdempotencyKey,
  begunAt: number,
): Promise<ReadonlySet<string>> =>
  withLedger(runtime, async (seen) =>
    seen === null
      ? new Set<string>()
      : readReportedTwins(seen.dependencies.ledger, { scope: seen.scope, idempotencyKey }, begunAt),
  ).catch(rethrowUnsent);
