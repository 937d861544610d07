/**
 * What has held up a key as a possible duplicate, as a person was told (86): listed withdrawals, and its payments at
 * other addresses.
 */
import { addressSuffixOf, type Intent, sendableStates } from '../../ledger/intent.ts';
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
  { ledger, clock }: Pick<Dependencies, 'ledger' | 'clock'>,
  { allowDuplicate = false, reportedTwins, begunAt = clock.now(), ...order }: WithdrawRequest,
): () => Promise<ReadonlySet<string>> {
  let reading: Promise<ReadonlySet<string>> | undefined;
  const read = async () =>
    reportedTwins ?? (allowDuplicate ? readReportedTwins(ledger, order, begunAt) : new Set<string>());
  return () => {
    reading ??= read();
    return reading;
  };
}

/**
 * Returns the ids that a person has been told of so far, but by no later than `by` (milliseconds since the epoch): when
 * a run reads this, another may have reported since it began.
 */
export async function readReportedTwins(
  ledger: Reading,
  { scope, idempotencyKey }: Pick<Intent, 'scope' | 'idempotencyKey'>,
  by: number,
): Promise<ReadonlySet<string>> {
  const intent = await ledger.find(scope, idempotencyKey);
  return intent === null ? new Set() : reportedTwinsOf(ledger, intent, by);
}

async function reportedTwinsOf(ledger: Reading, intent: Intent, by: number): Promise<ReadonlySet<string>> {
  const told = (await ledger.events(intent)).filter(({ what, at }) => what === held && at <= by);
  return new Set(told.flatMap(({ details }) => (details.withdrawalIds ?? []) as string[]));
}

/**
 * Notes in the history that a person was told of these. What others have changed since is no obstacle, unless the key
 * is no longer held up: it was sent, or a person has settled it. Throws the last storage error.
 */
export async function recordReported(
  dependencies: Dependencies,
  { scope, idempotencyKey }: Pick<Intent, 'scope' | 'idempotencyKey'>,
  { twins, paid }: Held,
): Promise<void> {
  const { ledger, clock } = dependencies;
  const ids = [...twins.map(({ id }) => id), ...(paid === null ? [] : [paymentId(paid)])];
  for (let look = 0; look < maxLooks; look++) {
    const intent = await ledger.find(scope, idempotencyKey);
    if (intent === null || !sendableStates.includes(intent.state)) return;
    // What a clock that was ahead has recorded counts for nobody before its time: it is recorded once more.
    const known = await reportedTwinsOf(ledger, intent, clock.now());
    const withdrawalIds = ids.filter((id) => !known.has(id));
    if (withdrawalIds.length === 0) return;
    const change = { state: intent.state };
    if ((await recordWithRetry(dependencies, intent, change, held, { withdrawalIds })) !== null) return;
  }
}

/** How often others may change the key while its report is recorded; unrecorded, it is reported once more. */
const maxLooks = 5;

export interface Held {
  readonly twins: readonly Identified[];
  /** The same order under the same key, accepted at another address; null: there is none. */
  readonly paid: Intent | null;
}

/** Tells a payment at another address from a withdrawal that the list here shows: no id there has a space. */
export const paymentId = ({ scope, resourceId }: Intent): string =>
  `${resourceId ?? ''} at${addressSuffixOf(scope)}`;
