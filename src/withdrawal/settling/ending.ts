/** What the service's record of an accepted withdrawal makes of its intent. */
import { hasEnded } from '../../contract/withdrawal.ts';
import { messageOf } from '../../errors.ts';
import type { Intent } from '../../ledger/intent.ts';
import { record } from '../../sending/record.ts';
import type { Dependencies } from '../dependencies.ts';

interface Read {
  readonly status: string;
  readonly failedReason?: unknown;
}

/** Brings an accepted intent to where the service's record of it stands. Null: somebody else changed it. */
export async function advance(
  dependencies: Dependencies,
  intent: Intent,
  read: Read,
): Promise<Intent | null> {
  const change = endingOf(read);
  if (intent.state !== 'ACCEPTED' || change === null) return intent;
  return record(dependencies, intent, change, change.state.toLowerCase(), { status: read.status });
}

/** Accepted, as the ledger has it by now, and how it has ended. */
export interface Ended {
  readonly intent: Intent;
  /** Why the ledger has no more than that it was accepted, though the service says how it has ended. */
  readonly unwritten?: string;
}

/** `advance`, but the service's word stands also where it cannot be written. Null: somebody else changed it. */
export async function endedAs(
  dependencies: Dependencies,
  accepted: Intent,
  read: Read,
): Promise<Ended | null> {
  try {
    const intent = await advance(dependencies, accepted, read);
    return intent === null ? null : { intent };
  } catch (cause) {
    return { intent: { ...accepted, ...endingOf(read) }, unwritten: whyUnwritten(cause) };
  }
}

/** Why an ending could not be written, to stand in a sentence. */
export const whyUnwritten = (cause: unknown): string => messageOf(cause).replace(/\.$/, '');

/** What a record that has ended makes of its intent; null while it has not. */
export function endingOf(read: Read) {
  const { status: state } = read;
  if (!hasEnded(state)) return null;
  const reason = state === 'FAILED' ? reasonOf(read.failedReason) : null;
  return { state, result: JSON.stringify(read), reason } as const;
}

/** What is no text is in the record that the intent keeps, and so are characters that a database takes in JSON only. */
const reasonOf = (reason: unknown): string | null =>
  typeof reason === 'string' ? reason.toWellFormed().replaceAll('\0', '\ufffd') : null;
