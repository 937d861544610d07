/** `charge create --idempotency-key --dry-run`: says what the ledger makes of the key. Writes and sends nothing. */
import { isBeingSent, stateOnceGone } from '../sending/still-sending.ts';
import * as chargeErrors from './charge-errors.ts';
import { type ChargeRequest, isSameCharge } from './create-once.ts';
import type { Dependencies } from './dependencies.ts';

/** Returns the id of the key's charge, or null if a run would send. Rejects as that run would: 85, 75 or 81. */
export async function findChargeId(
  dependencies: Dependencies,
  { scope, idempotencyKey, body }: ChargeRequest,
): Promise<string | null> {
  const intent = await dependencies.ledger.find(scope, idempotencyKey);
  if (intent === null) return null;
  if (!isSameCharge(intent, body)) throw chargeErrors.keyReused(intent, body);
  const isSending = intent.state === 'SENDING';
  if (isSending && (await isBeingSent(dependencies, intent))) throw chargeErrors.busy(intent);
  if ((isSending ? stateOnceGone(dependencies, intent) : intent.state) === 'UNKNOWN')
    throw chargeErrors.outcomeUnknown(intent);
  return intent.resourceId;
}
