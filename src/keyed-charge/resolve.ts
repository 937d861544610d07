/** Records a person's word about a keyed charge whose answer was lost. Sends nothing. */
import type { IdempotencyKey } from '../contract/brand.ts';
import type { Charge } from '../contract/charge.ts';
import { ConstraintError } from '../database/port.ts';
import { type PixctlError, usageError } from '../errors.ts';
import type { Intent, Scope } from '../ledger/intent.ts';
import { requireKind } from '../sending/no-such-key.ts';
import { inferredChange, recordWithRetry } from '../sending/record-with-retry.ts';
import { earliestSendTime, isSendTimeUnknown, msUntilSettleTime } from '../sending/send-timing.ts';
import { candidatesOf, mismatch } from './candidates.ts';
import * as chargeErrors from './charge-errors.ts';
import { recordIfAbandoned } from './create-once.ts';
import type { Dependencies } from './dependencies.ts';
import { resultOf } from './send.ts';

/** Asks the person to confirm, once everything else is checked; throws if they do not. */
type Confirm = () => Promise<void>;

/**
 * Returns the charge of the key once nobody is sending it. Rejects with 88 if there is none, 75 while it is being sent.
 */
export async function findKeyedIntent(
  dependencies: Dependencies,
  scope: Scope,
  key: IdempotencyKey,
): Promise<Intent> {
  const intent = requireKind('charge', key, await dependencies.ledger.find(scope, key));
  const open = await recordIfAbandoned(dependencies, intent);
  if (open === null) throw chargeErrors.busy(intent);
  return open;
}

/** Nothing to settle: fine if the ledger agrees, a mistake (64) if it says otherwise. */
export function assertAgreesWithLedger(
  intent: Intent,
  { charge, notCreated }: { readonly charge?: string; readonly notCreated?: boolean },
): void {
  const { resourceId } = intent;
  if (resourceId === null) {
    if (charge !== undefined) throw chargeErrors.alreadyKnown(intent, 'no charge');
  } else if (notCreated === true || (charge ?? resourceId) !== resourceId)
    throw chargeErrors.alreadyKnown(intent, resourceId);
}

/** Settles an UNKNOWN key to `charge`. Refused (64) if it cannot be that one, or that one belongs to another key. */
export async function resolveAsCharge(
  dependencies: Dependencies,
  intent: Intent,
  charge: Charge,
  confirm: Confirm,
): Promise<void> {
  const { id } = charge;
  const wrong = mismatch(charge, intent, await earliestSendTime(dependencies, intent));
  if (wrong !== null)
    throw usageError(
      `${id} is not that charge: ${wrong}. Nothing was changed.`,
      chargeErrors.candidatesHint(intent),
    );
  await confirm();
  const change = inferredChange(id, resultOf(charge));
  try {
    if (
      (await recordWithRetry(dependencies, intent, change, 'resolved', {
        chargeId: id,
        by: 'person',
        host: dependencies.owners.self.host,
      })) === null
    )
      throw chargeErrors.busy(intent);
  } catch (cause) {
    if (!(cause instanceof ConstraintError)) throw cause;
    throw usageError(
      `${id} belongs to another idempotency key. Nothing was changed.`,
      chargeErrors.candidatesHint(intent),
    );
  }
}

/**
 * Settles an UNKNOWN key as not created, so that it may be sent again. Refused before the settle time (75) and, unless
 * allowed, while the service lists a charge that it may be (86).
 */
export async function resolveAsNotCreated(
  dependencies: Dependencies,
  intent: Intent,
  { allowDuplicate, agree: confirm }: { readonly allowDuplicate: boolean; readonly agree: Confirm },
): Promise<void> {
  const waitMs = await msUntilSettleTime(dependencies, intent);
  if (waitMs > 0)
    throw (await isSendTimeUnknown(dependencies, intent))
      ? chargeErrors.sendTimeUnknown(intent, dependencies.clock.now() + waitMs)
      : chargeErrors.notSettled(intent, waitMs);
  const candidates = await candidatesOf(dependencies, intent);
  if (candidates.length > 0 && !allowDuplicate) throw chargeErrors.candidatesListed(intent, candidates);
  await confirm();
  const change = { state: 'NOT_SENT', reason: 'RESOLVED' } as const;
  if (
    (await recordWithRetry(dependencies, intent, change, 'resolved', {
      by: 'person',
      host: dependencies.owners.self.host,
      as: 'not-created',
    })) === null
  )
    throw chargeErrors.busy(intent);
}

/** Returns the error (81) to report after `count` charges that it may be were shown. */
export const undecidedError = async (
  dependencies: Dependencies,
  intent: Intent,
  count: number,
): Promise<PixctlError> =>
  chargeErrors.undecided(intent, count, await msUntilSettleTime(dependencies, intent));
