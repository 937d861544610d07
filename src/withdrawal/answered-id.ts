/** The id that the answer to a send named, where that answer as a whole is no evidence. */
import type { Intent } from '../ledger/intent.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** Of the latest send only; null where its answer named none. */
export async function answeredIdOf(ledger: Ledger, intent: Intent): Promise<string | null> {
  const events = await ledger.events(intent);
  const since = events.findLastIndex(({ what }) => what === 'sending');
  const id = events.slice(since + 1).findLast(({ details }) => 'answeredId' in details)?.details.answeredId;
  return typeof id === 'string' ? id : null;
}
