/** What ends a run whatever a person answers is found before anything is typed. */
import type { IdempotencyKey } from '../../contract/brand.ts';
import { scopeOf } from '../../ledger/intent.ts';
import { checkApiKey } from '../../runtime/check-api-key.ts';
import { openLedgerOf, pinnedIn } from '../../runtime/open-ledger.ts';
import { unsent } from '../../runtime/sending.ts';
import type { Runtime } from '../../runtime.ts';

/**
 * Throws what a run for these keys would end with: another ledger than the expected one (74, 78), or no API key that
 * may go to this address (77, 78). Sends nothing. What it opens it closes: an answer may take long, and the run judges
 * all of it anew before it sends.
 */
export async function refuseBeforeAsking(runtime: Runtime, keys: readonly IdempotencyKey[]): Promise<void> {
  try {
    // The stored outcome of a key is told without asking the service.
    if (!(await areAllKnown(runtime, keys))) await checkApiKey(runtime);
  } catch (error) {
    throw unsent(error);
  }
}

/** A ledger that nobody expects yet is not made before somebody has said yes: nothing is known of it either. */
async function areAllKnown(runtime: Runtime, keys: readonly IdempotencyKey[]): Promise<boolean> {
  const config = await runtime.config();
  if (pinnedIn(config) === null && runtime.environment.PIXCTL_LEDGER_ID === undefined) return false;
  const ledger = await openLedgerOf(runtime);
  try {
    const scope = scopeOf(config.profile());
    for (const key of keys) if ((await ledger.find(scope, key)) === null) return false;
    return true;
  } finally {
    await ledger.close();
  }
}
