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

/** Returns the ids that a person has been told of, always the same ones. Rejects when the ledger fails. */
export type ReportedTwins = () => Promise<ReadonlySet<string>>;

/**
 * What `request`'s `allowDuplicate` may be about: the ids that a person had been told of when the run began, read at
 * the first call and kept. What another run reports later is not covered: whoever gave the flag could not know of it.
 */
export function onceReportedTwins(
  ledger: Pick<Ledger, 'events' | 'find'>,
  {
    scope,
    idempotencyKey,
    allowDuplicate = false,
  }: Pick<WithdrawRequest, 'scope' | 'idempotencyKey' | 'allowDuplicate'>,
): ReportedTwins {
  let reading: Promise<ReadonlySet<string>> | undefined;
  const read = async (): Promise<ReadonlySet<string>> => {
    const intent = allowDuplicate ? await ledger.find(scope, idempotencyKey) : null;
    return intent === null ? new Set() : readReportedTwins(ledger, intent);
  };
  return () => {
    reading ??= read();
    return reading;
  };
}

async function readReportedTwins(
  ledger: Pick<Ledger, 'events'>,
  intent: Intent,
): Promise<ReadonlySet<string>> {
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
  const known = await readReportedTwins(dependencies.ledger, intent);
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
