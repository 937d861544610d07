/** What is told of a run that gave up because each change that it tried met another ledger than it had read. */
import type { Dependencies } from '../dependencies.ts';
import type { Outcome } from '../outcome/outcome.ts';
import * as say from '../outcome/say.ts';

/**
 * Others keep changing it, or its file contradicts itself: with an index that lacks rows, what is read is not what is
 * written, for good, and nothing can be said of what earlier runs did.
 */
export async function overtaken({ damage }: Dependencies['ledger']): Promise<Outcome> {
  const damaged = (await damage?.().catch(() => null)) ?? null;
  return damaged === null
    ? say.busy(null, 'other processes keep changing the ledger')
    : { ...say.failed(null, damaged), unread: true };
}
