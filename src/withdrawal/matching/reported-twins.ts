/**
 * What has held up a key as a possible duplicate, as a person was told (86): listed withdrawals, and its payments at
 * other addresses.
 */
import { addressSuffixOf, type Intent } from '../../ledger/intent.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { recordWithRetry } from '../../sending/record-with-retry.ts';
import type { Dependencies } from '../dependencies.ts';
import type { WithdrawRequest } from '../request.ts';
import type { Identified } from './body.ts';

const held = 'held';

type Reading = Pick<Ledger, 'events' | 'find'>;

/**
 * What `request`'s `allowDuplicate` may be about: the ids that a person had been told of when the run began, read at
 * the first call and kept. What another run reports later is not covered: whoever gave the flag could not know of it.
 * Rejects when the ledger fails.
 */
export function onceReportedTwins(
  ledger: Reading,
  { allowDuplicate = false, reportedTwins, ...order }: WithdrawRequest,
): () => Promise<ReadonlySet<string>> {
  let reading: Promise<ReadonlySet<string>> | undefined;
  const read = async () =>
    reportedTwins ?? (allowDuplicate ? readReportedTwins(ledger, order) : new Set<string>());
  return () => {
    reading ??= read();
    return reading;
  };
}

/** Returns the ids that a person has been told of so far. */
export async function readReportedTwins(
  ledger: Reading,
  { scope, idempotencyKey }: Pick<Intent, 'scope' | 'idempotencyKey'>,
): Promise<ReadonlySet<string>> {
  const intent = await ledger.find(scope, idempotencyKey);
  return intent === null ? new Set() : reportedTwinsOf(ledger, intent);
}

async function reportedTwinsOf(ledger: Reading, intent: Intent): Promise<ReadonlySet<string>> {
  const told = (await ledger.events(intent)).filter(({ what }) => what === held);
  return new Set(told.flatMap(({ details }) => (details.withdrawalIds ?? []) as string[]));
}

/** Notes in the history that a person is told of these. Null: somebody else changed the intent. */
export async function recordReported(
  dependencies: Dependencies,
  intent: Intent,
  { twins, paid }: Held,
): Promise<Intent | null> {
  const ids = [...twins.map(({ id }) => id), ...(paid === null ? [] : [paymentId(paid)])];
  const known = await reportedTwinsOf(dependencies.ledger, intent);
  const withdrawalIds = ids.filter((id) => !known.has(id));
  if (withdrawalIds.length === 0) return intent;
  return recordWithRetry(dependencies, intent, { state: intent.state }, held, { withdrawalIds });
}

export interface Held {
  readonly twins: readonly Identified[];
  /** The same order under the same key, accepted at another address; null: there is none. */
  readonly paid: Intent | null;
}

/** Tells a payment at another address from a withdrawal that the list here shows: no id there has a space. */
export const paymentId = ({ scope, resourceId }: Intent): string =>
  `${resourceId ?? ''} at${addressSuffixOf(scope)}`;
