/** The next row of an intent, computed before it is written: shared by every implementation of the ledger. */
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
  departed: false,
  listed: null,
  createdAt: event.at,
  sentAt: null,
  updatedAt: event.at,
});

/**
 * The intent in `SENDING`; null if it is in no state to be sent, or was sent since the caller read the fence.
 * `departed`: the ledger cannot set that mark later.
 */
export function sent(
  intent: Intent,
  sending: Sending,
  event: NewEvent,
  { listed, departed }: Pick<Intent, 'departed'> & { readonly listed: number },
): Intent | null {
  const isWithdrawal = intent.kind === 'withdrawal';
  if (!sendableStates.includes(intent.state)) return null;
  if (isWithdrawal && (intent.fence ?? 0) > sending.expectedFence) return null;
  return {
    ...intent,
    state: 'SENDING',
    version: intent.version + 1,
    reason: null,
    result: null,
    owner: sending.owner,
    fence: isWithdrawal ? sending.expectedFence + 1 : null,
    departed,
    listed: isWithdrawal ? listed : null,
    sentAt: sending.at,
    updatedAt: event.at,
  };
}

/** Marks that a byte may leave now. */
export const departing = (intent: Intent, event: NewEvent): Intent => ({
  ...intent,
  departed: true,
  version: intent.version + 1,
  updatedAt: event.at,
});

/** Applies the change. A move that is not in the state diagram is a bug of the caller. */
export function changed(intent: Intent, change: Change, event: NewEvent): Intent {
  if (!mayMove(intent.state, change.state))
    throw new PixctlError(
      'unexpected',
      'LEDGER_MOVE',
      `an intent cannot go from ${intent.state} to ${change.state}`,
    );
  return { ...intent, ...change, version: intent.version + 1, updatedAt: event.at };
}
