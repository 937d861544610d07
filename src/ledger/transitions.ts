/** The next row of an intent, worked out before it is written: shared by every ledger there is. */
import { PixctlError } from '../errors.ts';
import { type Intent, mayMove, type NewEvent, sendableStates } from './intent.ts';
import type { Change, NewIntent, Sending } from './ledger.ts';

export const planned = (intent: NewIntent, event: NewEvent): Intent => ({
  ...intent,
  state: 'PLANNED',
  version: 1,
  resourceId: null,
  inferred: false,
  result: null,
  reason: null,
  owner: null,
  fence: null,
  listed: null,
  createdAt: event.at,
  sentAt: null,
  updatedAt: event.at,
});

/** `SENDING`, or null when the intent is in no state to be sent. */
export const sent = (intent: Intent, sending: Sending, event: NewEvent, listed: number): Intent | null =>
  sendableStates.includes(intent.state)
    ? {
        ...intent,
        state: 'SENDING',
        version: intent.version + 1,
        reason: null,
        result: null,
        owner: sending.owner,
        fence: intent.kind === 'withdrawal' ? sending.expectedFence + 1 : null,
        listed: intent.kind === 'withdrawal' ? listed : null,
        sentAt: sending.at,
        updatedAt: event.at,
      }
    : null;

/** The change applied. A move that the state diagram does not have is a bug of the caller. */
export function changed(intent: Intent, change: Change, event: NewEvent): Intent {
  if (!mayMove(intent.state, change.state))
    throw new PixctlError(
      'unexpected',
      'LEDGER_MOVE',
      `an intent cannot go from ${intent.state} to ${change.state}`,
    );
  return { ...intent, ...change, version: intent.version + 1, updatedAt: event.at };
}
