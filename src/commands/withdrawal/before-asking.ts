/** A wrong ledger and a missing API key are found before a person types anything. */
import type { IdempotencyKey } from '../../contract/brand.ts';
import { scopeOf } from '../../ledger/intent.ts';
import { checkApiKey } from '../../runtime/check-api-key.ts';
import { openLedgerOf, pinnedIn } from '../../runtime/open-ledger.ts';
import { unsent } from '../../runtime/sending.ts';
import type { Runtime } from '../../runtime.ts';

/**
 * Throws what a run for this key would end with: another ledger than the expected one (74, 78), or no API key that
 * may go to this address (77, 78). Sends nothing. What it opens it closes: an answer may take long, and the run judges
 * all of it anew before it sends.
 */
export async function refuseBeforeAsking(runtime: Runtime, key: IdempotencyKey | undefined): Promise<void> {
  try {
    // The stored outcome of a key is told without asking the service.
    if (!(await isKnown(runtime, key))) await checkApiKey(runtime);
  } catch (error) {
    throw unsent(error);
  }
}

/** A ledger that nobody expects yet is not made before somebody has said yes: nothing is known of it either. */
async function isKnown(runtime: Runtime, key: IdempotencyKey | undefined): Promise<boolean> {
  const config = await runtime.config();
  if (pinnedIn(config) === null && runtime.environment.PIXCTL_LEDGER_ID === undefined) return false;
  const ledger = await openLedgerOf(runtime);
  try {
    return key !== undefined && (await ledger.find(scopeOf(config.profile()), key)) !== null;
  } finally {
    await ledger.close();
  }
}
