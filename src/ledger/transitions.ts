/** The next row of an intent, computed before it is written: shared by every implementation of the ledger. */
import { PixctlError } from '../errors.ts';
import { canTransition, type Intent, type NewEvent, sendableStates } from './intent.ts';
import type { IntentChange, MarkSendingOptions, NewIntent } from './ledger.ts';

export const toPlanned = (intent: NewIntent, event: NewEvent): Intent => ({
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
  listedCount: null,
  createdAt: event.at,
  sentAt: null,
  updatedAt: event.at,
});

/**
 * The intent in `SENDING`; null if it is in no state to be sent, or was sent since the caller read the fence.
 * `departed`: the ledger cannot set that mark later.
 */
export function toSending(
  intent: Intent,
  sending: MarkSendingOptions,
  event: NewEvent,
  { listedCount, departed }: Pick<Intent, 'departed'> & { readonly listedCount: number },
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
    listedCount: isWithdrawal ? listedCount : null,
    sentAt: sending.at,
    updatedAt: event.at,
  };
}

/** Marks that a byte may leave now. */
export const toDeparted = (intent: Intent, event: NewEvent): Intent => ({
  ...intent,
  departed: true,
  version: intent.version + 1,
  updatedAt: event.at,
});

/** Applies the change. A move that is not in the state diagram is a bug of the caller. */
export function applyChange(intent: Intent, change: IntentChange, event: NewEvent): Intent {
  if (!canTransition(intent.state, change.state))
    throw new PixctlError(
      'unexpected',
      'LEDGER_MOVE',
      `an intent cannot go from ${intent.state} to ${change.state}`,
    );
  return { ...intent, ...change, version: intent.version + 1, updatedAt: event.at };
}
