/**
 * What to report when a run gives up because every change that it tried met a ledger other than the one it had read.
 */
import type { Dependencies } from '../dependencies.ts';
import * as outcomes from '../outcome/create-outcome.ts';
import type { Outcome } from '../outcome/outcome.ts';

/**
 * Says which of two causes it is. Either others keep changing the ledger, or its file contradicts itself: with rows
 * missing from an index, what is read is never what is written, and nothing can be said of what earlier runs did.
 */
export async function overtakenOutcome({ findDamage }: Dependencies['ledger']): Promise<Outcome> {
  const damaged = (await findDamage?.().catch(() => null)) ?? null;
  return damaged === null
    ? outcomes.busy(null, 'other processes keep changing the ledger')
    : { ...outcomes.failed(null, damaged), unread: true };
}
