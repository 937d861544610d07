/** What the service's record of an accepted withdrawal means for its intent. */
import { hasEnded } from '../../contract/statuses.ts';
import { messageOf } from '../../errors.ts';
import type { Intent } from '../../ledger/intent.ts';
import { recordWithRetry } from '../../sending/record-with-retry.ts';
import type { Dependencies } from '../dependencies.ts';
import { readFailureReason } from '../outcome/create-outcome.ts';

interface Read {
  readonly status: string;
  readonly failedReason?: unknown;
}

/** Brings an accepted intent up to date with the service's record of it. Null: somebody else changed it. */
export async function recordEnding(
  dependencies: Dependencies,
  intent: Intent,
  read: Read,
): Promise<Intent | null> {
  const change = endingOf(read);
  if (intent.state !== 'ACCEPTED' || change === null) return intent;
  return recordWithRetry(dependencies, intent, change, change.state.toLowerCase(), { status: read.status });
}

/** An accepted intent as the ledger now has it, and how it has ended. */
export interface EndedIntent {
  readonly intent: Intent;
  /** Why the ledger says only that it was accepted, although the service says how it ended. */
  readonly unwritten?: string;
}

/** Like `recordEnding`, but the service's word stands even if it cannot be written. Null: somebody else changed it. */
export async function tryRecordEnding(
  dependencies: Dependencies,
  accepted: Intent,
  read: Read,
): Promise<EndedIntent | null> {
  try {
    const intent = await recordEnding(dependencies, accepted, read);
    return intent === null ? null : { intent };
  } catch (cause) {
    return { intent: { ...accepted, ...endingOf(read) }, unwritten: unwrittenReason(cause) };
  }
}

/** Says why what came of a send could not be written, in words that fit into a sentence. */
export const unwrittenReason = (cause: unknown): string => readFailureReason({ message: messageOf(cause) });

/** Returns what a record that has ended changes in its intent; null if it has not ended. */
export function endingOf(read: Read) {
  const { status: state } = read;
  if (!hasEnded(state)) return null;
  const reason = state === 'FAILED' ? reasonOf(read.failedReason) : null;
  return { state, result: JSON.stringify(read), reason } as const;
}

/**
 * Drops what is not text, and characters that a database takes in JSON only: the record that the intent keeps has both.
 */
const reasonOf = (reason: unknown): string | null =>
  typeof reason === 'string' ? reason.toWellFormed().replaceAll('\0', '\ufffd') : null;
