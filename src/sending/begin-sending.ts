/** Enters SENDING durably, and takes it back if that write fails. */
import type { Intent } from '../ledger/intent.ts';
import type { MarkSendingOptions, SendingResult } from '../ledger/ledger.ts';
import type { Departure } from './departure.ts';
import type { SendingDependencies } from './dependencies.ts';
import { recordWithRetry } from './record-with-retry.ts';
import { sendingEvent } from './send-timing.ts';

/**
 * Records the send, with `details` in its event. The caller may send only if the result is `sending`. Rejects if the
 * write failed; nothing has left then.
 */
export async function beginSending(
  dependencies: SendingDependencies,
  intent: Intent,
  { at }: Departure,
  options: Omit<MarkSendingOptions, 'owner' | 'at'>,
  details: Readonly<Record<string, unknown>> = {},
): Promise<SendingResult> {
  const { ledger, owners } = dependencies;
  const event = sendingEvent(dependencies, at, details);
  try {
    return await ledger.markSending(intent, { owner: owners.self, at, ...options }, event);
  } catch (cause) {
    await undo(dependencies, intent, event.id);
    throw cause;
  }
}

/** Records NOT_SENT if possible: the commit of SENDING failed, or only its confirmation was lost, and nothing left. */
async function undo(dependencies: SendingDependencies, intent: Intent, eventId: string): Promise<void> {
  const { ledger } = dependencies;
  try {
    const current = await ledger.find(intent.scope, intent.idempotencyKey);
    if (current?.state !== 'SENDING') return;
    // Only our own SENDING: another process may be sending the same intent at this very moment.
    if ((await ledger.events(current)).at(-1)?.id !== eventId) return;
    await recordWithRetry(dependencies, current, { state: 'NOT_SENT', reason: 'STORAGE' }, 'not-sent');
  } catch {
    // If the row says SENDING, its owner will be gone by the next run, which calls the outcome unknown.
  }
}
