/** Reads what the ledger's events keep of the answer to the latest send, for a person to read or to act on. */
import type { Intent } from '../../ledger/intent.ts';
import type { Ledger } from '../../ledger/ledger.ts';

/** Returns the id that an answer named although it is no evidence as a whole; null if it named none. */
export const answeredIdOf = (ledger: Ledger, intent: Intent): Promise<string | null> =>
  latest(ledger, intent, 'answeredId');

/** Returns what an answer that is no evidence says of itself; null if it says nothing. */
export const answeredWords = (ledger: Ledger, intent: Intent): Promise<string | null> =>
  latest(ledger, intent, 'said');

/** Returns the words of its refusal; null if it was not refused. */
export const refusalWords = (ledger: Ledger, intent: Intent): Promise<string | null> =>
  latest(ledger, intent, 'message');

async function latest(ledger: Ledger, intent: Intent, name: string): Promise<string | null> {
  const events = await ledger.events(intent);
  const since = events.findLastIndex(({ what }) => what === 'sending');
  const found = events.slice(since + 1).findLast(({ details }) => name in details)?.details[name];
  return typeof found === 'string' ? found : null;
}
