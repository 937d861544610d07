/** Records what happened, and retries on failure: a busy file or a restarting server must not lose an outcome. */
import { PixctlError } from '../errors.ts';
import type { Intent } from '../ledger/intent.ts';
import type { IntentChange } from '../ledger/ledger.ts';
import type { SendingDependencies } from './dependencies.ts';

/** Pauses between the tries of one write. Milliseconds. */
const pauses: readonly number[] = [100, 400, 1_500, 4_000];

/**
 * Calls `Ledger.record`, again while storage fails: the event's id makes a repeated write harmless. Null: somebody else
 * changed the intent. Throws the last storage error.
 */
export async function recordWithRetry(
  { ledger, clock, newId }: Pick<SendingDependencies, 'ledger' | 'clock' | 'newId'>,
  intent: Intent,
  change: IntentChange,
  what: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<Intent | null> {
  const event = { id: newId(), at: clock.now(), what, details };
  for (let attempt = 0; ; attempt++) {
    try {
      return await ledger.record(intent, change, event);
    } catch (cause) {
      const pause = pauses[attempt];
      if (!(cause instanceof PixctlError) || cause.kind !== 'storage' || pause === undefined) throw cause;
      await clock.sleep(pause);
    }
  }
}

/**
 * Returns the change for an id that was found in the list or named by a person. `result`: the service's record, as
 * JSON.
 */
export const inferredChange = (resourceId: string, result: string) =>
  ({ state: 'ACCEPTED', resourceId, inferred: true, result, reason: null }) as const;
