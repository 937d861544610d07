/**
 * What to report when a run gives up because every change that it tried met a ledger other than the one it had read.
 */
import type { Dependencies } from '../dependencies.ts';
import type { Outcome } from '../outcome/outcome.ts';
import * as say from '../outcome/say.ts';

/**
 * Says which of two causes it is. Either others keep changing the ledger, or its file contradicts itself: with rows
 * missing from an index, what is read is never what is written, and nothing can be said of what earlier runs did.
 */
export async function overtaken({ damage }: Dependencies['ledger']): Promise<Outcome> {
  const damaged = (await damage?.().catch(() => null)) ?? null;
  return damaged === null
    ? say.busy(null, 'other processes keep changing the ledger')
    : { ...say.failed(null, damaged), unread: true };
}
