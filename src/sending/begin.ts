/** Enters SENDING, durably; and takes it back where the run that entered it ends before its send. */
import type { Intent } from '../ledger/intent.ts';
import type { Sending, SendingResult } from '../ledger/ledger.ts';
import type { Departure } from './departure.ts';
import type { SendingDependencies } from './dependencies.ts';
import { record } from './record.ts';
import { sendingEvent } from './since-sent.ts';

/** The caller may send only on `sending`. Rejects where that could not be written: then nothing has left. */
export async function begin(
  dependencies: SendingDependencies,
  intent: Intent,
  { at }: Departure,
  options: Omit<Sending, 'owner' | 'at'>,
): Promise<SendingResult> {
  const { ledger, owners } = dependencies;
  const event = sendingEvent(dependencies, at);
  try {
    return await ledger.send(intent, { owner: owners.self, at, ...options }, event);
  } catch (cause) {
    await undo(dependencies, intent, event.id);
    throw cause;
  }
}

/** The commit of SENDING failed, or its answer was lost and it held: nothing left, so say so where we can. */
async function undo(dependencies: SendingDependencies, intent: Intent, eventId: string): Promise<void> {
  const { ledger } = dependencies;
  try {
    const current = await ledger.find(intent.scope, intent.idempotencyKey);
    if (current?.state !== 'SENDING') return;
    // Only our own: another process may be sending the same intent this very moment.
    if ((await ledger.events(current)).at(-1)?.id !== eventId) return;
    await record(dependencies, current, { state: 'NOT_SENT', reason: 'STORAGE' }, 'not-sent');
  } catch {
    // The row, if there is one, says SENDING with an owner that will be gone: the next run calls it unknown.
  }
}
