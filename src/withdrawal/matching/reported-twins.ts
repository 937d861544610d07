/** The listed withdrawals that have held up a key which was sent before, as a person was told (86). */
import type { Intent } from '../../ledger/intent.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { recordWithRetry } from '../../sending/record-with-retry.ts';
import type { Dependencies } from '../dependencies.ts';
import type { WithdrawRequest } from '../request.ts';

const held = 'held';

/**
 * What `request`'s `allowDuplicate` may be about: the ids that a person had been told of when the run began, read at
 * the first call and kept. What another run reports later is not covered: whoever gave the flag could not know of it.
 * Rejects when the ledger fails.
 */
export function onceReportedTwins(
  ledger: Pick<Ledger, 'events' | 'find'>,
  { scope, idempotencyKey, allowDuplicate = false }: WithdrawRequest,
): () => Promise<ReadonlySet<string>> {
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

/**
 * Notes in the history that a person is told of these. Null: somebody else changed the intent. A key that was never
 * sent needs no note, for none of them can be its own.
 */
export async function recordReportedTwins(
  dependencies: Dependencies,
  intent: Intent,
  ids: readonly string[],
): Promise<Intent | null> {
  if (intent.fence === null) return intent;
  const known = await readReportedTwins(dependencies.ledger, intent);
  const withdrawalIds = ids.filter((id) => !known.has(id));
  if (withdrawalIds.length === 0) return intent;
  return recordWithRetry(dependencies, intent, { state: intent.state }, held, { withdrawalIds });
}
